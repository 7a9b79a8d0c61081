/** A transformed stream: its output when the source ends, fails, or is not read to its end. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachItem, type Piped, pipe, type Transform } from '../../lib/async/pipe.ts';

const letters: Transform<Iterable<string>, string> = { each: (word, out) => void out.push(...word) };

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

test('transforms of single items pass them in order, also what came before an error', async () => {
  const spelled: Transform<string, string> = {
    each(word, out) {
      out.push(...word.replace('!', ''));
      if (word.endsWith('!')) throw new Error('failed');
    },
    failed: () => 'failed',
  };
  const seen: string[] = [];
  const noted = eachItem((letter: string) => {
    seen.push(letter);
    return letter;
  });
  const renamed = eachItem((letter: string) => (letter === 'b' ? 'x' : letter));
  const joined: Transform<readonly string[], string> = { each: (list, out) => void out.push(list.join('')) };
  const piped = pipe(words('abc', 'cc', 'ab!'), spelled)
    .pipe(noted)
    .pipe(renamed)
    .pipe(joined);
  expect(await read(piped)).toEqual(['axc', 'cc', 'ax', 'failed']);
  const after = pipe(pipe(words('abc', 'ab!'), spelled), noted)
    .pipe(renamed)
    .pipe(joined);
  expect(await read(after)).toEqual(['axc', 'ax', 'failed']);
  expect(seen.join('')).toBe('abcccababcab');
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

test('a reader that stops while a transform ends waits for that', async () => {
  const begun = Promise.withResolvers<void>();
  let isStored = false;
  const transform = {
    ...letters,
    async end() {
      begun.resolve();
      await setImmediate();
      isStored = true;
    },
  };
  const iterator = pipe(words(), transform)[Symbol.asyncIterator]();
  const waiting = iterator.next();
  await begun.promise;
  await iterator.return?.();
  expect(isStored).toBe(true);
  expect(await waiting).toEqual({ done: true, value: undefined });
});

/** What a stream and its layers do, in order. */
function layersOf(calls: string[], failing?: { at: string; name: string }) {
  const layer = (name: string): Transform<readonly string[], string> => ({
    each(list, out) {
      for (const item of list) {
        if (failing?.at === `${name}.each` && item.startsWith('b')) throw new Error(failing.name);
        out.push(item + name);
      }
    },
    end(out) {
      calls.push(`${name}.end`);
      if (failing?.at === `${name}.end`) throw new Error(failing.name);
      out.push(name);
    },
    failed(thrown) {
      calls.push(`${name}.failed`);
      return new Error(`${name}(${thrown instanceof Error ? thrown.message : thrown})`);
    },
    closed: () => void calls.push(`${name}.closed`),
  });
  return [layer('1'), layer('2'), layer('3')] as const;
}

/** Each layer reads the one before it as a source of its own. */
const apart = (lists: AsyncIterable<readonly string[]>) => ({
  async *[Symbol.asyncIterator]() {
    yield* { [Symbol.asyncIterator]: () => lists[Symbol.asyncIterator]() };
  },
});

test.each(['', '1.each', '2.each', '3.each', '1.end', '2.end', '3.end', 'source'])(
  'layers act as if each read the one before it (failing: %s)',
  async (at) => {
    const source = () =>
      pipe(words('a', 'b', ...(at === 'source' ? [new Error('broken')] : []), 'c'), letters);
    const [calls, expected]: [string[], string[]] = [[], []];
    const [one, two, three] = layersOf(calls, { at, name: 'failed' });
    const [first, second, third] = layersOf(expected, { at, name: 'failed' });
    const seen = await read(pipe(pipe(pipe(source(), one), two), three));
    const reference = await read(pipe(apart(pipe(apart(pipe(apart(source()), first)), second)), third));
    expect(seen.join(' ')).toBe(reference.join(' '));
    // What is left because of a later failure is closed at once, or with the rest.
    expect(calls.toSorted()).toEqual(expected.toSorted());
    expect(calls.filter((call) => !call.endsWith('closed'))).toEqual(
      expected.filter((call) => !call.endsWith('closed')),
    );
  },
);

test('what was put back is read again, also by what is piped then, and also after the end or a failure', async () => {
  for (const all of [['a', 'b'], ['a'], ['a', new Error('broken')]] as const) {
    const lists = pipe(words(...all), { ...letters, end: (out) => void out.push('end') });
    const reader = lists[Symbol.asyncIterator]();
    const head = [await reader.next(), ...(all.length === 1 ? [await reader.next()] : [])];
    lists.putBack(head.flatMap(({ value }) => (value === undefined ? [] : [value])));
    const calls: string[] = [];
    const [layer] = layersOf(calls);
    const rest =
      all[1] instanceof Error ? ['1(broken)'] : [...all.slice(1).map((word) => `${word}1`), 'end1', '1'];
    expect(await read(pipe(lists, layer))).toEqual(['a1', ...rest]);
    expect(calls.at(-1)).toBe('1.closed');
    expect(await read(lists)).toEqual([]);
  }
});

test.each([
  ['directly', (lists: Piped<string>) => lists],
  ['by one piped to it', (lists: Piped<string>) => pipe(lists, letters)],
  ['by one that becomes a part of the last', (lists: Piped<string>) => lists.pipe(letters)],
])('what was put back at the end is read %s', async (_, of) => {
  const lists = pipe(words('a'), { each: () => {}, end: (out: string[]) => void out.push('late') });
  const { value } = await lists[Symbol.asyncIterator]().next();
  lists.putBack([value ?? []]);
  expect(await read(of(lists))).toEqual(['late']);
});

test('what has come already passes together with the first', async () => {
  const waiting = ['a', 'b', 'c', 'd'];
  const source = {
    next: async () => {
      const value = waiting.shift();
      return value === undefined ? { done: true as const, value } : { done: false as const, value };
    },
    // Others have their turn after each second one.
    ready: () => (waiting.length % 2 === 0 ? undefined : waiting.shift()),
  };
  expect(await read(pipe({ [Symbol.asyncIterator]: () => source }, letters))).toEqual(['a b', 'c d']);
});
