/** Values read lately: when a read is saved, and what serves while reads fail. */
import { describe, expect, test } from 'vitest';
import { createCachedReader } from '../../lib/stores/cached-reader.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

describe('values read lately', () => {
  test('a read that hangs holds up a known value for a second at most', async () => {
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

  test('no more keys are remembered than there is room for', async () => {
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
