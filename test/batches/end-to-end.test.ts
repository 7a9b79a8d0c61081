/** Batches from their files to their results, over the sandbox of the providers, which answer at once. */
import { expect, test } from 'vitest';
import { startBatch } from '../../functions/start-batch.ts';
import { type Batch, type BatchOperation, endedStatuses, type NewBatch } from '../../lib/core/batches.ts';
import { asObject } from '../../lib/core/formats/json-object.ts';
import { timedId } from '../../lib/core/names/new-id.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { batchesRuntime } from '../../lib/runtime/batches/batches-runtime.ts';
import { filesRuntime } from '../../lib/runtime/files-runtime.ts';
import { startBatchGateway } from '../harness/batches/batch-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';

const providers = ['openai', 'anthropic', 'deepseek'] as const;

const started = use(() => startBatchGateway(providers, 20));

async function run(
  operation: BatchOperation,
  lines: readonly { readonly id: string; readonly body: object }[],
  changes: Partial<NewBatch> = {},
) {
  const { variables } = started.gateway;
  const { bytes, files } = filesRuntime(variables);
  const { batches } = batchesRuntime(variables);
  const findKey = filesRuntime(variables).findApiKey;
  const key = await findKey(started.gateway.apiKey);
  if (!key) throw new Error('The gateway has no key.');
  const { path: url } = operationNamed(operation);
  const text = lines
    .map(({ id, body }) => JSON.stringify({ custom_id: id, method: 'POST', url, body }))
    .join('\n');
  const name = `t/${key.tenant}/f/${timedId('', Date.now())}`;
  const createdAt = Math.floor(Date.now() / 1_000);
  const batch: NewBatch = {
    tenant: key.tenant,
    id: timedId('batch_', Date.now()),
    contract: 'openai',
    operation,
    key,
    inputFile: 'file-1',
    input: [await bytes.put(name, Buffer.from(text))],
    headers: { 'x-gateway-user-id': 'ann' },
    mode: 'any',
    outputSeconds: 86_400,
    createdAt,
    expiresAt: createdAt + 86_400,
    ...changes,
  };
  await batches.create(batch);
  await startBatch(variables)?.(batch);
  const ended = await endOf(async () => await batches.find(batch.tenant, batch.id));
  const read = async (id: string | undefined): Promise<readonly Line[]> => {
    const file = id === undefined ? undefined : await files.find(batch.tenant, id);
    const pieces = await Array.fromAsync((file?.parts ?? []).values(), async (part) =>
      Buffer.concat(await Array.fromAsync(bytes.get(part.name))),
    );
    const all = Buffer.concat(pieces);
    expect(all.length).toBe(file?.bytes ?? 0);
    return all
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const ledger = openLedger();
  const records = (await ledger.recordsOf(batch.tenant)).filter((record) => record.batch === batch.id);
  await ledger.close();
  const output = await read(ended.outputFile);
  const errors = await read(ended.errorFile);
  return { batch: ended, output, errors, records };
}

interface Line {
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body: Readonly<Record<string, unknown>>;
  } | null;
}

async function endOf(find: () => Promise<Batch | undefined>): Promise<Batch> {
  for (;;) {
    const batch = await find();
    if (batch && endedStatuses.includes(batch.status)) return batch;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const idsOf = (lines: readonly Line[]) => lines.map(({ custom_id: id }) => id).toSorted();

const chat = (model: string, content = 'Hi.', more: object = {}) => ({
  model,
  messages: [{ role: 'user', content }],
  ...more,
});

test('each line is answered as a single request is, by the batch API of its provider or without one', async () => {
  const { batch, output, errors, records } = await run('chat-completions', [
    { id: 'a', body: chat('openai/gpt-4.1') },
    { id: 'b', body: chat('gpt-4.1', 'Hello.\u2028Two lines.') },
    { id: 'c', body: chat('deepseek/deepseek-v4-flash') },
    { id: 'd', body: chat('anthropic/claude-haiku-4-5') },
    { id: 'e', body: chat('no/such-model') },
    { id: 'f', body: chat('openai/gpt-4.1', 'Hi.', { temperature: 9 }) },
    { id: 'g', body: chat('openai/gpt-4.1', 'Hi.', { stream_options: null, extra: { resumable: true } }) },
  ]);
  expect(batch).toMatchObject({ status: 'completed', counts: { total: 7, completed: 4, failed: 3 } });
  expect(
    batch.plan.map(({ provider, by, lines, priceFactor }) => [provider, by, lines, priceFactor]),
  ).toEqual([
    ['openai', 'native', 2, 0.5],
    ['deepseek', 'live', 1, 1],
    ['anthropic', 'native', 1, 0.5],
  ]);
  expect(idsOf(output)).toEqual(['a', 'b', 'c', 'd']);
  expect(output.map(({ response }) => response?.body)).toMatchObject(
    Array(4).fill({ object: 'chat.completion', choices: [{ finish_reason: 'stop' }] }),
  );
  const refused = errors.map(({ custom_id: id, response }) => {
    return [id, response?.status_code, asObject(response?.body.error).param];
  });
  expect(refused.toSorted()).toEqual([
    ['e', 404, 'model'],
    ['f', 400, 'temperature'],
    ['g', 400, 'extra.resumable'],
  ]);
  // Each answer has its record, under the id that its result names, and all of them together are what the batch has used.
  const answered = output.map(({ response }) => response?.request_id).toSorted();
  expect(records.map(({ requestId }) => requestId).toSorted()).toEqual(answered);
  expect(records.map(({ user }) => user)).toEqual(Array(4).fill('ann'));
  expect(
    records.map(({ provider, attempts: [attempt] }) => `${provider} ${attempt?.tier}`).toSorted(),
  ).toEqual(['anthropic batch', 'deepseek undefined', 'openai batch', 'openai batch']);
  expect(batch.use?.charge).toBe(records.reduce((sum, { charge }) => sum + (charge ?? 0), 0));
  expect(batch.use?.outputTokens).toBeGreaterThan(0);
});

test('messages, responses and embeddings are those of their operations', async () => {
  const messages = await run(
    'messages',
    [
      { id: 'a', body: { ...chat('anthropic/claude-haiku-4-5'), max_tokens: 100 } },
      { id: 'b', body: { model: 'x' } },
    ],
    { headers: { 'anthropic-version': '2023-06-01' } },
  );
  expect(messages.output.map(({ response }) => response?.body)).toMatchObject([
    { type: 'message', role: 'assistant' },
  ]);
  expect(messages.errors.map(({ response }) => response?.body)).toMatchObject([
    { type: 'error', error: { type: 'invalid_request_error' } },
  ]);
  const responses = await run('responses', [{ id: 'a', body: { model: 'openai/gpt-4.1', input: 'Hi.' } }]);
  expect(responses.batch.plan).toMatchObject([{ by: 'native' }]);
  expect(responses.output.map(({ response }) => response?.body)).toMatchObject([
    { object: 'response', status: 'completed', store: false },
  ]);
  const embeddings = await run('embeddings', [
    { id: 'a', body: { model: 'openai/text-embedding-3-small', input: ['one', 'two'] } },
  ]);
  expect(embeddings.batch.plan).toMatchObject([{ by: 'native' }]);
  const [first] = embeddings.output.map(({ response }) => response?.body.data as readonly unknown[]);
  expect(first).toHaveLength(2);
});

test('a line that asks for moderation is a single request, whose answer has it', async () => {
  const lines = ['openai/gpt-4.1', 'anthropic/claude-haiku-4-5'].map((model) => ({
    id: model,
    body: chat(model, 'violence', { moderation: { model: 'omni-moderation-latest' } }),
  }));
  const { output } = await run('chat-completions', lines);
  expect(output.map(({ response }) => response?.body)).toMatchObject(
    Array(2).fill({
      moderation: { input: { results: [{ flagged: true }] }, output: { type: 'moderation_results' } },
    }),
  );
});

test('what has a price of its own is in no job, which is paid for at the price of batches', async () => {
  const lines = ['priority', 'scale'].map((tier) => ({
    id: tier,
    body: chat('openai/gpt-5.5', 'Hi.', { service_tier: tier }),
  }));
  const { batch } = await run('chat-completions', lines, { dryRun: true });
  expect(batch.plan.map(({ by, lines: count }) => [by, count])).toEqual([['live', 2]]);
  const messages = await run(
    'messages',
    [{ inference_geo: 'us' }, { speed: 'fast' }, { inference_geo: 'global', service_tier: 'auto' }].map(
      (more, n) => ({
        id: `${n}`,
        body: { ...chat('anthropic/claude-opus-4-8', 'Hi.', more), max_tokens: 50 },
      }),
    ),
    { mode: 'native', headers: { 'anthropic-version': '2023-06-01' } },
  );
  expect(idsOf(messages.output)).toEqual(['2']);
  expect(messages.errors.map(({ response }) => response?.body)).toMatchObject(
    Array(2).fill({ error: { code: 'batch_not_supported' } }),
  );
});

test('what has no batch API, or may not be kept, is refused where single requests are not wanted', async () => {
  const { errors } = await run(
    'chat-completions',
    [
      { id: 'a', body: chat('deepseek/deepseek-v4-flash') },
      { id: 'b', body: chat('openai/gpt-4.1', 'Hi.', { provider: { zdr: true } }) },
    ],
    { mode: 'native' },
  );
  expect(errors.map(({ response }) => response?.body)).toMatchObject([
    { error: { code: 'batch_not_supported', param: 'model' } },
    { error: { param: 'provider.zdr' } },
  ]);
});
