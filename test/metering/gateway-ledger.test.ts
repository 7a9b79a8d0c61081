/** Every request that reached a provider has exactly one ledger record, whatever its outcome. Tested through the local gateway. */

import { describe, expect, test } from 'vitest';
import { addCounts, dayOf, toCounts } from '../../lib/core/accounting/counters.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { countsOf } from '../../lib/metering/cost/counts.ts';
import { functionsOf } from '../../server/functions.ts';
import { startServer } from '../../server/http/server.ts';
import { loadInProcessEngine } from '../../server/in-process.ts';
import { gatewayEnvironment } from '../harness/gateways/environment.ts';
import { answerPieces, useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { lastTwoDays, type Summary, summaryOf } from '../harness/ledger.ts';
import { postJson } from '../harness/post.ts';
import {
  finish,
  hello,
  protocolScripts,
  protocolsAndForms,
  start,
  text,
} from '../harness/protocol-scripts.ts';
import { settled } from '../harness/settled.ts';
import { textModel } from '../harness/text-model.ts';
import { answerJson, type UpstreamScript } from '../harness/upstream.ts';
import { useLedger } from '../harness/use-ledger.ts';

const protocols = useProtocolGateway({ GATEWAY_READ_ON_MS: '100' });
const tenant = 'local';
const dayMs = 86_400_000;
const day = (days: number) => dayOf(Date.now() + days * dayMs);

const own = useLedger(() => rows);

const price = { input: 1, output: 2 };
const row = (name: string, more: object, deployment: object = {}) =>
  textModel(`ledger/${name}`, { provider: 'openai', upstreamId: name, ...deployment }, more);
const rows = [
  row('first', {}),
  row('second', { price: { input: 10, output: 10 } }),
  row('dearer-since-yesterday', {
    laterPrices: [
      { ...price, input: 5, from: day(-1) },
      { ...price, input: 9, from: day(2) },
    ],
  }),
  row('drawn', {
    endpoints: ['images_generations'],
    modalities: { input: ['text'], output: ['image'] },
    traits: { image: {} },
    price: { input: 0, output: 0, image: 0.02 },
  }),
  row('unpriced', {}, { laterPrices: [{ ...price, from: day(2) }] }),
];

const openai = protocolScripts[0];
if (!openai) throw new Error('No script for the first protocol.');

function post(path: string, body: object, url = protocols.gateway.url): Promise<Response> {
  return postJson(`${url}${path}`, protocols.gateway.apiKey, body, {
    headers: { 'x-gateway-user-id': own.caller, 'x-gateway-session-id': `${own.caller}-session` },
  });
}

const chat = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'Count me.' }],
  ...more,
});

async function ask(body: object, path = '/v1/chat/completions'): Promise<Response> {
  const response = await post(path, body);
  await response.text();
  return response;
}

const ofCaller = async (): Promise<readonly Summary[]> =>
  (await own.ledger.recordsOf(tenant)).filter(({ user }) => user === own.caller).map(summaryOf);

describe.each(protocolsAndForms)('$protocol, $form', ({ script, stream }) => {
  test('the record is written by the time the caller has the answer', async () => {
    protocols.upstream.script(
      stream ? answerPieces(script.stream(hello), script.streamType) : answerJson(script.body(hello)),
    );
    const response = await ask(chat(script.model, { stream }));
    const [record, ...others] = await ofCaller();
    expect([response.status, others]).toEqual([200, []]);
    expect(record).toMatchObject({
      requestId: response.headers.get('x-request-id'),
      key: expect.stringMatching(/^key_/),
      session: `${own.caller}-session`,
      operation: 'chat-completions',
      requestedModel: script.model,
      model: script.model,
      provider: script.protocol,
      calls: 1,
      status: 200,
      streamed: stream,
      usage: { promptTokens: 7, completionTokens: 3 },
      priceFrom: 0,
    });
    expect(record?.cost).toBeGreaterThan(0);
    expect(JSON.stringify(record?.rawUsage)).toMatch(/"\w+":7\b.*"\w+":3\b/);
    expect(record?.estimated ?? record?.error).toBeUndefined();
    expect(record?.totalMs).toBeGreaterThanOrEqual(record?.firstByteMs ?? Number.POSITIVE_INFINITY);
  });
});

describe('a request', () => {
  const refuse = (status: number, code: string): UpstreamScript =>
    answerJson({ error: { message: 'No.', type: 'an_error', code } }, status);
  const whole = answerJson(openai.body(hello));

  test.each([
    ['without a model', {}, 400],
    ['of an unknown model', chat('ledger/unknown'), 404],
    ['that is invalid', chat('ledger/first', { temperature: 'hot' }), 400],
  ])('%s reaches no provider and leaves no record', async (_name, body, status) => {
    expect((await ask(body)).status).toBe(status);
    expect(await ofCaller()).toEqual([]);
  });

  test('that the provider rejects costs nothing', async () => {
    protocols.upstream.script(refuse(400, 'bad_value'));
    const { status } = await ask(chat('ledger/first'));
    expect(await ofCaller()).toMatchObject([{ status, error: expect.any(String), cost: 0, calls: 1 }]);
    expect((await ofCaller())[0]).not.toHaveProperty('usage');
  });

  test('that a fallback model answers is billed as that model', async () => {
    protocols.upstream.script((request, response) =>
      (request.body.model === 'first' ? refuse(404, 'model_not_found') : whole)(request, response),
    );
    await ask(chat('ledger/first', { extra: { fallbacks: ['ledger/second'] } }));
    expect(await ofCaller()).toMatchObject([
      { requestedModel: 'ledger/first', model: 'ledger/second', calls: 2, status: 200, cost: 100_000 },
    ]);
  });

  test('whose stream is cut is billed by the usage that upstream reported at the start', async () => {
    const claude = protocolScripts.find(({ protocol }) => protocol === 'anthropic');
    if (!claude) throw new Error('No script for Anthropic.');
    const counted = { type: 'start', usage: { input: 70, output: 1 } } as const;
    const pieces = claude.stream([counted, text('Half an answer')]);
    protocols.upstream.script(answerPieces([...pieces, 'cut'], claude.streamType));
    await ask(chat(claude.model, { stream: true }));
    const [record] = await ofCaller();
    expect(record).toMatchObject({ estimated: true, usage: { promptTokens: 70, completionTokens: 4 } });
  });

  test('that times out is billed for the output seen', async () => {
    const invoke = await loadInProcessEngine(
      [operationNamed('chat-completions')],
      functionsOf(gatewayEnvironment()),
    );
    // Three of the eight seconds are reserved for finishing the answer.
    const operations = [{ ...operationNamed('chat-completions'), timeoutSeconds: 8 }];
    const server = await startServer({ operations, invoke, port: 0 });
    const said = openai.stream([start, text('Half an answer')]);
    protocols.upstream.script(answerPieces([...said, 20_000], openai.streamType));
    const body = chat('ledger/first', { stream: true });
    await (await post('/v1/chat/completions', body, server.url)).text();
    const found = await ofCaller();
    await server.close();
    expect(found).toMatchObject([
      { status: 200, error: 'deadline_exceeded', estimated: true, usage: { completionTokens: 4 } },
    ]);
  });

  test('is billed by the price of its day', async () => {
    protocols.upstream.script(whole);
    await ask(chat('ledger/dearer-since-yesterday'));
    expect(await ofCaller()).toMatchObject([
      { priceFrom: Date.parse(day(-1)) / 1000, cost: 7 * 5_000 + 3 * 2_000 },
    ]);
  });

  test('without a known price has an unknown cost, not a cost of zero', async () => {
    protocols.upstream.script(whole);
    await ask(chat('ledger/unpriced'));
    expect(await ofCaller()).toMatchObject([{ priceFrom: null, cost: null, usage: { promptTokens: 7 } }]);
  });

  test('to the Responses API is recorded as that operation', async () => {
    protocols.upstream.script(answerJson(protocolScripts[1]?.body([start, text('Hello'), finish]) ?? {}));
    const response = await ask({ model: protocolScripts[1]?.model, input: 'Count me.' }, '/v1/responses');
    expect(response.status).toBe(200);
    expect(await ofCaller()).toMatchObject([{ operation: 'responses', usage: { promptTokens: 7 } }]);
  });

  test('for embeddings is recorded', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: Array(1536).fill(0.025) }];
    protocols.upstream.script(
      answerJson({ object: 'list', data, usage: { prompt_tokens: 4, total_tokens: 4 } }),
    );
    const response = await ask(
      { model: 'openai/text-embedding-3-small', input: 'Count me.' },
      '/v1/embeddings',
    );
    expect(response.status).toBe(200);
    expect(await ofCaller()).toMatchObject([
      { operation: 'embeddings', usage: { promptTokens: 4, completionTokens: 0 }, cost: 80 },
    ]);
  });

  test('for an image is recorded, with text and image tokens', async () => {
    const usage = {
      input_tokens: 6,
      input_tokens_details: { text_tokens: 6, image_tokens: 0 },
      output_tokens: 1000,
      output_tokens_details: { text_tokens: 0, image_tokens: 1000 },
    };
    protocols.upstream.script(answerJson({ created: 1, data: [{ b64_json: 'aGVsbG8=' }], usage }));
    const response = await ask(
      { model: 'openai/gpt-image-2', prompt: 'Count me.' },
      '/v1/images/generations',
    );
    expect(response.status).toBe(200);
    expect(await ofCaller()).toMatchObject([
      {
        operation: 'images-generations',
        usage: { promptTokens: 6, outputImageTokens: 1000 },
        // Without what is 0.
        rawUsage: {
          input_tokens: 6,
          input_tokens_details: { text_tokens: 6 },
          output_tokens: 1000,
          output_tokens_details: { image_tokens: 1000 },
        },
        cost: 6 * 5_000 + 1000 * 30_000,
      },
    ]);
  });

  test.each([
    ['', undefined],
    [', also with counts of tokens', { input_tokens: 6, output_tokens: 1000 }],
  ])('for an image that cannot be read has an unknown cost where images have a price%s', async (_, usage) => {
    protocols.upstream.script(answerJson({ created: 1, data: [{ url: 'https://images.example/1' }], usage }));
    const response = await ask({ model: 'ledger/drawn', prompt: 'Count me.' }, '/v1/images/generations');
    expect(response.status).toBe(500);
    const records = await ofCaller();
    expect(records.map(({ cost }) => cost)).toEqual(records.map(() => null));
    expect(records).not.toHaveLength(0);
  });
});

test('the daily counters match the ledger', async () => {
  const records = await own.ledger.recordsOf(tenant);
  const { from, to } = lastTwoDays();
  await settled();
  const counters = await own.ledger.usage.counters(tenant, { from: dayOf(from), to: dayOf(to) });
  const sum = counters.map(({ counts }) => counts).reduce(addCounts, toCounts());
  expect(sum).toEqual(records.map(countsOf).reduce(addCounts, toCounts()));
  expect([records.length > 13, sum.unpriced]).toEqual([true, 3]);
});
