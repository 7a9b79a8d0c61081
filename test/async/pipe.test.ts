/** A transformed stream: its output when the source ends, fails, or is not read to its end. */
import { expect, test } from 'vitest';
import { pipe, type Transform } from '../../lib/async/pipe.ts';

const letters: Transform<string, string> = { each: (word, out) => void out.push(...word) };

async function* words(...all: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const word of all) {
    if (word instanceof Error) throw word;
    yield word;
  }
}

/** The lists, and the message of an error at the end. */
async function read(lists: AsyncIterable<readonly string[]>): Promise<readonly string[]> {
  const seen: string[] = [];
  try {
    for await (const list of lists) seen.push(list.join(' '));
  } catch (error) {
    seen.push(error instanceof Error ? error.message : String(error));
  }
  return seen;
}

test('items that were received together stay together, and input without output gives no list', async () => {
  expect(await read(pipe(words('ab', '', 'c'), letters))).toEqual(['a b', 'c']);
});

test('output may be appended at the end, also asynchronously', async () => {
  const end = async (out: string[]) => void out.push('end');
  expect(await read(pipe(words('ab'), { ...letters, end }))).toEqual(['a b', 'end']);
});

test('an error of the source is mapped by the transform, and delivered after the output before it', async () => {
  const failed = (thrown: unknown) => new Error(`Mapped: ${thrown}`);
  const source = words('ab', new Error('broken'), 'c');
  expect(await read(pipe(source, { ...letters, failed }))).toEqual(['a b', 'Mapped: Error: broken']);
});

test('a transform that throws delivers its output, stops its source, and is closed once', async () => {
  const calls: string[] = [];
  async function* source() {
    try {
      yield 'ab!c';
      yield 'd';
    } finally {
      calls.push('left');
    }
  }
  const transform: Transform<string, string> = {
    each(word, out) {
      for (const letter of word) {
        if (letter === '!') throw new Error('failed');
        out.push(letter);
      }
    },
    closed: () => void calls.push('closed'),
  };
  const lists = pipe(source(), transform);
  expect(await read(lists)).toEqual(['a b', 'failed']);
  expect(calls).toEqual(['left', 'closed']);
  expect(await read(lists)).toEqual([]);
});

test('two composed transforms act like one after the other, also when the first throws', async () => {
  const calls: string[] = [];
  const first: Transform<string, string> = {
    each(word, out) {
      out.push(...word.replace('!', ''));
      if (word.endsWith('!')) throw new Error('failed');
    },
    end: (out) => void out.push('z'),
    failed: (thrown) => (thrown instanceof Error ? thrown.message : thrown),
    closed: () => void calls.push('first'),
  };
  const second: Transform<readonly string[], string> = {
    each: (list, out) => void out.push(list.join('').toUpperCase()),
    end: (out) => void out.push('END'),
    failed: (thrown) => new Error(`Mapped: ${thrown}`),
    closed: () => void calls.push('second'),
  };
  expect(await read(pipe(words('ab', 'c'), first).pipe(second))).toEqual(['AB', 'C', 'Z END']);
  expect(calls).toEqual(['first', 'second']);
  expect(await read(pipe(words('ab', 'cd!', 'e'), first).pipe(second))).toEqual([
    'AB',
    'CD',
    'Mapped: failed',
  ]);
});

test('a reader that stops while the source is idle stops it at once, without an end', async () => {
  const calls: string[] = [];
  const silence = Promise.withResolvers<IteratorResult<string, undefined>>();
  const source: AsyncIterator<string> = {
    next: () => silence.promise,
    async return() {
      calls.push('left');
      silence.resolve({ done: true, value: undefined });
      return { done: true, value: undefined };
    },
  };
  const transform = {
    ...letters,
    end: () => void calls.push('end'),
    failed: () => void calls.push('failed'),
    closed: () => void calls.push('closed'),
  };
  const iterator = pipe({ [Symbol.asyncIterator]: () => source }, transform)[Symbol.asyncIterator]();
  const waiting = iterator.next();
  await iterator.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(calls).toEqual(['closed', 'left']);
});
