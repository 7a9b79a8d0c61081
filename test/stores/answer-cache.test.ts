/** The table of cached answers: who can read them, and what happens where they are changed, late or too large. */
import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { CachedAnswer } from '../../lib/core/ports/answer-cache.ts';
import { createAnswerCache } from '../../lib/stores/answer-cache.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { brokenDatabase, useTestDatabase } from './database.ts';

const database = useTestDatabase('state');
const secret = randomBytes(32);
const start = Date.UTC(2026, 10, 20);
let time: number;
let warnings: unknown[];

beforeEach(() => {
  time = start;
  warnings = [];
});

const openCache = ({ key = secret, timeoutMs = 5_000, call = database.call } = {}) =>
  createAnswerCache({
    call,
    table: 'state',
    secret: async () => key,
    now: () => time,
    warn: (cause) => warnings.push(cause),
    timeoutMs,
  });

const answer = (text = 'Paris, the capital'): CachedAnswer => ({
  requestId: 'req_1',
  storedAt: start,
  expiresAt: start + 60_000,
  answer: { text },
});

const placeOf = async (material: string, cache = openCache()) => await cache.place(material);

test('an answer is found by another process with the same secret and request, until it expires', async () => {
  await (await placeOf('a')).put(answer());
  expect(await (await placeOf('a')).find()).toEqual(answer());
  expect(await (await placeOf('b')).find()).toBe('none');
  expect(await (await placeOf('a', openCache({ key: randomBytes(32) }))).find()).toBe('none');
  time += 60_000;
  expect(await (await placeOf('a')).find()).toBe('none');
});

test('the table shows neither the request nor the answer, nor a hash of the request', async () => {
  await (await placeOf('a question of Ada')).put(answer());
  const items = await openTable({ call: database.call, table: 'state' }).scan('cached#');
  const shown = items.map((item) => Buffer.from(JSON.stringify(item)).toString('latin1')).join();
  const data = items.map(({ data }) => Buffer.from(data as Uint8Array).toString('latin1')).join();
  for (const text of ['Ada', 'Paris', createHash('sha256').update('a question of Ada').digest('hex')]) {
    expect(shown.includes(text)).toBe(false);
    expect(data.includes(text)).toBe(false);
  }
});

test('an item that was changed, cut, or put in the place of another is no answer', async () => {
  const table = openTable({ call: database.call, table: 'state' });
  const known = await table.scanKeys('cached#');
  await (await placeOf('first')).put(answer());
  const [key = ''] = (await table.scanKeys('cached#')).filter((one) => !known.includes(one));
  const { data } = (await table.get(key)) ?? {};
  if (!(data instanceof Uint8Array)) throw new Error('The item has no bytes.');
  await (await placeOf('second')).put(answer('Rome'));
  const [other = ''] = (await table.scanKeys('cached#')).filter((one) => ![...known, key].includes(one));
  const flipped = Buffer.from(data);
  flipped.writeUInt8((data.at(-1) ?? 0) ^ 1, data.length - 1);
  for (const changed of [
    flipped,
    data.subarray(0, 20),
    Buffer.alloc(0),
    'text',
    (await table.get(other))?.data,
  ]) {
    await table.put(key, { data: changed });
    expect(await (await placeOf('first')).find()).toBe('none');
  }
  await table.put(key, { data });
  expect(await (await placeOf('first')).find()).toEqual(answer());
  expect(warnings).toEqual([]);
});

test('an answer above 64 KB as it is stored is not kept', async () => {
  const place = await placeOf('large');
  expect(await place.put(answer(randomBytes(40_000).toString('hex')))).toBe(true);
  expect(await place.put(answer(randomBytes(70_000).toString('hex')))).toBe(false);
  expect(await place.put(answer('a'.repeat(5_000_000)))).toBe(false);
});

test('a table that is late or broken is passed by', async () => {
  const never = openCache({ timeoutMs: 20, call: () => new Promise<never>(() => {}) });
  expect(await (await placeOf('a', never)).find()).toBe('timeout');
  expect(await (await placeOf('a', never)).put(answer())).toBe(false);
  const broken = openCache({ call: brokenDatabase });
  expect(await (await placeOf('a', broken)).find()).toBe('unavailable');
  expect(warnings).toHaveLength(1);
});

test('requests that come while an equal one runs get what it gets, and of one that gets nothing each its own', async () => {
  const cache = openCache();
  const [first, second, other] = await Promise.all([
    placeOf('a', cache),
    placeOf('a', cache),
    placeOf('b', cache),
  ]);
  expect(first.follow()).toBeUndefined();
  const followed = second.follow();
  expect(other.follow()).toBeUndefined();
  const stored = Promise.withResolvers<void>();
  first.land(answer(), stored.promise);
  expect(await followed).toEqual(answer());
  // One that has just not found the answer in the table.
  expect(await (await placeOf('a', cache)).follow()).toEqual(answer());
  stored.resolve();
  await stored.promise;
  expect(second.follow()).toBeUndefined();
  const third = await placeOf('a', cache);
  const failed = third.follow();
  second.land(undefined);
  expect(await failed).toBeUndefined();
});
