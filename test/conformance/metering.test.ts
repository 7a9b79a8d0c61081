/**
 * Every type of request has exactly one ledger record, whichever provider answers and in whichever form, with the usage that
 * the caller got. Requests that reach no provider have none, and no record has any content.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { captureLog } from '../harness/captured-log.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { openLedger, type Summary, summaryOf, sumOf } from '../harness/ledger.ts';
import { addEmbedders, embedderRows } from '../harness/matrix/embedders.ts';
import { addImageModels, imageRows } from '../harness/matrix/images.ts';
import { protocolRows, providerRows } from '../harness/matrix/providers.ts';
import { use } from '../harness/use.ts';

const canary = 'canary-that-must-not-be-stored';

const gateway = useGateway();
const ledger = use(() => openLedger());

const log = use(captureLog);
beforeAll(async () => {
  await addEmbedders();
  await addImageModels();
});

interface Asked {
  readonly status: number;
  readonly text: string;
  readonly records: readonly Summary[];
}

/** Sends a request with its own user. The record exists when the answer has ended. */
async function ask(path: string, body: object): Promise<Asked> {
  const user = randomUUID();
  const headers = { 'x-gateway-user-id': user, 'x-gateway-session-id': `session of ${user}` };
  const response = await gateway().post(path, body, headers);
  const text = await response.text();
  const records = (await ledger.recordsOf('local')).filter((record) => record.user === user).map(summaryOf);
  for (const record of records) expect(record.session).toBe(`session of ${user}`);
  return { status: response.status, text, records };
}

/** The usage that the caller got, in either format. */
function toldIn(text: string): object {
  const found = [...text.matchAll(/"usage":(\{(?:[^{}]|\{[^{}]*\})*\})/g)].at(-1)?.[1] ?? '{}';
  const { prompt_tokens, completion_tokens, input_tokens, output_tokens } = JSON.parse(found);
  return {
    promptTokens: prompt_tokens ?? input_tokens,
    completionTokens: completion_tokens ?? output_tokens ?? 0,
  };
}

const generating = [
  ...providerRows.map((row) => ({ ...row, stream: false })),
  ...protocolRows.map((row) => ({ ...row, stream: true })),
];

describe.each(generating)('$provider, streamed: $stream', ({ provider, model, stream }) => {
  test.each([
    {
      path: '/v1/chat/completions',
      operation: 'chat-completions',
      body: {
        messages: [{ role: 'user', content: canary }],
        ...(stream && { stream_options: { include_usage: true } }),
      },
    },
    { path: '/v1/responses', operation: 'responses', body: { input: canary } },
  ])('$path', async ({ path, operation, body }) => {
    const { status, text, records } = await ask(path, { model, stream, ...body });
    expect([status, records.length]).toEqual([200, 1]);
    expect(records[0]).toMatchObject({
      operation,
      provider,
      requestedModel: model,
      model,
      calls: 1,
      status: 200,
      streamed: stream,
      usage: toldIn(text),
      rawUsage: expect.any(Object),
      cost: expect.any(Number),
    });
    expect(records[0]).not.toHaveProperty('error');
    expect(records[0]?.estimated ?? false).toBe(false);
    expect(records[0]?.usage?.completionTokens).toBeGreaterThan(0);
  });
});

test.each(embedderRows)('$model: embeddings are recorded', async ({ model, provider }) => {
  const { status, text, records } = await ask('/v1/embeddings', { model, input: [canary, 'two pears'] });
  expect([status, records.length]).toEqual([200, 1]);
  const usage = toldIn(text);
  expect(records[0]).toMatchObject({ operation: 'embeddings', provider, model, streamed: false, usage });
  expect(records[0]).toMatchObject({ cost: expect.any(Number), usage: { completionTokens: 0 } });
});

test.each(imageRows)('$model: images are recorded', async ({ model, provider, counts }) => {
  const { status, text, records } = await ask('/v1/images/generations', { model, prompt: canary });
  expect([status, records.length]).toEqual([200, 1]);
  expect(records[0]).toMatchObject({ operation: 'images-generations', provider, model, streamed: false });
  // Where no tokens are reported, the images are counted, or the provider states their cost.
  const [record] = records;
  expect(record?.cost).toBeGreaterThan(0);
  if (counts) expect(record?.usage).toMatchObject(toldIn(text));
});

const messages = [{ role: 'user', content: canary }];

test.each([
  ['an unknown model', '/v1/chat/completions', { model: 'unknown/model', messages }, 404],
  ['a bad field', '/v1/chat/completions', { model: 'openai/gpt-4.1', messages, temperature: 9 }, 400],
  [
    'an unknown earlier response',
    '/v1/responses',
    { model: 'openai/gpt-4.1', input: canary, previous_response_id: 'resp_0' },
    400,
  ],
  ['a model of another operation', '/v1/embeddings', { model: 'openai/gpt-4.1', input: canary }, 400],
])('%s has no record', async (_, path, body, expected) => {
  const { status, records } = await ask(path, body);
  expect([status, records]).toEqual([expected, []]);
});

test('the counters match the ledger', async () => {
  const records = await ledger.recordsOf('local');
  expect(records.length).toBeGreaterThan(generating.length * 2);
  expect(await ledger.sums('local')).toEqual(sumOf(records));
});

test('no content and no key is in an item or in the log', async () => {
  const items = await openTable({ call: ledger.call, table: 'usage' }).scan('');
  expect(items.length).toBeGreaterThan(generating.length * 2);
  expect(log.lines.length).toBeGreaterThan(generating.length * 2);
  for (const text of [...items.map((item) => JSON.stringify(item)), ...log.lines]) {
    expect(text).not.toContain(canary);
    expect(text).not.toContain(gateway().apiKey);
  }
});
