/** A stream that passes through a stage: what comes out when it ends, fails, or is left. */
import { expect, test } from 'vitest';
import { pipe, type Transform } from '../../lib/async/pipe.ts';

const letters: Transform<string, string> = { each: (word, out) => void out.push(...word) };

async function* words(...all: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const word of all) {
    if (word instanceof Error) throw word;
    yield word;
  }
}

/** The lists, and at the end the message of what was thrown. */
async function read(lists: AsyncIterable<readonly string[]>): Promise<readonly string[]> {
  const seen: string[] = [];
  try {
    for await (const list of lists) seen.push(list.join(' '));
  } catch (error) {
    seen.push(error instanceof Error ? error.message : String(error));
  }
  return seen;
}

test('what came together stays together, and nothing is told of pieces that became nothing', async () => {
  expect(await read(pipe(words('ab', '', 'c'), letters))).toEqual(['a b', 'c']);
});

test('the end may add something, also after a while', async () => {
  const end = async (out: string[]) => void out.push('end');
  expect(await read(pipe(words('ab'), { ...letters, end }))).toEqual(['a b', 'end']);
});

test('a source that fails is told in the words of the stage, after what came before', async () => {
  const failed = (thrown: unknown) => new Error(`Told: ${thrown}`);
  const source = words('ab', new Error('broken'), 'c');
  expect(await read(pipe(source, { ...letters, failed }))).toEqual(['a b', 'Told: Error: broken']);
});

test('a stage that fails delivers what it has made, leaves its source, and is over once', async () => {
  const told: string[] = [];
  async function* source() {
    try {
      yield 'ab!c';
      yield 'd';
    } finally {
      told.push('left');
    }
  }
  const stage: Transform<string, string> = {
    each(word, out) {
      for (const letter of word) {
        if (letter === '!') throw new Error('failed');
        out.push(letter);
      }
    },
    over: () => void told.push('over'),
  };
  const lists = pipe(source(), stage);
  expect(await read(lists)).toEqual(['a b', 'failed']);
  expect(told).toEqual(['left', 'over']);
  expect(await read(lists)).toEqual([]);
});

test('two stages are as one after the other, also where the first fails', async () => {
  const told: string[] = [];
  const first: Transform<string, string> = {
    each(word, out) {
      out.push(...word.replace('!', ''));
      if (word.endsWith('!')) throw new Error('failed');
    },
    end: (out) => void out.push('z'),
    failed: (thrown) => (thrown instanceof Error ? thrown.message : thrown),
    over: () => void told.push('first'),
  };
  const second: Transform<readonly string[], string> = {
    each: (list, out) => void out.push(list.join('').toUpperCase()),
    end: (out) => void out.push('END'),
    failed: (thrown) => new Error(`Told: ${thrown}`),
    over: () => void told.push('second'),
  };
  expect(await read(pipe(words('ab', 'c'), first).pipe(second))).toEqual(['AB', 'C', 'Z END']);
  expect(told).toEqual(['first', 'second']);
  expect(await read(pipe(words('ab', 'cd!', 'e'), first).pipe(second))).toEqual(['AB', 'CD', 'Told: failed']);
});

test('a reader who leaves a silent source leaves it at once, and the end is not told', async () => {
  const told: string[] = [];
  const silence = Promise.withResolvers<IteratorResult<string, undefined>>();
  const source: AsyncIterator<string> = {
    next: () => silence.promise,
    async return() {
      told.push('left');
      silence.resolve({ done: true, value: undefined });
      return { done: true, value: undefined };
    },
  };
  const stage = {
    ...letters,
    end: () => void told.push('end'),
    failed: () => void told.push('failed'),
    over: () => void told.push('over'),
  };
  const iterator = pipe({ [Symbol.asyncIterator]: () => source }, stage)[Symbol.asyncIterator]();
  const waiting = iterator.next();
  await iterator.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(told).toEqual(['over', 'left']);
});
