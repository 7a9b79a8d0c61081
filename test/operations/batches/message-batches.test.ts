/** Batches in Anthropic's form: their requests, their counts, their results, and what is left when one is deleted. */
import { describe, expect, test } from 'vitest';
import type { Batch } from '../../../lib/core/batches.ts';
import { readParts } from '../../../lib/core/file-bytes.ts';
import { exactJson } from '../../../lib/core/formats/exact-json.ts';
import { cancelMessageBatchEndpoint } from '../../../lib/operations/message-batches/cancel.ts';
import { createMessageBatchEndpoint } from '../../../lib/operations/message-batches/create.ts';
import { deleteMessageBatchEndpoint } from '../../../lib/operations/message-batches/delete.ts';
import { listMessageBatchesEndpoint } from '../../../lib/operations/message-batches/list.ts';
import { messageBatchResultsEndpoint } from '../../../lib/operations/message-batches/results.ts';
import { retrieveMessageBatchEndpoint } from '../../../lib/operations/message-batches/retrieve.ts';
import { batchOperations, bodyOf, foreignKey, testKey } from '../../harness/batches/batch-operations.ts';

const params = { model: 'anthropic/claude-opus-5', max_tokens: 10, messages: [] };
const requests = [
  { custom_id: 'one', params },
  { custom_id: 'two', params: { ...params, model: 'openai/gpt-4.1' } },
];

async function created(body: object = { requests }, operations = batchOperations()) {
  const answer = await operations.call(createMessageBatchEndpoint(operations.parts), body);
  const batch = bodyOf(answer);
  const id = String(batch.id);
  const stored = await operations.parts.batches.find('acme', id);
  return { ...operations, id, batch, stored };
}

type Created = Awaited<ReturnType<typeof created>>;

async function inputOf({ parts, stored }: Created): Promise<string> {
  const chunks = [];
  for await (const chunk of readParts(stored?.input ?? [], parts.bytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const counts = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };

describe('a batch that is created', () => {
  test('has the shape of Anthropic', async () => {
    const { batch, started } = await created();
    expect(batch).toEqual({
      id: expect.stringMatching(/^msgbatch_[0-9a-f]{44}$/),
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: { ...counts, processing: 2 },
      created_at: '2026-11-28T12:00:00Z',
      expires_at: '2026-11-29T12:00:00Z',
      ended_at: null,
      cancel_initiated_at: null,
      archived_at: null,
      results_url: null,
      extra: {
        mode: 'native',
        plan: [],
        cost: null,
        saving: null,
        output_file_id: null,
        error_file_id: null,
      },
    });
    expect(started).toHaveLength(1);
  });

  test('has its requests as the lines of a file', async () => {
    const made = await created();
    expect(made.stored).toMatchObject({ contract: 'anthropic', operation: 'messages', lines: 2 });
    expect((await inputOf(made)).split('\n').map((line) => line && JSON.parse(line))).toEqual([
      ...requests,
      '',
    ]);
    const file = await made.parts.files.find('acme', made.stored?.inputFile ?? '');
    expect(file).toMatchObject({ purpose: 'batch', filename: `${made.id}.jsonl`, key: 'key-1' });
  });

  test('has numbers as they were written, and no character that divides lines', async () => {
    const text =
      '{"requests":[{"custom_id":"a","params":{"seed":12345678901234567890,"text":"a\u2028b\u0085c\\nd"}}]}';
    const made = await created(exactJson(text, JSON.parse(text)) as object);
    expect(await inputOf(made)).toBe(
      '{"custom_id":"a","params":{"seed":12345678901234567890,"text":"a\\u2028b\\u0085c\\nd"}}\n',
    );
  });

  test('has the lines of a file that was uploaded', async () => {
    const operations = batchOperations();
    const file = await operations.addFile(requests);
    const { stored, batch } = await created({ requests_file_id: file.id }, operations);
    expect(stored).toMatchObject({ inputFile: file.id, input: file.parts });
    // How many there are is not known yet, and not zero: some clients wait for that.
    expect(batch.request_counts).toEqual({ ...counts, processing: 1 });
  });
});

describe('a request that is refused', () => {
  test.each([
    [{}, 'requests'],
    [{ requests: [] }, 'requests'],
    [{ requests, requests_file_id: 'file-x' }, 'requests_file_id'],
    [{ requests_file_id: 'file-x' }, 'requests_file_id'],
    [{ requests: [{ custom_id: 'a b', params }] }, 'requests.0.custom_id'],
    [{ requests: [{ custom_id: 'x'.repeat(65), params }] }, 'requests.0.custom_id'],
    [{ requests: [{ custom_id: 'a' }] }, 'requests.0.params'],
    [{ requests: [...requests, requests[0]] }, 'requests.2.custom_id'],
    [{ requests, metadata: {} }, 'metadata'],
  ])('%j names the field', async (body, param) => {
    await expect(created(body)).rejects.toMatchObject({ kind: 'invalid_request', param });
  });
});

test('a request that a client library sends again gets the batch with the same requests', async () => {
  const { id, parts, call } = await created();
  const endpoint = createMessageBatchEndpoint(parts);
  const again = { headers: { 'x-stainless-retry-count': '2' } };
  expect(bodyOf(await call(endpoint, { requests }, again)).id).toBe(id);
  const swapped = { requests: requests.toReversed() };
  expect(bodyOf(await call(endpoint, swapped, again)).id).not.toBe(id);
  expect(bodyOf(await call(endpoint, { requests })).id).not.toBe(id);
});

test('a repeated request needs no file of the first one', async () => {
  const { id, parts, call } = await created();
  const endpoint = createMessageBatchEndpoint(parts);
  const again = { headers: { 'x-stainless-retry-count': '1' } };
  const { inputFile = '' } = (await parts.batches.find(testKey.tenant, id)) ?? {};
  await parts.files.remove(testKey.tenant, inputFile);
  expect(bodyOf(await call(endpoint, { requests }, again)).id).toBe(id);
});

const at = Date.UTC(2026, 10, 28, 13) / 1_000;

const ended: Partial<Batch> = {
  status: 'cancelled',
  times: { cancelling: at - 60, cancelled: at },
  counts: { total: 6, completed: 1, failed: 2, cancelled: 2, expired: 1 },
};

describe('a batch that has ended', () => {
  test('has its counts, and the address of its results at this gateway', async () => {
    const { id, parts, call, change } = await created();
    await change(id, ended);
    const endpoint = retrieveMessageBatchEndpoint(parts);
    const batch = bodyOf(await call(endpoint, { message_batch_id: id }));
    expect(batch).toMatchObject({
      processing_status: 'ended',
      request_counts: { processing: 0, succeeded: 1, errored: 2, canceled: 2, expired: 1 },
      ended_at: '2026-11-28T13:00:00Z',
      cancel_initiated_at: '2026-11-28T12:59:00Z',
      results_url: `https://gateway.example/prod/v1/messages/batches/${id}/results`,
    });
    const named = { ...parts, baseUrl: 'https://models.example/v1' };
    const other = bodyOf(await call(retrieveMessageBatchEndpoint(named), { message_batch_id: id }));
    expect(other.results_url).toBe(`https://models.example/v1/messages/batches/${id}/results`);
  });

  test('counts all requests as errored where its file could not be read', async () => {
    const { id, parts, call, change } = await created();
    await change(id, {
      status: 'failed',
      times: { failed: at },
      problems: [{ code: 'invalid_json_line', message: 'No.' }],
    });
    expect(bodyOf(await call(retrieveMessageBatchEndpoint(parts), { message_batch_id: id }))).toMatchObject({
      processing_status: 'ended',
      request_counts: { ...counts, errored: 2 },
      extra: { errors: [{ code: 'invalid_json_line' }] },
    });
  });

  test('is not canceled', async () => {
    const { id, parts, call, change } = await created();
    await change(id, { ...ended, status: 'completed' });
    await expect(call(cancelMessageBatchEndpoint(parts), { message_batch_id: id })).rejects.toMatchObject({
      status: 400,
    });
  });
});

test('a batch is canceled once, and until it has ended all of its requests are processing', async () => {
  const { id, parts, call, change } = await created();
  await change(id, {
    status: 'in_progress',
    counts: { total: 2, completed: 1, failed: 0, cancelled: 0, expired: 0 },
  });
  const endpoint = cancelMessageBatchEndpoint(parts);
  const canceled = bodyOf(await call(endpoint, { message_batch_id: id }));
  expect(canceled).toMatchObject({
    processing_status: 'canceling',
    cancel_initiated_at: '2026-11-28T12:00:00Z',
    request_counts: { ...counts, processing: 2 },
    results_url: null,
  });
  expect(bodyOf(await call(endpoint, { message_batch_id: id }))).toEqual(canceled);
});

describe('results', () => {
  const message = { type: 'message', content: [{ type: 'text', text: 'a\u2028b' }] };
  const failure = {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'No.' },
    request_id: 'r-2',
  };
  const answered = (custom_id: string, status_code: number, body: object) => ({
    id: 'batch_req_1',
    custom_id,
    response: { status_code, request_id: 'r', body },
    error: null,
  });
  const unanswered = (custom_id: string, code: string) => ({
    id: 'batch_req_2',
    custom_id,
    response: null,
    error: { code, message: 'Why.' },
  });

  async function withResults() {
    const made = await created();
    const output = await made.addFile([answered('a', 200, message), answered('b', 200, message)]);
    const errors = await made.addFile([
      answered('c', 400, failure),
      unanswered('d', 'batch_cancelled'),
      unanswered('e', 'batch_expired'),
      unanswered('f', 'batch_not_supported'),
    ]);
    await made.change(made.id, { ...ended, outputFile: output.id, errorFile: errors.id });
    return { ...made, output, errors };
  }

  async function textOf({ parts, call, id }: Created): Promise<string> {
    const answer = await call(messageBatchResultsEndpoint(parts), { message_batch_id: id });
    if (answer.type !== 'bytes') throw new Error('The answer is no file.');
    expect(answer.contentType).toBe('application/x-jsonl');
    const chunks = [];
    for await (const chunk of answer.bytes) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  test('are lines in the form of Anthropic', async () => {
    const text = await textOf(await withResults());
    expect(text).not.toMatch(/\u2028|\n\n/);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const notSent = {
      type: 'invalid_request_error',
      message: 'Why.',
      param: null,
      code: 'batch_not_supported',
    };
    expect(lines).toEqual([
      { custom_id: 'a', result: { type: 'succeeded', message } },
      { custom_id: 'b', result: { type: 'succeeded', message } },
      { custom_id: 'c', result: { type: 'errored', error: failure } },
      { custom_id: 'd', result: { type: 'canceled' } },
      { custom_id: 'e', result: { type: 'expired' } },
      {
        custom_id: 'f',
        result: { type: 'errored', error: { type: 'error', error: notSent, request_id: null } },
      },
    ]);
  });

  test('are none where nothing was answered', async () => {
    const made = await created();
    await made.change(made.id, ended);
    expect(await textOf(made)).toBe('');
  });

  test('are not found before the end, after they have expired, or for another tenant', async () => {
    const made = await withResults();
    const endpoint = messageBatchResultsEndpoint(made.parts);
    const open = await created();
    const running = open.call(messageBatchResultsEndpoint(open.parts), { message_batch_id: open.id });
    await expect(running).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/no results yet/),
    });
    const foreign = made.call(endpoint, { message_batch_id: made.id }, { key: foreignKey });
    await expect(foreign).rejects.toMatchObject({ status: 404 });
    await made.parts.files.remove('acme', made.output.id);
    const gone = made.call(endpoint, { message_batch_id: made.id });
    await expect(gone).rejects.toMatchObject({ status: 404, message: expect.stringMatching(/expired/) });
  });

  test('are deleted with their batch and its own requests', async () => {
    const { id, parts, call, output, errors, stored } = await withResults();
    const endpoint = deleteMessageBatchEndpoint(parts);
    await expect(call(endpoint, { message_batch_id: id }, { key: foreignKey })).rejects.toMatchObject({
      status: 404,
    });
    expect(bodyOf(await call(endpoint, { message_batch_id: id }))).toEqual({
      id,
      type: 'message_batch_deleted',
    });
    for (const file of [output.id, errors.id, stored?.inputFile ?? ''])
      expect(await parts.files.find('acme', file)).toBeUndefined();
    await expect(call(endpoint, { message_batch_id: id })).rejects.toMatchObject({ status: 404 });
  });
});

test('a batch that runs is not deleted, and a file that was uploaded stays', async () => {
  const operations = batchOperations();
  const file = await operations.addFile(requests);
  const { id, parts, call, change } = await created({ requests_file_id: file.id }, operations);
  const endpoint = deleteMessageBatchEndpoint(parts);
  await expect(call(endpoint, { message_batch_id: id })).rejects.toMatchObject({ status: 400 });
  await change(id, ended);
  await call(endpoint, { message_batch_id: id });
  expect(await parts.files.find('acme', file.id)).toBeDefined();
});

test('batches are listed after an id and before one, each tenant its own', async () => {
  const operations = batchOperations();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    ids.unshift((await created(undefined, operations)).id);
    operations.pass(1);
  }
  const list = async (query: object, sent?: object) =>
    bodyOf(await operations.call(listMessageBatchesEndpoint(operations.parts), query, sent));
  expect(await list({ limit: '2' })).toMatchObject({ has_more: true, first_id: ids[0], last_id: ids[1] });
  expect(await list({ after_id: ids[1] })).toMatchObject({ has_more: false, data: [{ id: ids[2] }] });
  expect(await list({ before_id: ids[2], limit: '1' })).toMatchObject({
    has_more: true,
    data: [{ id: ids[1] }],
  });
  expect(await list({}, { key: foreignKey })).toEqual({
    data: [],
    has_more: false,
    first_id: null,
    last_id: null,
  });
});
