/** Responses that the provider creates in the background itself: one that is read on, over connections and workers. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunRef } from '../../../lib/core/background.ts';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import { runsHere } from '../../../lib/runtime/background-runtime.ts';
import { jsonAnswer } from '../../../sandbox/exchange.ts';
import { take, until } from '../../harness/responses/background-gateway.ts';
import {
  brokenAfter,
  hasty,
  heldAfter,
  model,
  unstored,
  useUpstreamBackground,
} from '../../harness/responses/upstream-background.ts';

const upstream = useUpstreamBackground();
const body = { model, input: 'Say one two three four five six seven eight.', background: true };
const asIs = () => undefined;

/** What the provider was asked, without what a slow machine asks again: the rest of a stream that was cut, and what was used by then. */
const asked = () => upstream.asked().filter((one) => !/ after$|^GET \/responses\/ID$/.test(one));

/** What its log says, without what differs from one response to another. */
async function streamOf({ id }: RunRef): Promise<string> {
  const events = await take(await upstream.client().responses.retrieve(id, { stream: true }));
  const text = events.map((event) => JSON.stringify(event)).join('\n');
  return text
    .replaceAll(id.slice('resp_'.length), 'ID')
    .replaceAll(/"(created_at|completed_at)":\d+/g, '"$1":0');
}

async function uninterrupted(): Promise<string> {
  upstream.answer(asIs);
  const ref = await upstream.queued(body);
  await upstream.work(ref);
  return await streamOf(ref);
}

test('it is created there in the background, on record, and its copy is deleted when it is stored', async () => {
  upstream.answer(asIs);
  const { responses } = upstream.client();
  const request = { ...body, stream: true as const, extra: { debug: ['normalizations'] } };
  const events = await take(await responses.create(request));
  const last = events.at(-1);
  if (last?.type !== 'response.completed') expect.fail('It is not complete.');
  expect(last.response).toMatchObject({
    background: true,
    debug: { normalizations: [{ param: 'background', action: 'add', after: true }] },
  });
  expect((await responses.retrieve(last.response.id)).output_text).toContain('sandbox');
  expect(upstream.bodies()).toMatchObject([{ background: true, store: true, stream: true }]);
  await expect.poll(asked).toEqual(['POST /responses', 'DELETE /responses/ID']);
});

test.each([0, 1, 5])(
  'a connection that breaks after %i events is read on, and no event is lost or repeated',
  async (events) => {
    const whole = await uninterrupted();
    let broken = false;
    upstream.answer(({ path }, answer) => {
      if (broken || !path.startsWith('/responses')) return undefined;
      broken = true;
      return brokenAfter(events, answer());
    });
    const ref = await upstream.queued(body);
    await upstream.work(ref);
    expect(await streamOf(ref)).toBe(whole);
  },
);

/** A host whose time is nearly over after so many milliseconds. */
function endingIn(milliseconds: number) {
  const end = Date.now() + 20_000 + milliseconds;
  return { remainingMs: () => end - Date.now() };
}

test.each([0, 80])('a worker whose time is over after %i ms hands over to the next', async (ms) => {
  const whole = await uninterrupted();
  upstream.answer(asIs);
  const ref = await upstream.queued(body);
  await upstream.work(ref, endingIn(ms));
  await expect.poll(asked).toContain('DELETE /responses/ID');
  expect(asked()).toEqual(['POST /responses', 'GET /responses/ID stream', 'DELETE /responses/ID']);
  expect(await streamOf(ref)).toBe(whole);
});

test('a worker whose server stops hands over to one of another process', async () => {
  upstream.answer(asIs);
  const ref = await upstream.queued(body);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new GatewayError('gateway_stopping', 'The gateway stops.')), 100);
  await upstream.work(ref, { signal: stop.signal });
  expect(await upstream.runsAt(Date.now).find(ref)).toMatchObject({
    upstream: { provider: 'openai', model },
  });
  expect(await streamOf(ref)).toBe(await uninterrupted());
});

/** A run whose worker was lost a minute ago, when it had written the first part of the log. */
async function lost(written: string): Promise<RunRef> {
  upstream.answer(asIs);
  const ref = await upstream.queued(body);
  const runs = upstream.runsAt(() => Date.now() - 61_000);
  const run = await runs.begin(ref, 'a-worker');
  const { id } = await upstream.begin({ ...body, model: 'gpt-4.1', store: true, stream: true });
  await runs.noteUpstream(ref, 'a-worker', { model, provider: 'openai', region: 'global', id });
  if (run) await runs.append(run, 0, written.replaceAll('ID', ref.id.slice('resp_'.length)));
  return ref;
}

test('what a lost worker left is read on, from what it has written', async () => {
  const whole = await uninterrupted();
  const log = whole.split('\n').map((event) => `event: ${JSON.parse(event).type}\ndata: ${event}\n\n`);
  const ref = await lost(log.slice(2, 7).join(''));
  expect((await upstream.client().responses.retrieve(ref.id)).status).toBe('in_progress');
  await expect.poll(asked).toEqual(['POST /responses', 'GET /responses/ID stream', 'DELETE /responses/ID']);
  expect(await streamOf(ref)).toBe(whole);
});

test('a worker that was taken for lost leaves the response to the next one', async () => {
  const whole = await uninterrupted();
  let streams = 0;
  upstream.answer(({ method, query }, answer) => {
    streams += method === 'POST' || query.has('stream') ? 1 : 0;
    return streams === 1 ? heldAfter(12, answer()) : undefined;
  });
  const ref = await upstream.queued(body);
  const first = upstream.work(ref);
  const runs = upstream.runsAt(Date.now);
  await expect.poll(() => runs.find(ref)).toHaveProperty('upstream');
  await sleep(700);
  const run = await runs.find(ref);
  expect(run && (await runs.requeue(run))).toBe(true);
  await upstream.work(ref);
  await first;
  expect(asked()).toEqual(['POST /responses', 'GET /responses/ID stream', 'DELETE /responses/ID']);
  expect(await streamOf(ref)).toBe(whole);
});

test('a response that loses a third worker has failed', async () => {
  const ref = await lost('');
  for (const _ of [1, 2]) {
    const runs = upstream.runsAt(() => Date.now() - 61_000);
    const run = await runs.find(ref);
    expect(run && (await runs.requeue(run))).toBe(true);
    await runs.begin(ref, 'another-worker');
  }
  const { status, error } = await upstream.client().responses.retrieve(ref.id);
  expect([status, error?.message]).toEqual([
    'failed',
    "The gateway's process ended while it created this response.",
  ]);
});

/** Creates one for a user of its own, whose provider sends no more than some events. */
async function held(input: Partial<typeof body> = {}) {
  upstream.answer(({ method, path }, answer) =>
    method === 'POST' && path === '/responses' ? heldAfter(12, answer()) : undefined,
  );
  const user = randomUUID();
  const headers = { 'x-gateway-user-id': user };
  const { id } = await upstream.client().responses.create({ ...body, ...input }, { headers });
  const records = async () =>
    (await upstream.ledger.recordsOf('local')).filter((record) => record.user === user);
  return { id, records };
}

test.each(['cancel', 'delete'] as const)(
  '%s ends it at the provider within seconds, and what it has used is billed as the provider counts it',
  async (end) => {
    const { id, records } = await held();
    const usage = { input_tokens: 40, output_tokens: 30, total_tokens: 70 };
    await expect.poll(asked).toHaveLength(1);
    upstream.answer(({ path }) =>
      path.endsWith('/cancel') ? jsonAnswer({ id, status: 'cancelled', usage, output: [] }) : undefined,
    );
    await upstream.client().responses[end](id);
    await expect
      .poll(asked, { timeout: 6_000 })
      .toEqual(['POST /responses/ID/cancel', 'DELETE /responses/ID']);
    await expect.poll(records).toMatchObject([{ status: 499, cost: 40 * 1_000 + 30 * 2_000 }]);
  },
);

test('one that was cancelled too late costs what it has used', async () => {
  const { id, records } = await held();
  await expect.poll(asked).toHaveLength(1);
  await sleep(500);
  await upstream.client().responses.cancel(id);
  await expect
    .poll(upstream.asked, { timeout: 6_000 })
    .toEqual(['POST /responses', 'POST /responses/ID/cancel', 'GET /responses/ID', 'DELETE /responses/ID']);
  await expect.poll(async () => (await records())[0]?.cost).toBeGreaterThan(1_000);
});

test('a provider that hangs is read on', async () => {
  const { id } = await held({ model: hasty });
  await until(upstream.client(), id, 'completed');
  await expect
    .poll(upstream.asked)
    .toEqual(['POST /responses', 'GET /responses/ID stream after', 'DELETE /responses/ID']);
});

test('a provider that refuses it is asked as for any other response', async () => {
  const message = 'Background mode is not supported for organizations with Zero Data Retention.';
  upstream.answer(({ body: sent }) => {
    if (Reflect.get(Object(sent), 'background') !== true) return undefined;
    return jsonAnswer(
      { error: { message, type: 'invalid_request_error', param: 'background', code: null } },
      400,
    );
  });
  const request = { ...body, stream: true as const, extra: { debug: ['normalizations'] } };
  const events = await take(await upstream.client().responses.create(request));
  expect(events.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { debug: { normalizations: [{ param: 'background', action: 'strip' }] } },
  });
  expect(upstream.bodies().map((sent) => Object(sent).store)).toEqual([true, false]);
});

test('an account that keeps nothing is not asked to keep it', async () => {
  upstream.answer(asIs);
  const { id } = await upstream.client().responses.create({ ...body, model: unstored });
  await until(upstream.client(), id, 'completed');
  expect(upstream.bodies()).toMatchObject([{ store: false }]);
  expect(upstream.bodies()[0]).not.toHaveProperty('background');
});

test('a response that is gone at the provider has failed, and is not created again', async () => {
  const ref = await lost('');
  upstream.answer(({ method }) =>
    method === 'GET' ? jsonAnswer({ error: { message: 'Gone.' } }, 404) : undefined,
  );
  await until(upstream.client(), ref.id, 'failed');
  expect(asked()).not.toContain('POST /responses');
});

test.each(['cancel', 'delete'] as const)('%s between two workers ends it at the provider', async (end) => {
  const ref = await lost('');
  const runs = upstream.runsAt(Date.now);
  const run = await runs.find(ref);
  expect(run && (await runs.requeue(run))).toBe(true);
  await upstream.client().responses[end](ref.id);
  // The worker that sends the event finds it, too: both may be asked twice.
  const ended = () => asked().slice(asked().indexOf('POST /responses/ID/cancel'));
  await expect.poll(ended).toContain('DELETE /responses/ID');
});

test('the next worker ends at the provider what was cancelled before it, by one that can start none', async () => {
  const ref = await lost('');
  const runs = upstream.runsAt(Date.now);
  const run = await runs.find(ref);
  expect(run && (await runs.requeue(run))).toBe(true);
  const queued = await runs.find(ref);
  expect(queued && (await runs.cancel(queued))).toBe(true);
  await upstream.work(ref);
  expect(asked()).toEqual(['POST /responses', 'POST /responses/ID/cancel', 'DELETE /responses/ID']);
});

test('what a worker may not read on is ended at the provider', async () => {
  upstream.answer(asIs);
  const ref = await upstream.queued(body, { keyHash: 'of-no-key' });
  const runs = upstream.runsAt(() => Date.now() - 61_000);
  await runs.begin(ref, 'a-worker');
  const { id } = await upstream.begin({ ...body, model: 'gpt-4.1', store: true, stream: true });
  await runs.noteUpstream(ref, 'a-worker', { model, provider: 'openai', region: 'global', id });
  await until(upstream.client(), ref.id, 'failed');
  await expect.poll(asked).toEqual(['POST /responses', 'POST /responses/ID/cancel', 'DELETE /responses/ID']);
});

// The last one: the gateway starts no worker after it.
test('a response of two workers is one record, under the id of its request', async () => {
  upstream.answer(({ method, path }, answer) =>
    method === 'POST' && path === '/responses' ? heldAfter(12, answer()) : undefined,
  );
  const headers = { 'x-gateway-user-id': randomUUID() };
  const created = await upstream.client().responses.create(body, { headers });
  const ref = { tenant: 'local', id: created.id };
  const runs = upstream.runsAt(Date.now);
  await expect.poll(() => runs.find(ref)).toHaveProperty('upstream');
  runsHere(upstream.gateway.variables).stop(new GatewayError('gateway_stopping', 'The gateway stops.'));
  await expect.poll(() => runs.find(ref)).toMatchObject({ status: 'queued' });
  const records = async () =>
    (await upstream.ledger.recordsOf('local')).filter(({ user }) => user === headers['x-gateway-user-id']);
  await upstream.work(ref);
  const { usage } = await upstream.client().responses.retrieve(ref.id);
  const cost = (usage?.input_tokens ?? 0) * 1_000 + (usage?.output_tokens ?? 0) * 2_000;
  expect(await records()).toMatchObject([{ requestId: created._request_id, status: 200, cost }]);
  expect(cost).toBeGreaterThan(0);
});
