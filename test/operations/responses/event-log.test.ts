/** The log of a background response while its database fails. */
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import type { Run } from '../../../lib/core/background.ts';
import { createEventLog } from '../../../lib/operations/responses/background/event-log.ts';

const run: Run = {
  tenant: 'acme',
  id: 'resp_1',
  status: 'in_progress',
  aliveAt: 0,
  starts: 1,
  keyHash: 'a-hash',
  headers: {},
  streamed: true,
  request: { owner: '', name: '', key: '', pieces: 0, bytes: 0, expiresAt: 0 },
  begun: { owner: '', name: '', key: '', pieces: 0, bytes: 0, expiresAt: 0 },
  logKey: '',
  expiresAt: 0,
};

/** A log whose first so many writes fail, and what was to be written. */
function failing(times: number) {
  const tried: (readonly [n: number, text: string])[] = [];
  const append = async (_run: Run, n: number, text: string) => {
    tried.push([n, text]);
    if (tried.length <= times) throw new Error('The database failed.');
    return n + 1;
  };
  const log = createEventLog({ append }, run);
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
