/** Batches from their files to their answers, with the official SDKs, and models of several providers in one batch. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import {
  type Experimental_BatchProvider as BatchProvider,
  experimental_getBatchResults as getBatchResults,
  experimental_getBatchStatus as getBatchStatus,
  experimental_startBatch as startBatch,
} from 'ai';
import OpenAI, { toFile } from 'openai';
import { describe, expect, test } from 'vitest';
import { bothGenerations } from '../../harness/clients/sdk-anthropic.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

const gateway = useGateway({ GATEWAY_BATCH_POLL_MS: '100', GATEWAY_SANDBOX_BATCH_MS: '500' });

const timeout = 60_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

const client = () => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey, maxRetries: 0 });

const endpoint = '/v1/chat/completions';
const models = ['openai/gpt-4.1', 'anthropic/claude-haiku-4-5', 'google/gemini-3.5-flash'];
/** Its host has no batch API. */
const liveModel = 'deepseek/deepseek-flash';

type Body = Readonly<Record<string, unknown>>;

const chatOf = (model: string, more: Body = {}): Body => ({
  model,
  messages: [{ role: 'user', content: 'Say zebra.' }],
  max_tokens: 50,
  ...more,
});

/** What the gateway adds to a batch. */
interface Extra {
  readonly plan: readonly { readonly model: string; readonly lines: number; readonly by: string }[];
  readonly cost: number | null;
  readonly saving: number | null;
}

type Ended = OpenAI.Batch & { readonly extra: Extra };

/** A line of a file of answers. */
interface Result {
  readonly custom_id: string;
  readonly response: { readonly status_code: number; readonly body: Body } | null;
  readonly error: Body | null;
}

/** Creates a batch of these bodies, named by their places. */
async function create(bodies: readonly Body[], { ids = [], url = endpoint, ...more }: Creating = {}) {
  const lines = bodies.map((body, n) => ({ custom_id: ids[n] ?? `line-${n}`, method: 'POST', url, body }));
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const file = await toFile(Buffer.from(text), 'lines.jsonl');
  const { id } = await client().files.create({ file, purpose: 'batch' });
  const asked = { input_file_id: id, endpoint: url as typeof endpoint, completion_window: '24h' } as const;
  return await client().batches.create({ ...asked, ...more });
}

interface Creating {
  readonly ids?: readonly string[];
  readonly url?: string;
  readonly extra?: object;
}

async function ended({ id }: OpenAI.Batch): Promise<Ended> {
  for (;;) {
    const batch = await client().batches.retrieve(id);
    if (['completed', 'failed', 'expired', 'cancelled'].includes(batch.status)) return batch as Ended;
    await pause();
  }
}

async function read(file: string | null | undefined): Promise<readonly Result[]> {
  const text = await (await client().files.content(file ?? '')).text();
  expect(text).not.toMatch(/\n\n|[\u0085\u2028\u2029]/);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe.concurrent('a batch in the form of OpenAI', { timeout }, () => {
  test('has the answers of models of three providers', async () => {
    const created = await create([...models, ...models].map((model) => chatOf(model)));
    const batch = await ended(created);
    expect(batch).toMatchObject({
      status: 'completed',
      request_counts: { total: 6, completed: 6, failed: 0 },
      errors: null,
      error_file_id: null,
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    });
    const planned = batch.extra.plan.map(({ model, lines, by }) => [model, lines, by]);
    expect(planned.toSorted()).toEqual(models.map((model) => [model, 2, 'native']).toSorted());
    expect(batch.extra.cost).toBeGreaterThan(0);
    const results = await read(batch.output_file_id);
    expect(results.map(({ custom_id }) => custom_id).toSorted()).toEqual(
      Array.from({ length: 6 }, (_, n) => `line-${n}`),
    );
    for (const { response, error } of results) {
      expect(error).toBeNull();
      expect(response?.status_code).toBe(200);
      expect(JSON.stringify(response?.body.choices)).toContain('zebra');
    }
    // Some clients read it once more at the end, and then delete it.
    const input = batch.input_file_id;
    expect((await (await client().files.content(input)).text()).split('\n')).toHaveLength(6);
    expect(await client().files.delete(input)).toMatchObject({ deleted: true });
  });

  test('of which every line fails has no file of answers', async () => {
    const wrong = models.map((model) => chatOf(model, { temperature: 7 }));
    const batch = await ended(await create([...wrong, chatOf('openai/no-such-model')]));
    expect(batch).toMatchObject({
      status: 'completed',
      output_file_id: null,
      request_counts: { total: 4, completed: 0, failed: 4 },
    });
    const results = await read(batch.error_file_id);
    const statuses = results.map(({ custom_id, response }) => [custom_id, response?.status_code]);
    expect(statuses.toSorted()).toEqual([
      ['line-0', 400],
      ['line-1', 400],
      ['line-2', 400],
      ['line-3', 404],
    ]);
    for (const { response } of results) expect(response?.body).toHaveProperty('error.message');
  });

  test('with a file that is not valid has failed as a whole', async () => {
    const bodies = [chatOf('openai/gpt-4.1'), chatOf('openai/gpt-4.1')];
    const batch = await ended(await create(bodies, { ids: ['a', 'a'] }));
    expect(batch).toMatchObject({ status: 'failed', output_file_id: null, error_file_id: null });
    expect(batch.errors?.data).toMatchObject([{ code: 'duplicate_custom_id', line: 2 }]);
  });

  test('is only planned', async () => {
    const batch = await ended(await create([chatOf('openai/gpt-4.1')], { extra: { dry_run: true } }));
    expect(batch).toMatchObject({
      status: 'completed',
      output_file_id: null,
      error_file_id: null,
      request_counts: { total: 1, completed: 0, failed: 0 },
      extra: { dry_run: true, plan: [{ model: 'openai/gpt-4.1', lines: 1, by: 'native' }] },
    });
  });

  test('has lines without a batch API as single requests, where that is asked for', async () => {
    const bodies = [chatOf('openai/gpt-4.1'), chatOf(liveModel)];
    const [native, any] = await Promise.all([create(bodies), create(bodies, { extra: { batch: 'any' } })]);
    const refused = await ended(native);
    expect(refused.request_counts).toEqual({ total: 2, completed: 1, failed: 1 });
    expect(JSON.stringify(await read(refused.error_file_id))).toContain('batch_not_supported');
    const answered = await ended(any);
    expect(answered.request_counts).toEqual({ total: 2, completed: 2, failed: 0 });
    expect(answered.extra.plan.map(({ by }) => by).toSorted()).toEqual(['live', 'native']);
  });

  test('is cancelled', async () => {
    const created = await create(models.map((model) => chatOf(model)));
    const cancelled = await client().batches.cancel(created.id);
    expect(cancelled.status).toBe('cancelling');
    const batch = await ended(created);
    expect(batch).toMatchObject({ status: 'cancelled', cancelling_at: cancelled.cancelling_at });
    expect(batch.cancelled_at).toBeGreaterThanOrEqual(cancelled.cancelling_at ?? 0);
    expect(await client().batches.cancel(created.id)).toMatchObject({ status: 'cancelled' });
  });

  test('has embeddings, responses and messages as its lines', async () => {
    const input = 'Say zebra.';
    const all = await Promise.all([
      create([{ model: 'openai/text-embedding-3-small', input }], { url: '/v1/embeddings' }),
      create([{ model: 'openai/gpt-4.1', input }], { url: '/v1/responses' }),
      create([chatOf('anthropic/claude-haiku-4-5')], { url: '/v1/messages' }),
    ]);
    const answers = await Promise.all(
      all.map(async (batch) => (await read((await ended(batch)).output_file_id))[0]?.response?.body),
    );
    expect(answers).toMatchObject([{ object: 'list' }, { object: 'response' }, { type: 'message' }]);
  });
});

describe.concurrent.each(bothGenerations)(
  'a batch in the form of Anthropic ($sdk)',
  ({ client: clientOf }) => {
    test('has results of models of several providers', { timeout }, async () => {
      const { batches } = clientOf(gateway()).messages;
      const requests = models.map((model, n) => ({
        custom_id: `line-${n}`,
        params: chatOf(model, n === 2 ? { max_tokens: -1 } : {}) as never,
      }));
      const { id } = await batches.create({ requests });
      let batch = await batches.retrieve(id);
      for (; batch.processing_status !== 'ended'; batch = await batches.retrieve(id)) await pause();
      expect(batch.request_counts).toEqual({
        processing: 0,
        succeeded: 2,
        errored: 1,
        canceled: 0,
        expired: 0,
      });
      expect(batch.results_url).toBe(`${gateway().url}/v1/messages/batches/${id}/results`);
      const results = new Map();
      for await (const { custom_id, result } of await batches.results(id)) results.set(custom_id, result);
      expect(results.get('line-0')).toMatchObject({ type: 'succeeded', message: { type: 'message' } });
      expect(JSON.stringify(results.get('line-1').message.content)).toContain('zebra');
      expect(results.get('line-2')).toMatchObject({
        type: 'errored',
        error: { type: 'error', error: { type: 'invalid_request_error' } },
      });
      expect(await batches.delete(id)).toEqual({ id, type: 'message_batch_deleted' });
      await expect(batches.retrieve(id)).rejects.toMatchObject({ status: 404 });
    });
  },
);

describe.concurrent('a batch of the AI SDK', { timeout }, () => {
  const settings = () => ({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey });
  const providers: Readonly<Record<string, () => BatchProvider>> = {
    openai: () => createOpenAI(settings()),
    anthropic: () => createAnthropic(settings()),
  };

  test.each(Object.keys(providers))('%s', async (name) => {
    const provider = providers[name]?.() as BatchProvider;
    const request = { type: 'text', model: 'anthropic/claude-haiku-4-5', prompt: 'Say zebra.' } as const;
    const requests = ['one', 'two'].map((id) => ({ id, ...request }));
    const batch = await startBatch({ provider, requests });
    for (;;) {
      const { status } = await getBatchStatus({ provider, batch });
      if (status !== 'pending') break;
      await pause();
    }
    const results = [];
    for await (const result of await getBatchResults({ provider, batch })) results.push(result);
    expect(results.map(({ id }) => id).toSorted()).toEqual(['one', 'two']);
    for (const result of results)
      expect(result).toMatchObject({ status: 'succeeded', text: expect.stringContaining('zebra') });
  });
});
