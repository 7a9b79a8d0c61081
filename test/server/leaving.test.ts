/** A caller who leaves: the provider is read on for its counts, not for long, no other is called, and the ledger has what was generated. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { breakOff, type Fault, neverAnswer, words as spoken } from '../faults/failing-provider.ts';
import { startFailingGateway } from '../faults/gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';

/** The model of each test is its own, so that its calls are. */
const names = Array.from({ length: 60 }, (_, index) => index);
/** Of models that go on when the caller has left. */
const left = names.map(() => Promise.withResolvers<void>());
const goOn =
  (index: number): Fault =>
  async (response, attempt, call) => {
    await breakOff(20, 'silence')(response, attempt, call);
    await left[index]?.promise;
    // The gateway is in this process, and sees by then who has left.
    await pause(200);
    call.speech.say(response, spoken.slice(20), ' ');
    // What was hidden is in the count.
    call.speech.finish(response, hiddenToo, true);
  };
const hiddenToo = 20_000;
const faults: Readonly<Record<string, Fault>> = Object.fromEntries(
  names.flatMap((index) => [
    [`silent-${index}`, neverAnswer],
    [`talking-${index}`, breakOff(20, 'silence')],
    [`late-${index}`, goOn(index)],
  ]),
);
let used = 0;

/** How long the tests wait for each call that is not finished. */
const readOnMs = 2_000;

const setup = use(() => startFailingGateway(faults, ['other'], { GATEWAY_READ_ON_MS: `${readOnMs}` }));
const ledger = use(() => openLedger());

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

/** Tests that run at a time have no `expect.poll`. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(10);
}

async function recordOf(model: string) {
  const own = async () => (await all()).filter(({ model: id }) => id === `hosted/${model}`);
  await until(async () => (await own()).length > 0);
  const [record, ...others] = await own();
  expect(others).toEqual([]);
  return record;
}
const all = () => ledger.recordsOf('local');

/** Asks, waits for the call (and a piece of an answer), and leaves. Returns whether the provider could finish. */
async function leave(path: string, body: object, model: string, way: (socket: Socket) => void) {
  const socket = await open();
  let seen = '';
  socket.on('data', (data) => {
    seen += data;
  });
  socket.write(write(path, { ...body, model: `hosted/${model}` }));
  await until(() => callsOf(model).length === 1);
  // What is not streamed shows nothing before its end.
  if ('stream' in body && body.stream && !model.startsWith('silent'))
    await until(() => seen.includes('word-3'));
  const gone = once(socket, 'close');
  way(socket);
  const [, index] = model.split('-');
  left[Number(index)]?.resolve();
  const isFinished = await callsOf(model)[0]?.over;
  socket.destroy();
  await gone;
  return isFinished;
}

const ways: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes its connection': (socket) => void socket.destroy(),
  'resets its connection': (socket) => void socket.resetAndDestroy(),
  'half-closes its connection': (socket) => void socket.end(),
};

describe.concurrent.each(Object.entries(operations))('%s', (path, body) => {
  test.each([true, false])('before the first event (streamed: %s)', async (stream) => {
    const model = `silent-${used++}`;
    expect(await leave(path, { ...body, stream }, model, (socket) => void socket.destroy())).toBe(false);
    expect(await recordOf(model)).toMatchObject({ status: 499 });
    expect(callsOf(model)).toHaveLength(1);
  });

  test.each(Object.entries(ways))('in the middle of a stream: who %s', async (_, way) => {
    const model = `talking-${used++}`;
    expect(await leave(path, { ...body, stream: true }, model, way)).toBe(false);
    const record = await recordOf(model);
    expect(record).toMatchObject({ status: 499, streamed: true });
    const [attempt] = record?.attempts ?? [];
    expect(attempt?.usage?.completionTokens).toBeGreaterThan(5);
    expect(attempt?.estimated).toBe(true);
    expect(record?.cost).toBeGreaterThan(0);
  });

  test.each([true, false])('before the counts, which are read (streamed: %s)', async (stream) => {
    const model = `late-${used++}`;
    const given = { ...body, stream };
    expect(await leave(path, given, model, (socket) => void socket.destroy())).toBe(true);
    const { status, attempts } = (await recordOf(model)) ?? {};
    expect([status, attempts?.[0]?.usage?.completionTokens]).toEqual([499, hiddenToo]);
    expect(attempts?.[0]).not.toHaveProperty('estimated');
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
  socket.destroy();
  expect(await Promise.all(models.map((model) => callsOf(model)[0]?.over))).toEqual([false, false, false]);
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
