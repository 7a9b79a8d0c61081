/** Batches in OpenAI's form: what is created, found, listed and cancelled, and what is refused. */
import { describe, expect, test } from 'vitest';
import type { Batch } from '../../../lib/core/batches.ts';
import { cancelBatchEndpoint } from '../../../lib/operations/batches/cancel.ts';
import { createBatchEndpoint } from '../../../lib/operations/batches/create.ts';
import { listBatchesEndpoint } from '../../../lib/operations/batches/list.ts';
import { retrieveBatchEndpoint } from '../../../lib/operations/batches/retrieve.ts';
import {
  batchOperations,
  bodyOf,
  foreignKey,
  type Sent,
  testKey,
} from '../../harness/batches/batch-operations.ts';

const asked = { endpoint: '/v1/chat/completions', completion_window: '24h' };

type Operations = ReturnType<typeof batchOperations>;

const creating = (operations: Operations) => async (body: object, sent?: Sent) =>
  bodyOf(await operations.call(createBatchEndpoint(operations.parts), { ...asked, ...body }, sent));

async function created(more: object = {}) {
  const operations = batchOperations();
  const file = await operations.addFile([{ custom_id: 'a' }]);
  const batch = await creating(operations)({ input_file_id: file.id, ...more });
  return { ...operations, file, id: String(batch.id), batch };
}

const noTimes = {
  in_progress_at: null,
  finalizing_at: null,
  completed_at: null,
  failed_at: null,
  expired_at: null,
  cancelling_at: null,
  cancelled_at: null,
};

describe('a batch that is created', () => {
  test('has the shape of OpenAI, with the plan and the cost beside it', async () => {
    const { batch, file, started } = await created({ metadata: { run: '7' } });
    const createdAt = Date.UTC(2026, 10, 28, 12) / 1_000;
    expect(batch).toEqual({
      id: expect.stringMatching(/^batch_[0-9a-f]{44}$/),
      object: 'batch',
      endpoint: '/v1/chat/completions',
      errors: null,
      input_file_id: file.id,
      completion_window: '24h',
      status: 'validating',
      output_file_id: null,
      error_file_id: null,
      created_at: createdAt,
      expires_at: createdAt + 86_400,
      ...noTimes,
      request_counts: { total: 0, completed: 0, failed: 0 },
      metadata: { run: '7' },
      extra: { mode: 'native', plan: [], cost: null, saving: null },
    });
    expect(started).toEqual([expect.objectContaining({ tenant: 'acme', id: batch.id })]);
  });

  test('keeps the parts of its file, its key, and the headers that its lines have', async () => {
    const operations = batchOperations({ batchMode: 'any' });
    const file = await operations.addFile([{}]);
    const headers = {
      'x-gateway-user-id': 'u',
      'x-gateway-tags': 'team=a',
      'content-type': 'application/json',
    };
    const body = {
      input_file_id: file.id,
      endpoint: '/v1/messages',
      output_expires_after: { anchor: 'created_at', seconds: 3_600 },
      extra: { dry_run: true },
    };
    const { id } = await creating(operations)(body, { headers });
    expect(await operations.parts.batches.find('acme', String(id))).toMatchObject({
      contract: 'openai',
      operation: 'messages',
      key: testKey,
      input: file.parts,
      mode: 'any',
      dryRun: true,
      outputSeconds: 3_600,
      headers: { 'x-gateway-user-id': 'u', 'x-gateway-tags': 'team=a' },
    });
  });

  test('is begun later where no worker can be started now', async () => {
    const operations = batchOperations({ start: () => Promise.reject(new Error('No capacity.')) });
    const file = await operations.addFile([{}]);
    expect(await creating(operations)({ input_file_id: file.id })).toMatchObject({ status: 'validating' });
    expect(operations.warnings).toEqual(['batch not started']);
  });
});

describe('a request that is refused', () => {
  const operations = batchOperations();
  const create = creating(operations);

  test.each([
    [{ input_file_id: 'file-x', endpoint: '/v1/audio' }, 'endpoint'],
    [{ input_file_id: 'file-x', completion_window: '1h' }, 'completion_window'],
    [{}, 'input_file_id'],
    [{ input_file_id: 'file-x', metadata: { a: 1 } }, 'metadata.a'],
    [
      { input_file_id: 'file-x', output_expires_after: { anchor: 'created_at', seconds: 1 } },
      'output_expires_after.seconds',
    ],
    [{ input_file_id: 'file-x', extra: { batch: 'live' } }, 'extra.batch'],
    [{ input_file_id: 'file-x', model: 'a/b' }, 'model'],
    [{ input_file_id: 'file-x' }, 'input_file_id'],
  ])('%j names the field', async (body, param) => {
    await expect(create(body)).rejects.toMatchObject({ kind: 'invalid_request', param });
  });

  test('names a file of another purpose, or of another tenant', async () => {
    const other = await operations.addFile([{}], { purpose: 'user_data' });
    const foreign = await operations.addFile([{}], { tenant: 'globex' });
    const problems = {
      [other.id]: /'user_data'/,
      [foreign.id]: /No file was found/,
    };
    for (const [id, message] of Object.entries(problems))
      await expect(create({ input_file_id: id })).rejects.toMatchObject({
        status: 400,
        param: 'input_file_id',
        message: expect.stringMatching(message),
      });
  });

  test('is of a key that may not call the operation of the lines', async () => {
    const key = { ...testKey, keyPolicy: { operations: ['embeddings'] as const } };
    await expect(create({ input_file_id: 'file-x' }, { key })).rejects.toMatchObject({
      status: 403,
      code: 'operation_not_allowed',
    });
  });

  test('is one of a tenant with twenty batches that have not ended', async () => {
    const { parts, addFile, call, change } = batchOperations();
    const body = { ...asked, input_file_id: (await addFile([{}])).id };
    const endpoint = createBatchEndpoint(parts);
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => bodyOf(await call(endpoint, body)).id),
    );
    await expect(call(endpoint, body)).rejects.toMatchObject({ status: 429, retryAfterMs: 60_000 });
    await change(String(ids[3]), { status: 'completed' });
    await call(endpoint, body);
  });
});

test('no batch begins while two hundred thousand lines of the tenant wait', async () => {
  const { id, parts, call, change, file } = await created();
  const body = { ...asked, input_file_id: file.id };
  const endpoint = createBatchEndpoint(parts);
  const counts = { total: 200_001, completed: 0, failed: 0, cancelled: 0, expired: 0 };
  await change(id, { status: 'in_progress', counts });
  await expect(call(endpoint, body)).rejects.toMatchObject({ status: 429 });
  await change(id, { counts: { ...counts, completed: 1, failed: 1 } });
  await call(endpoint, body);
});

test('a gateway without a worker takes no batch', async () => {
  const operations = batchOperations({ start: undefined });
  const { id } = await operations.addFile([{}]);
  await expect(creating(operations)({ input_file_id: id })).rejects.toMatchObject({ status: 400 });
});

describe('a request that a client library sends again', () => {
  const again = { headers: { 'x-stainless-retry-count': '1' } };

  test('gets the batch that was created first', async () => {
    const { id, parts, call, file } = await created({ metadata: { a: '1', b: '2' } });
    const body = { ...asked, input_file_id: file.id, metadata: { b: '2', a: '1' } };
    const endpoint = createBatchEndpoint(parts);
    expect(bodyOf(await call(endpoint, body, again)).id).toBe(id);
    const first = { headers: { 'x-stainless-retry-count': '0' } };
    for (const sent of [{}, first]) expect(bodyOf(await call(endpoint, body, sent)).id).not.toBe(id);
  });

  test('gets the same batch while the first one still runs, whichever of them creates it', async () => {
    const operations = batchOperations();
    const { id: file } = await operations.addFile([{}]);
    const endpoint = createBatchEndpoint(operations.parts);
    const body = { ...asked, input_file_id: file };
    const both = await Promise.all([
      operations.call(endpoint, body),
      operations.call(endpoint, body, again),
      operations.call(endpoint, body, again),
    ]);
    expect(new Set(both.map((answer) => bodyOf(answer).id)).size).toBe(1);
    expect(await operations.parts.batches.open(testKey.tenant)).toHaveLength(1);
  });

  test('gets one of its own where anything differs', async () => {
    const { id, parts, call, file } = await created();
    const endpoint = createBatchEndpoint(parts);
    const same = { ...asked, input_file_id: file.id };
    const others = [
      [{ ...same, metadata: { a: '1' } }, again],
      [{ ...same, endpoint: '/v1/responses' }, again],
      [same, { ...again, key: { ...testKey, hash: 'other' } }],
    ] as const;
    for (const [body, sent] of others) expect(bodyOf(await call(endpoint, body, sent)).id).not.toBe(id);
  });
});

const ended: Partial<Batch> = {
  status: 'completed',
  times: { validating: 1, in_progress: 2, finalizing: 3, completed: 4 },
  counts: { total: 3, completed: 2, failed: 1, cancelled: 0, expired: 0 },
  plan: [{ model: 'a/b', provider: 'a', region: 'eu', lines: 3, by: 'native', priceFactor: 0.5 }],
  outputFile: 'file-out',
  errorFile: 'file-err',
  use: {
    inputTokens: 10,
    cachedTokens: 2,
    outputTokens: 20,
    reasoningTokens: 5,
    cost: 1_000_000,
    charge: 1_500_000,
  },
};

describe('a batch that has ended', () => {
  test('has files, counts, use, cost and what was saved', async () => {
    const { id, parts, call, change } = await created();
    await change(id, ended);
    const batch = bodyOf(await call(retrieveBatchEndpoint(parts), { batch_id: id }));
    expect(batch).toMatchObject({
      status: 'completed',
      model: 'a/b',
      output_file_id: 'file-out',
      error_file_id: 'file-err',
      in_progress_at: 2,
      completed_at: 4,
      request_counts: { total: 3, completed: 2, failed: 1 },
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 30,
      },
      extra: {
        plan: [{ model: 'a/b', provider: 'a', region: 'eu', lines: 3, by: 'native', price_factor: 0.5 }],
        cost: 0.0015,
        saving: 0.0015,
      },
    });
  });

  test('has problems of its file, and no files', async () => {
    const { id, parts, call, change } = await created();
    const problems = [{ code: 'invalid_json_line', message: 'No JSON.', line: 2 }];
    await change(id, { status: 'failed', times: { failed: 9 }, problems });
    expect(bodyOf(await call(retrieveBatchEndpoint(parts), { batch_id: id }))).toMatchObject({
      status: 'failed',
      failed_at: 9,
      errors: {
        object: 'list',
        data: [{ code: 'invalid_json_line', message: 'No JSON.', line: 2, param: null }],
      },
      output_file_id: null,
      error_file_id: null,
    });
  });

  test('is not cancelled', async () => {
    const { id, parts, call, change } = await created();
    await change(id, ended);
    await expect(call(cancelBatchEndpoint(parts), { batch_id: id })).rejects.toMatchObject({
      status: 409,
      message: "Cannot cancel a batch with status 'completed'.",
    });
  });
});

test('a batch is cancelled once, and a worker begins with that', async () => {
  const { id, parts, call, started, pass, change } = await created();
  await change(id, { status: 'in_progress', times: { in_progress: 5 } });
  pass(60);
  const endpoint = cancelBatchEndpoint(parts);
  const cancelled = bodyOf(await call(endpoint, { batch_id: id }));
  expect(cancelled).toMatchObject({
    status: 'cancelling',
    in_progress_at: 5,
    cancelling_at: Date.UTC(2026, 10, 28, 12, 1) / 1_000,
  });
  expect(started).toHaveLength(2);
  pass(60);
  expect(bodyOf(await call(endpoint, { batch_id: id }))).toEqual(cancelled);
  await change(id, { status: 'cancelled', times: { cancelled: 6 } });
  expect(bodyOf(await call(endpoint, { batch_id: id }))).toMatchObject({
    status: 'cancelled',
    cancelled_at: 6,
  });
  expect(started).toHaveLength(2);
});

test('a batch is cancelled where a worker writes at the same time', async () => {
  const { id, parts, call, change } = await created();
  let written = false;
  const batches = {
    ...parts.batches,
    async change(...given: Parameters<typeof parts.batches.change>) {
      if (!written) await change(id, { jobs: 2 });
      written = true;
      return await parts.batches.change(...given);
    },
  };
  const answer = await call(cancelBatchEndpoint({ ...parts, batches }), { batch_id: id });
  expect(bodyOf(answer)).toMatchObject({ status: 'cancelling' });
  expect(await parts.batches.find('acme', id)).toMatchObject({ jobs: 2 });
});

test('batches are listed page by page, the newest first', async () => {
  const operations = batchOperations();
  const file = await operations.addFile([{}]);
  const ids: unknown[] = [];
  for (let n = 0; n < 3; n += 1) {
    ids.unshift((await creating(operations)({ input_file_id: file.id })).id);
    operations.pass(1);
  }
  const list = async (query: object) =>
    bodyOf(await operations.call(listBatchesEndpoint(operations.parts), query));
  const first = await list({ limit: '2' });
  expect(first).toMatchObject({ object: 'list', has_more: true, first_id: ids[0], last_id: ids[1] });
  const second = await list({ after: ids[1] });
  expect(second).toMatchObject({ has_more: false, data: [{ id: ids[2] }] });
  await expect(list({ limit: '101' })).rejects.toMatchObject({ param: 'limit' });
});

test('a batch of another tenant, or of the other contract, is not found', async () => {
  const { id, parts, call, change } = await created();
  const foreign = { key: foreignKey };
  const endpoints = [retrieveBatchEndpoint(parts), cancelBatchEndpoint(parts)];
  for (const endpoint of endpoints) {
    await expect(call(endpoint, { batch_id: id }, foreign)).rejects.toMatchObject({ status: 404 });
    await expect(call(endpoint, { batch_id: 'batch_none' })).rejects.toMatchObject({ status: 404 });
  }
  expect(bodyOf(await call(listBatchesEndpoint(parts), {}, foreign)).data).toEqual([]);
  await change(id, { contract: 'anthropic' });
  await expect(call(retrieveBatchEndpoint(parts), { batch_id: id })).rejects.toMatchObject({ status: 404 });
});
