/** A caller who leaves: the provider's call ends within a second, no other is made, and what was generated is on the ledger. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breakOff, type Fault, neverAnswer } from '../faults/failing-provider.ts';
import { type FailingGateway, startFailingGateway } from '../faults/gateway.ts';
import { type Ledger, openLedger } from '../harness/ledger.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

/** The model of each test is its own, so that its calls are. */
const names = Array.from({ length: 60 }, (_, index) => index);
const faults: Readonly<Record<string, Fault>> = Object.fromEntries(
  names.flatMap((index) => [
    [`silent-${index}`, neverAnswer],
    [`talking-${index}`, breakOff(20, 'silence')],
  ]),
);
let used = 0;

let setup: FailingGateway;
let ledger: Ledger;
beforeAll(async () => {
  setup = await startFailingGateway(faults, ['other']);
  ledger = openLedger();
});
afterAll(async () => {
  await ledger?.close();
  await setup?.close();
});

const words = 'Say the words.';
const messages = [{ role: 'user', content: words }];
const operations = {
  '/v1/chat/completions': { messages },
  '/v1/completions': { prompt: words },
  '/v1/responses': { input: words, store: false },
  '/v1/messages': { messages, max_tokens: 100 },
};

const callsOf = (model: string) => setup.provider.calls.filter((call) => call.model === model);

function write(path: string, body: object): string {
  const text = JSON.stringify(body);
  return [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${setup.gateway.apiKey}`,
    'content-type: application/json',
    `content-length: ${text.length}`,
    '',
    text,
  ].join('\r\n');
}

async function open(): Promise<Socket> {
  const socket = connect({ port: Number(new URL(setup.gateway.url).port), host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function recordOf(model: string) {
  await expect
    .poll(async () => (await all()).filter(({ model: id }) => id === `hosted/${model}`), { timeout: 5_000 })
    .toHaveLength(1);
  return (await all()).find(({ model: id }) => id === `hosted/${model}`);
}
const all = () => ledger.recordsOf('local');

/** Asks, waits for the call (and a piece of a talking model), and leaves. */
async function leave(path: string, body: object, model: string, way: (socket: Socket) => void) {
  const socket = await open();
  let seen = '';
  socket.on('data', (data) => {
    seen += data;
  });
  socket.write(write(path, { ...body, model: `hosted/${model}` }));
  await expect.poll(() => callsOf(model).length, { timeout: 10_000 }).toBe(1);
  if (model.startsWith('talking')) await expect.poll(() => seen, { timeout: 10_000 }).toContain('word-3');
  const watch = startStopwatch();
  way(socket);
  expect(await callsOf(model)[0]?.over).toBe(false);
  expect(watch.waitedMs()).toBeLessThan(1_000);
  socket.destroy();
}

const ways: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes its connection': (socket) => void socket.destroy(),
  'resets its connection': (socket) => void socket.resetAndDestroy(),
  'half-closes its connection': (socket) => void socket.end(),
};

describe.each(Object.entries(operations))('%s', (path, body) => {
  test.each([true, false])('before the first event (streamed: %s)', async (stream) => {
    const model = `silent-${used++}`;
    await leave(path, { ...body, stream }, model, (socket) => void socket.destroy());
    expect(await recordOf(model)).toMatchObject({ status: 499 });
    expect(callsOf(model)).toHaveLength(1);
  });

  test.each(Object.entries(ways))('in the middle of a stream: who %s', async (_, way) => {
    const model = `talking-${used++}`;
    await leave(path, { ...body, stream: true }, model, way);
    const record = await recordOf(model);
    expect(record).toMatchObject({ status: 499, streamed: true });
    const [attempt] = record?.attempts ?? [];
    expect(attempt?.usage?.completionTokens).toBeGreaterThan(5);
    expect(record?.cost).toBeGreaterThan(0);
  });
});

test('all requests of a connection end with it, also those that wait for the answer to an earlier one', async () => {
  const models = [`talking-${used++}`, `silent-${used++}`, `talking-${used++}`];
  const socket = await open();
  socket.resume();
  for (const model of models)
    socket.write(write('/v1/chat/completions', { messages, stream: true, model: `hosted/${model}` }));
  await expect
    .poll(() => models.map((model) => callsOf(model).length), { timeout: 10_000 })
    .toEqual([1, 1, 1]);
  await pause(100);
  const watch = startStopwatch();
  socket.destroy();
  expect(await Promise.all(models.map((model) => callsOf(model)[0]?.over))).toEqual([false, false, false]);
  expect(watch.waitedMs()).toBeLessThan(1_000);
  for (const model of models) expect(await recordOf(model)).toMatchObject({ status: 499 });
});

test('who leaves a request with fallbacks gets none of them', async () => {
  const model = `silent-${used++}`;
  await leave(
    '/v1/responses',
    { input: words, store: false, extra: { fallbacks: ['hosted/other'] } },
    model,
    (socket) => void socket.destroy(),
  );
  await pause(300);
  expect([callsOf(model).length, callsOf('other').length]).toEqual([1, 0]);
});
