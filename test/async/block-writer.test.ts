/** The log of a stream while its database fails. */
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { createBlockWriter } from '../../lib/async/block-writer.ts';

/** A log whose first so many writes fail, and what was to be written. */
function failing(times: number) {
  const tried: (readonly [n: number, text: string])[] = [];
  const append = async (n: number, text: string) => {
    tried.push([n, text]);
    if (tried.length <= times) throw new Error('The database failed.');
    return n + 1;
  };
  const log = createBlockWriter(append);
  const ended = finished(log);
  ended.catch(() => {});
  return { log, tried, ended };
}

test('a block that could not be written is tried again, unchanged, before what came later', async () => {
  const { log, tried, ended } = failing(1);
  log.write('one');
  await expect.poll(() => tried.length).toBe(1);
  log.write('two');
  await expect.poll(() => tried.length, { timeout: 5_000 }).toBe(3);
  log.end('three');
  await ended;
  expect(tried).toEqual([
    [0, 'one'],
    [0, 'one'],
    [1, 'two'],
    [2, 'three'],
  ]);
});

test('a log whose end, or too much, cannot be written fails', async () => {
  const ending = failing(Number.POSITIVE_INFINITY);
  ending.log.end('one');
  await expect(ending.ended).rejects.toThrow('The database failed.');
  const large = failing(Number.POSITIVE_INFINITY);
  large.log.write('x'.repeat(1024 * 1024 + 1));
  await expect(large.ended).rejects.toThrow('The database failed.');
});
