/** Batches with the official SDKs: created once, listed, read and cancelled, and each tenant its own. */
import OpenAI, { toFile } from 'openai';
import { describe, expect, test } from 'vitest';
import { useAccess } from '../../harness/access.ts';
import { anthropicSdks, errorsOf } from '../../harness/clients/sdk-anthropic.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

const gateway = useGateway();
const access = useAccess();

const client = (apiKey = gateway().apiKey) =>
  new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey, maxRetries: 0 });

const foreignKey = async () => (await access.newKey()).authorization.slice('Bearer '.length);

const endpoint = '/v1/chat/completions';
const model = 'anthropic/claude-haiku-4-5';
const messages = [{ role: 'user' as const, content: 'Hello.' }];

const lineOf = (custom_id: string) =>
  JSON.stringify({ custom_id, method: 'POST', url: endpoint, body: { model, messages } });

async function upload({ files }: OpenAI, ...ids: readonly string[]) {
  const text = ids.map((id) => `${lineOf(id)}\n`).join('');
  return await files.create({ file: await toFile(Buffer.from(text), 'lines.jsonl'), purpose: 'batch' });
}

async function create(api: OpenAI, options: object = {}) {
  const { id } = await upload(api, 'one');
  const body = { input_file_id: id, endpoint, completion_window: '24h' } as const;
  return { body, batch: await api.batches.create({ ...body, ...options }) };
}

describe('with the SDK of OpenAI', () => {
  test('a batch is created, retrieved, listed and cancelled', async () => {
    const api = client(await foreignKey());
    const { batch, body } = await create(api, { metadata: { run: '1' } });
    expect(batch).toMatchObject({ ...body, object: 'batch', metadata: { run: '1' }, output_file_id: null });
    expect(batch.expires_at).toBe(batch.created_at + 86_400);
    expect(await api.batches.retrieve(batch.id)).toMatchObject({ id: batch.id, ...body });
    const others = [await create(api), await create(api)];
    const listed = [];
    for await (const { id } of api.batches.list({ limit: 1 })) listed.push(id);
    expect(listed).toEqual([others[1]?.batch.id, others[0]?.batch.id, batch.id]);
    const cancelled = await api.batches.cancel(others[1]?.batch.id ?? '');
    expect(cancelled.cancelling_at).toBeGreaterThanOrEqual(batch.created_at);
    expect(await api.batches.cancel(cancelled.id)).toMatchObject({ cancelling_at: cancelled.cancelling_at });
  });

  test('a request that is sent again creates one batch', async () => {
    const { batch, body } = await create(client());
    const headers = { 'x-stainless-retry-count': '1' };
    expect((await client().batches.create(body, { headers })).id).toBe(batch.id);
    const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
    const first = await client().batches.create(body, key);
    expect(first.id).not.toBe(batch.id);
    expect((await client().batches.create(body, key)).id).toBe(first.id);
    const other = client().batches.create({ ...body, endpoint: '/v1/responses' }, key);
    await expect(other).rejects.toMatchObject({ status: 400, code: 'idempotency_key_reused' });
  });

  test('what another tenant has is not there', async () => {
    const { batch, body } = await create(client());
    const { batches } = client(await foreignKey());
    await expect(batches.retrieve(batch.id)).rejects.toThrow(OpenAI.NotFoundError);
    await expect(batches.cancel(batch.id)).rejects.toThrow(OpenAI.NotFoundError);
    await expect(batches.create(body)).rejects.toMatchObject({ status: 400, param: 'input_file_id' });
    expect((await batches.list()).data).toEqual([]);
  });

  test('errors name the field', async () => {
    const body = { input_file_id: 'file-none', endpoint, completion_window: '1h' } as never;
    await expect(client().batches.create(body)).rejects.toThrow(OpenAI.BadRequestError);
    await expect(client().batches.create(body)).rejects.toMatchObject({ param: 'completion_window' });
  });
});

describe.each(anthropicSdks)('with the SDK of Anthropic ($sdk)', ({ client: clientOf }) => {
  const anthropic = (apiKey = gateway().apiKey) => clientOf({ url: gateway().url, apiKey });
  const params = { model, max_tokens: 20, messages };
  const requests = [{ custom_id: 'one', params }];

  test('a batch is created, retrieved, listed and canceled', async () => {
    const { batches } = anthropic(await foreignKey()).messages;
    const batch = await batches.create({ requests });
    expect(batch).toMatchObject({
      type: 'message_batch',
      processing_status: 'in_progress',
      results_url: null,
    });
    expect(batch.request_counts).toEqual({
      processing: 1,
      succeeded: 0,
      errored: 0,
      canceled: 0,
      expired: 0,
    });
    expect(await batches.retrieve(batch.id)).toMatchObject({ id: batch.id, created_at: batch.created_at });
    const other = await batches.create({ requests });
    const listed = [];
    for await (const { id } of batches.list({ limit: 1 })) listed.push(id);
    expect(listed).toEqual([other.id, batch.id]);
    const canceled = await batches.cancel(other.id);
    expect(canceled.cancel_initiated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test('what another tenant has is not there', async () => {
    const { id } = await anthropic().messages.batches.create({ requests });
    const foreign = anthropic(await foreignKey());
    const { NotFoundError } = errorsOf(foreign);
    const { batches } = foreign.messages;
    await expect(batches.retrieve(id)).rejects.toThrow(NotFoundError);
    await expect(batches.cancel(id)).rejects.toThrow(NotFoundError);
    await expect(batches.delete(id)).rejects.toThrow(NotFoundError);
    await expect(batches.results(id)).rejects.toThrow(NotFoundError);
    expect((await batches.list()).data).toEqual([]);
  });

  test('errors are those of Anthropic', async () => {
    const { BadRequestError } = errorsOf(anthropic());
    const twice = anthropic().messages.batches.create({ requests: [...requests, ...requests] });
    await expect(twice).rejects.toThrow(BadRequestError);
    await expect(twice).rejects.toMatchObject({
      error: { type: 'error', error: { type: 'invalid_request_error', param: 'requests.1.custom_id' } },
    });
  });
});
