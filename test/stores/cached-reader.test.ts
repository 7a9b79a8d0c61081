/** The cached reader: when it skips a read, and what it serves while reads fail. */
import { describe, expect, test } from 'vitest';
import { createCachedReader } from '../../lib/stores/cached-reader.ts';
import { createLru } from '../../lib/stores/lru.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

describe('cached reader', () => {
  test('a hanging read delays a cached value by at most one second', async () => {
    let time = 0;
    let hangs = false;
    const read = createCachedReader<string>({
      load: () => (hangs ? new Promise(() => {}) : Promise.resolve('known')),
      now: () => time,
      freshMs: 100,
      graceMs: 60_000,
      size: 10,
    });
    expect(await read('key')).toBe('known');
    hangs = true;
    time = 1_000;
    const first = startStopwatch();
    expect(await read('key')).toBe('known');
    expect(first.waitedMs()).toBeLessThan(2_000);
    // And the next one does not wait at all.
    const second = startStopwatch();
    expect(await read('key')).toBe('known');
    expect(second.waitedMs()).toBeLessThan(500);
  });

  test('keys without a value displace none that have one, and are few', async () => {
    const reads: string[] = [];
    const read = createCachedReader<string>({
      load: async (key) => {
        reads.push(key);
        return key === 'known' ? 'value' : undefined;
      },
      now: () => 0,
      freshMs: 100,
      graceMs: 100,
      size: 2,
      missingSize: 2,
    });
    for (const key of ['known', 'a', 'b', 'c', 'c', 'known', 'a']) await read(key);
    expect(reads).toEqual(['known', 'a', 'b', 'c', 'a']);
  });

  test('a read that was slow does not replace the value of a later one', async () => {
    let time = 0;
    const answers: PromiseWithResolvers<string>[] = [];
    const read = createCachedReader<string>({
      load: () => {
        const answer = Promise.withResolvers<string>();
        answers.push(answer);
        return answer.promise;
      },
      now: () => time,
      freshMs: 100,
      graceMs: 60_000,
      size: 10,
    });
    const first = read('key');
    answers[0]?.resolve('first');
    expect(await first).toBe('first');
    time = 1_000;
    // The second read hangs, so that the first value is used.
    expect(await read('key')).toBe('first');
    time = 10_000;
    const third = read('key');
    answers[2]?.resolve('third');
    expect(await third).toBe('third');
    answers[1]?.resolve('second');
    await answers[1]?.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(await read('key')).toBe('third');
    expect(answers).toHaveLength(3);
  });

  test('no more keys than the limit are cached', async () => {
    const loads: string[] = [];
    const read = createCachedReader<string>({
      load: async (key) => {
        loads.push(key);
        return key;
      },
      now: () => 0,
      freshMs: 1_000,
      graceMs: 1_000,
      size: 2,
    });
    for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await read(key);
    expect(loads).toEqual(['a', 'b', 'c', 'a']);
  });
});

/** The map of bounded size behind the caches. */
const filled = () => {
  const lru = createLru<number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  return lru;
};

test('the entry set first is evicted', () => {
  const lru = filled();
  lru.set('c', 3);
  expect(['a', 'b', 'c'].map(lru.get)).toEqual([undefined, 2, 3]);
});

test('an entry that was read or set again stays', () => {
  const read = filled();
  read.get('a');
  read.set('c', 3);
  expect(['a', 'b', 'c'].map(read.get)).toEqual([1, undefined, 3]);
  const changed = filled();
  changed.set('a', 4);
  changed.set('c', 3);
  expect(['a', 'b', 'c'].map(changed.get)).toEqual([4, undefined, 3]);
});

test('a deleted entry is gone and frees its space', () => {
  const lru = filled();
  lru.delete('b');
  lru.set('c', 3);
  expect(['a', 'b', 'c'].map(lru.get)).toEqual([1, undefined, 3]);
});
