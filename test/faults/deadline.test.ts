/** A request that exceeds its total time limit: the caller gets an error, and no further target is called. */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationNamed } from '../../lib/core/operations.ts';
import { functionsOf } from '../../server/functions.ts';
import { type GatewayServer, startServer } from '../../server/http/server.ts';
import { loadInProcessEngine } from '../../server/in-process.ts';
import { readChatStream } from '../harness/chat-stream.ts';
import { gatewayEnvironment } from '../harness/gateways/environment.ts';
import { type Ledger, openLedger, summaryOf } from '../harness/ledger.ts';
import { readMessagesStream } from '../harness/messages.ts';
import { postJson } from '../harness/post.ts';
import { readResponseStream } from '../harness/responses/response-stream.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { use } from '../harness/use.ts';
import { breakOff, type Fault, neverAnswer, refuse } from './failing-provider.ts';
import { startFailingGateway } from './gateway.ts';

const faults: Readonly<Record<string, Fault>> = {
  silent: neverAnswer,
  talking: breakOff(20, 'silence'),
  busy: refuse(429, 'rate_limit_exceeded', { 'retry-after': '4' }),
};

let server: GatewayServer;
let ledger: Ledger;

const setup = use(() => startFailingGateway(faults, ['other']));
beforeAll(async () => {
  // Three of the six seconds are reserved for finishing the answer.
  const operations = (['chat-completions', 'responses', 'messages'] as const).map((name) => ({
    ...operationNamed(name),
    timeoutSeconds: 6,
  }));
  const invoke = await loadInProcessEngine(operations, functionsOf(gatewayEnvironment()));
  server = await startServer({ operations, invoke, port: 0 });
  ledger = openLedger();
});
afterAll(async () => {
  await ledger?.close();
  await server?.close();
});

const callsOf = (model: string) => setup.provider.calls.filter((call) => call.model === model);

async function post(path: string, body: object): Promise<{ response: Response; text: string }> {
  const response = await postJson(`${server.url}${path}`, setup.gateway.apiKey, { ...body, stream: true });
  return { response, text: await response.text() };
}

const messages = [{ role: 'user', content: 'Say the words.' }];
const ask = (model: string, extra: object = {}) =>
  post('/v1/chat/completions', { model: `faults/${model}`, messages, extra });

test('before the first event it is a 408', async () => {
  const watch = startStopwatch();
  const { response, text } = await ask('silent', { fallbacks: ['faults/other'] });
  expect(watch.waitedMs()).toBeLessThan(4_000);
  const error = { type: 'request_timeout_error', code: 'deadline_exceeded' };
  expect([response.status, JSON.parse(text)]).toMatchObject([408, { error }]);
  expect(await callsOf('silent')[0]?.over).toBe(false);
  await pause(200);
  expect([callsOf('silent').length, callsOf('other').length]).toEqual([1, 0]);
});

test('after the first event it is an error in the stream', async () => {
  const { response, text } = await ask('talking', { fallbacks: ['faults/other'] });
  expect([response.status, readChatStream(text).error?.type]).toEqual([200, 'request_timeout_error']);
  expect(callsOf('other')).toHaveLength(0);
});

test('after a response has started, the response fails', async () => {
  const { response, text } = await post('/v1/responses', {
    model: 'hosted/talking',
    input: 'Say the words.',
  });
  const seen = readResponseStream(text);
  expect([response.status, seen.error?.code, seen.response.status]).toEqual([
    200,
    'deadline_exceeded',
    'failed',
  ]);
  expect(seen.response.output).toMatchObject([{ type: 'message', status: 'incomplete' }]);
});

test.each(['hosted/talking', 'native/talking'])(
  'after a message has started at %s, its stream ends with an error',
  async (model) => {
    const { response, text } = await post('/v1/messages', { model, messages, max_tokens: 1000 });
    const { error } = readMessagesStream(text, { isOriginal: model.startsWith('native/') });
    expect([response.status, error]).toMatchObject([
      200,
      { error: { type: 'timeout_error', code: 'deadline_exceeded' } },
    ]);
  },
);

test('a requested wait that exceeds the limit is not waited for but reported to the caller', async () => {
  const watch = startStopwatch();
  const { response } = await ask('busy');
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '4']);
  expect([watch.waitedMs() < 900, callsOf('busy').length]).toEqual([true, 1]);
});

test('each request is in the ledger once, with its input and the output seen', async () => {
  const records = (await ledger.recordsOf('local'))
    .map(summaryOf)
    .map(({ operation, model, status, error, estimated, usage, cost }) => ({
      what: [operation, model, status, error],
      estimated,
      isSeen: (usage?.completionTokens ?? 0) > 0,
      isCharged: cost !== null && cost > 0,
    }));
  const began = { estimated: true, isSeen: true, isCharged: true };
  const onlyAsked = { estimated: true, isSeen: false, isCharged: true };
  const notBegun = { estimated: undefined, isSeen: false, isCharged: false };
  expect(records).toEqual([
    { what: ['chat-completions', 'faults/silent', 408, 'deadline_exceeded'], ...onlyAsked },
    { what: ['chat-completions', 'faults/talking', 200, 'deadline_exceeded'], ...began },
    { what: ['responses', 'hosted/talking', 200, 'deadline_exceeded'], ...began },
    { what: ['messages', 'hosted/talking', 200, 'deadline_exceeded'], ...began },
    { what: ['messages', 'native/talking', 200, 'deadline_exceeded'], ...began },
    { what: ['chat-completions', 'faults/busy', 429, 'provider_rate_limit'], ...notBegun },
  ]);
});
