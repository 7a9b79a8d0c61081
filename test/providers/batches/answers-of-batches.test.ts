/** What batch APIs were seen to answer, where it is not what the sandbox answers. */
import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../../lib/core/ports/http.ts';
import { anthropicBatches } from '../../../lib/providers/batches/anthropic.ts';
import type { BatchAccount, BatchForm, LineResult } from '../../../lib/providers/batches/batch-form.ts';
import {
  azureBatches,
  mistralBatches,
  openaiBatches,
  togetherBatches,
} from '../../../lib/providers/batches/file-rows.ts';
import { xaiBatches } from '../../../lib/providers/batches/xai.ts';
import { collect } from './batch-sandbox.ts';

type Answers = Readonly<Record<string, object | string>>;

/** Answers each path with what is given for it; a text as it is. */
const accountWith = (answers: Answers): BatchAccount => ({
  account: 'account',
  root: '',
  region: 'global',
  settings: {},
  endpointOf: () => '',
  async request(_method, path): Promise<HttpResponse> {
    const answer = answers[path];
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? {});
    return { status: answer === undefined ? 404 : 200, headers: {}, body: chunksOf(text) };
  },
});

/** In chunks of 7 bytes, so that characters and lines are cut. */
async function* chunksOf(text: string) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const upstream = { file: 'file-1', job: 'batch_1' };
const pollOf = (form: BatchForm, batch: object, path = '/batches/batch_1') =>
  form.poll(accountWith({ [path]: batch }), upstream);

const resultsOf = (form: BatchForm, answers: Answers): Promise<ReadonlyMap<number, LineResult>> =>
  collect(form.results(accountWith(answers), upstream));

describe('states', () => {
  // Source: MicrosoftDocs/azure-ai-docs, batch-rest.md.
  test('are read in any case, with counts that are not known yet', async () => {
    const created_at = '2024-07-19T17:13:57.2491382+00:00';
    const request_counts = { total: null, completed: null, failed: null };
    const batch = { status: 'Validating', created_at, request_counts };
    const counts = { completed: 0, failed: 0 };
    expect(await pollOf(azureBatches, batch)).toEqual({ state: 'running', counts });
    expect(await pollOf(azureBatches, { ...batch, status: 'Expired' })).toEqual({
      state: 'ended',
      unanswered: 'expired',
      counts,
    });
  });

  // Source: openai/openai-python issue 2084.
  test('say that there was no room', async () => {
    const message = 'Enqueued token limit reached for gpt-4o-mini in organization org-snq. Limit: 2,000,000.';
    const data = [{ code: 'token_limit_exceeded', message, line: null, param: null }];
    expect(await pollOf(openaiBatches, { status: 'failed', errors: { object: 'list', data } })).toMatchObject(
      {
        state: 'failed',
        problem: 'token_limit_exceeded',
        mayRetry: true,
      },
    );
  });

  test('are no end while the files of a complete batch are not there', async () => {
    const complete = { status: 'completed', request_counts: { total: 2, completed: 2, failed: 0 } };
    expect((await pollOf(openaiBatches, complete)).state).toBe('running');
    expect((await pollOf(openaiBatches, { ...complete, error_file_id: 'file-2' })).state).toBe('ended');
  });

  test('of a job that failed half way are those of one that has ended', async () => {
    const job = {
      status: 'FAILED',
      output_file: 'file-2',
      errors: [{ message: 'Internal error', count: 1 }],
    };
    expect((await pollOf(mistralBatches, job, '/batch/jobs/batch_1')).state).toBe('ended');
    const none = { ...job, output_file: null };
    expect(await pollOf(mistralBatches, none, '/batch/jobs/batch_1')).toMatchObject({
      state: 'failed',
      problem: 'Internal error',
    });
  });

  test('of Together are known by a word alone', async () => {
    expect(await pollOf(togetherBatches, { status: 'IN_PROGRESS', progress: 40 })).toEqual({
      state: 'running',
    });
    expect(await pollOf(togetherBatches, { status: 'FAILED', error: 'error reading input file' })).toEqual({
      state: 'failed',
      problem: 'error reading input file',
    });
  });

  test('of xAI are known by counts', async () => {
    const state = { num_requests: 2, num_pending: 1, num_success: 1, num_error: 0, num_cancelled: 0 };
    expect((await pollOf(xaiBatches, { state })).state).toBe('running');
    expect((await pollOf(xaiBatches, { state: { ...state, num_pending: 0 } })).state).toBe('ended');
    expect((await pollOf(xaiBatches, { state: { num_requests: 0, num_pending: 0 } })).state).toBe('running');
    const refused = { cancel_by_xai_message: 'The input file is not valid.', state: { num_requests: 0 } };
    expect(await pollOf(xaiBatches, refused)).toEqual({
      state: 'failed',
      problem: 'The input file is not valid.',
    });
  });
});

describe('results', () => {
  const batch = { status: 'completed', output_file_id: 'file-2', error_file_id: 'file-3' };
  const answers = (output: string, errors = '') => ({
    '/batches/batch_1': batch,
    '/files/file-2/content': output,
    '/files/file-3/content': errors,
  });

  test('keep their numbers as they are written, and lines that are none are left out', async () => {
    const body = '{"id":12345678901234567890,"text":"a\u2028b – 😀"}';
    const output = [
      `{"id":"batch_req_1","custom_id":"job_0","response":{"status_code":200,"request_id":"r","body":${body}},"error":null}`,
      '',
      'not JSON',
      '{"custom_id":null}',
      '[]',
    ].join('\r\n');
    const results = await resultsOf(openaiBatches, answers(output));
    expect([...results]).toEqual([[0, { id: 'job_0', status: 200, body }]]);
  });

  // Sources: docs.deepinfra.com, "Batch API"; OpenAI's reference of the request output object.
  test('without a response have the status of their code', async () => {
    const line = (n: number, response: unknown, error: unknown) =>
      JSON.stringify({ custom_id: `job_${n}`, response, error });
    const errors = [
      line(0, null, { code: 'invalid_request', message: 'Not so.' }),
      line(1, null, { code: 'request_timeout', message: 'Too late.' }),
      line(2, null, { code: 'batch_expired', message: 'Expired.' }),
      line(3, null, { code: 'batch_cancelled', message: 'Cancelled.' }),
      line(4, { status_code: 500, message: 'Internal Server Error' }, null),
      line(5, null, 'words'),
    ].join('\n');
    const results = await resultsOf(openaiBatches, answers('', errors));
    const error = (n: number, code: string | null, message: string) =>
      [`job_${n}`, JSON.stringify({ error: { message, code } })] as const;
    const [id0, body0] = error(0, 'invalid_request', 'Not so.');
    const [id1, body1] = error(1, 'request_timeout', 'Too late.');
    const [id5, body5] = error(5, null, 'words');
    expect([...results.values()]).toEqual([
      { id: id0, status: 400, body: body0 },
      { id: id1, status: 504, body: body1 },
      { id: 'job_2', unanswered: 'expired' },
      { id: 'job_3', unanswered: 'cancelled' },
      { id: 'job_4', status: 500, body: '{"error":{"message":"Internal Server Error"}}' },
      { id: id5, status: 500, body: body5 },
    ]);
  });

  // Source: the tests of xAI's batches in BerriAI/litellm.
  test('of xAI come by pages, with the codes of gRPC', async () => {
    const path = '/batches/batch_1/results?limit=100';
    const answered = { response: { chat_get_completion: { id: 'c1', choices: [] } } };
    const results = await resultsOf(xaiBatches, {
      [path]: {
        results: [{ batch_request_id: 'job_0', batch_result: answered }],
        pagination_token: 'job_0',
      },
      [`${path}&pagination_token=job_0`]: {
        results: [
          { batch_request_id: 'job_1', batch_result: { error: { code: 3, message: 'boom' } } },
          { batch_request_id: 'job_2', batch_result: { error: { code: 1, message: 'Cancelled' } } },
        ],
        pagination_token: null,
      },
    });
    expect([...results.values()]).toEqual([
      { id: 'job_0', status: 200, body: '{"id":"c1","choices":[]}' },
      { id: 'job_1', status: 400, body: '{"error":{"message":"boom","code":null}}' },
      { id: 'job_2', unanswered: 'cancelled' },
    ]);
  });

  // Source: platform.claude.com, the reference of `/v1/messages/batches/{id}/results`.
  test('of Anthropic have the status of their error', async () => {
    const error = (type: string) => ({ type: 'error', request_id: 'req_1', error: { type, message: 'No.' } });
    const types = ['overloaded_error', 'invalid_request_error', 'new_error'];
    const lines = types.map((type, n) =>
      JSON.stringify({ custom_id: `job_${n}`, result: { type: 'errored', error: error(type) } }),
    );
    const results = await resultsOf(anthropicBatches, {
      '/messages/batches/batch_1/results': lines.join('\n'),
    });
    expect([...results.values()]).toEqual(
      [529, 400, 500].map((status, n) => ({
        id: `job_${n}`,
        status,
        headers: { 'request-id': 'req_1' },
        body: JSON.stringify(error(types[n] ?? '')),
      })),
    );
  });

  test('that are too long are refused before they are read', async () => {
    const piece = new Uint8Array(1024 * 1024).fill(97);
    let read = 0;
    async function* endless() {
      for (; read < 500; read += 1) yield piece;
    }
    const account = {
      ...accountWith({}),
      request: async (): Promise<HttpResponse> => ({ status: 200, headers: {}, body: endless() }),
    };
    const first = anthropicBatches.results(account, upstream)[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ kind: 'upstream_invalid_answer' });
    expect(read).toBeLessThan(70);
  });
});

describe('a job is sought in all pages', () => {
  test('of a list, as long as they go on', async () => {
    const page = (ids: readonly string[]) => ({
      object: 'list',
      data: ids.map((id) => ({ id, input_file_id: `file-of-${id}` })),
      has_more: true,
    });
    const account = accountWith({
      '/batches?limit=100': page(['a', 'b']),
      '/batches?limit=100&after=b': page(['c', 'd']),
      '/batches?limit=100&after=d': page(['d']),
    });
    const job = { id: 'job', attempt: 1, count: 1, submittingAt: Date.now() };
    expect(await openaiBatches.find(account, job, { file: 'file-of-c' })).toEqual([
      { file: 'file-of-c', job: 'c' },
    ]);
    expect(await openaiBatches.find(account, job, { file: 'file-of-none' })).toEqual([]);
  });
});
