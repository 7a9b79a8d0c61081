/** Answers that are kept under the key that their caller chose. */
import { expect, test } from 'vitest';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import type { FirstClaim } from '../../lib/core/ports/kept-answers.ts';
import { createClaimAnswer } from '../../lib/stores/kept-answers.ts';
import { useTestDatabase } from './database.ts';

const { call } = useTestDatabase('state');

let time = Date.now();
const claimedOver = (over: AwsCall, name: string, { tenant = 'acme', body = 'a body' } = {}) =>
  createClaimAnswer({ call: over, table: 'state', now: () => time })({ tenant, name, body }, 60_000);

/** With the answer in it, where it is kept. */
async function claimed(name: string, sent?: { tenant?: string; body?: string }) {
  const claim = await claimedOver(call, name, sent);
  return claim.state === 'kept' ? { state: 'kept', answer: await claim.read() } : claim;
}

async function first(name: string): Promise<FirstClaim> {
  const claim = await claimedOver(call, name);
  if (claim.state !== 'first') throw new Error(claim.state);
  return claim;
}

const answer = { headers: { 'content-type': 'text/plain' }, text: 'grüße' };

test('the first has it, others wait until it is kept', async () => {
  const claim = await first('one');
  expect(await claimed('one')).toEqual({ state: 'running' });
  expect(await claimed('one', { body: 'another' })).toEqual({ state: 'reused' });
  expect(await claim.keep(answer)).toBe(true);
  expect(await claimed('one')).toEqual({ state: 'kept', answer });
  expect(await claimed('one', { body: 'another' })).toEqual({ state: 'reused' });
  expect((await claimed('one', { tenant: 'other' })).state).toBe('first');
});

test('one that is released is free, also for another body', async () => {
  await (await first('two')).release();
  expect((await claimed('two', { body: 'another' })).state).toBe('first');
});

test('a kept answer stays kept, also if the write was not confirmed to its request', async () => {
  const claim = await first('kept');
  await claim.keep(answer);
  await claim.release();
  expect(await claimed('kept')).toEqual({ state: 'kept', answer });
});

test('one whose process has ended is free once it cannot run any more, and then no longer its own', async () => {
  const lost = await first('three');
  time += 89_000;
  expect(await claimed('three')).toEqual({ state: 'running' });
  time += 2_000;
  const next = await first('three');
  await lost.keep({ ...answer, text: 'late' });
  await lost.release();
  expect(await claimed('three')).toEqual({ state: 'running' });
  await next.keep(answer);
  expect(await claimed('three')).toEqual({ state: 'kept', answer });
});

test('it is kept for a day', async () => {
  await (await first('four')).keep(answer);
  time += 23 * 3_600_000;
  expect((await claimed('four')).state).toBe('kept');
  time += 2 * 3_600_000;
  expect((await claimed('four')).state).toBe('first');
});

test('an answer above 8 MB is not kept, and its key is used up', async () => {
  const claim = await first('five');
  expect(await claim.keep({ ...answer, text: 'x'.repeat(8 * 2 ** 20) })).toBe(false);
  expect(await claimed('five')).toEqual({ state: 'used up' });
  expect(await (await first('large')).keep(undefined)).toBe(false);
  expect(await claimed('large')).toEqual({ state: 'used up' });
});

/** Each write is done, but its answer is lost, and it is repeated. */
const repeating: AwsCall = async (action, ...rest) => {
  if (action.endsWith('.PutItem')) await call(action, ...rest).catch(() => {});
  return await call(action, ...rest);
};

test('one whose write is repeated, because its answer was lost, is still the first', async () => {
  const claim = await claimedOver(repeating, 'six');
  expect(claim.state).toBe('first');
  if (claim.state === 'first') await claim.keep(answer);
  expect(await claimed('six')).toEqual({ state: 'kept', answer });
});

test('the size of an answer is known before it is read', async () => {
  await (await first('seven')).keep(answer);
  const claim = await claimedOver(call, 'seven');
  expect(claim).toMatchObject({ state: 'kept', bytes: Buffer.byteLength(JSON.stringify(answer)) });
});

test('the pieces of an answer are encrypted', async () => {
  await (await first('secret')).keep({ headers: {}, text: 'a secret answer' });
  const { Items } = await call('DynamoDB_20120810.Scan', { TableName: 'state' });
  const pieces = (Items as { readonly data?: { readonly B: string } }[]).flatMap(({ data }) => data?.B ?? []);
  expect(pieces.length).toBeGreaterThan(0);
  expect(pieces.filter((piece) => Buffer.from(piece, 'base64').includes('secret'))).toEqual([]);
});
