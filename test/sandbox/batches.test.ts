/** What the sandbox's batches refuse as the providers do, called by the providers' own clients where they have one here. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { sandboxRoutes } from '../../local/providers.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { use } from '../harness/use.ts';

const state = { answered: 1 };
const pace = { answered: () => state.answered, isExpired: () => false };
const sandbox = use(() => startSandbox(sandboxRoutes, { pauseMs: 0, pace }));

beforeEach(() => {
  state.answered = 1;
});

const chat = '/v1/chat/completions';
const line = (n: number, more: object = {}) => ({
  custom_id: `line-${n}`,
  method: 'POST',
  url: chat,
  body: { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hi.' }] },
  ...more,
});

describe("OpenAI's client", () => {
  const client = () => new OpenAI({ apiKey: 'a-key', baseURL: `${sandbox.url}/openai/v1`, maxRetries: 0 });

  const upload = (lines: readonly (object | string)[], filename = 'batch.jsonl') => {
    const text = lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
    return toFile(Buffer.from(text), filename).then((file) =>
      client().files.create({ file, purpose: 'batch' }),
    );
  };
  const create = async (lines: readonly (object | string)[]) => {
    const { id } = await upload(lines);
    return await client().batches.create({
      input_file_id: id,
      endpoint: chat,
      completion_window: '24h',
      metadata: { of: 'a test' },
    });
  };

  test('makes a batch of a file, sees it end, and reads both files', async () => {
    state.answered = 0.5;
    const { id, status, metadata } = await create([line(1), line(2, { body: { model: 'gpt-4.1' } })]);
    expect([status, metadata]).toEqual(['validating', { of: 'a test' }]);
    const half = await client().batches.retrieve(id);
    expect([half.status, half.output_file_id]).toEqual(['in_progress', null]);
    state.answered = 1;
    const { output_file_id, error_file_id, ...ended } = await client().batches.retrieve(id);
    expect([ended.status, ended.request_counts]).toEqual([
      'completed',
      { total: 2, completed: 1, failed: 1 },
    ]);
    const read = async (file: string | null | undefined) =>
      JSON.parse(await (await client().files.content(file ?? '')).text());
    expect(await read(output_file_id)).toMatchObject({
      custom_id: 'line-1',
      response: { status_code: 200, body: { object: 'chat.completion' } },
      error: null,
    });
    expect(await read(error_file_id)).toMatchObject({
      custom_id: 'line-2',
      response: { status_code: 400, body: { error: { code: 'missing_required_parameter' } } },
      error: null,
    });
    const [listed] = (await client().batches.list()).data;
    expect(listed?.id).toBe(id);
    expect(await client().files.delete(output_file_id ?? '')).toMatchObject({ deleted: true });
    await expect(client().files.retrieve(output_file_id ?? '')).rejects.toMatchObject({ status: 404 });
  });

  test.each<[string, readonly (object | string)[]]>([
    ['invalid_json_line', [line(1), '{"custom_id":']],
    ['duplicate_custom_id', [line(1), line(1)]],
    ['missing_required_parameter', [line(1), { custom_id: 'a', method: 'POST', body: {} }]],
    ['invalid_url', [line(1), line(2, { url: '/v1/embeddings' })]],
    ['mismatched_model', [line(1), line(2, { body: { model: 'gpt-4o' } })]],
    ['model_not_found', [line(1, { body: { model: 'claude-3' } })]],
    ['streaming_unsupported', [line(1, { body: { model: 'gpt-4.1', stream: true } })]],
    ['empty_file', ['\n']],
  ])('has a failed batch: %s', async (code, lines) => {
    const { id } = await create(lines);
    const { status, errors, output_file_id } = await client().batches.retrieve(id);
    expect([status, errors?.data?.[0]?.code, output_file_id]).toEqual(['failed', code, null]);
    expect(errors?.data?.[0]?.line).toBe(code === 'empty_file' ? null : lines.length);
  });

  test('is refused what is wrong before a batch begins', async () => {
    const { id } = await upload([line(1)]);
    const asked = { input_file_id: id, endpoint: chat, completion_window: '24h' } as const;
    const refused = (more: object) =>
      client()
        .batches.create({ ...asked, ...more })
        .then(
          () => undefined,
          ({ status }) => status,
        );
    expect(await refused({ input_file_id: 'file-none' })).toBe(404);
    expect(await refused({ endpoint: '/v1/audio/speech' })).toBe(400);
    expect(await refused({ completion_window: '48h' })).toBe(400);
    const other = await client().files.create({
      file: await toFile(Buffer.from('text'), 'text.txt'),
      purpose: 'user_data',
    });
    expect(await refused({ input_file_id: other.id })).toBe(400);
    await expect(upload([line(1)], 'batch.json')).rejects.toMatchObject({ status: 400 });
    expect((await fetch(`${sandbox.url}/openai/v1/batches`)).status).toBe(401);
  });

  test('cancels a batch that runs, and none that has ended', async () => {
    state.answered = 0.5;
    const { id } = await create([line(1), line(2)]);
    expect((await client().batches.cancel(id)).status).toBe('cancelling');
    expect((await client().batches.retrieve(id)).status).toBe('cancelled');
    await expect(client().batches.cancel(id)).rejects.toMatchObject({ status: 409 });
    await expect(client().batches.retrieve('batch_none')).rejects.toMatchObject({ status: 404 });
  });
});

describe("Anthropic's client", () => {
  const client = () => new Anthropic({ apiKey: 'a-key', baseURL: `${sandbox.url}/anthropic`, maxRetries: 0 });
  const request = (custom_id: string, more: object = {}) => ({
    custom_id,
    params: {
      model: 'claude-sonnet-4-5',
      max_tokens: 20,
      messages: [{ role: 'user' as const, content: 'Hi.' }],
      ...more,
    },
  });

  test('makes a batch, sees it end, reads its results and deletes it', async () => {
    state.answered = 0;
    const { batches } = client().messages;
    const { id, results_url, request_counts } = await batches.create({
      requests: [request('one'), request('two', { max_tokens: 0 })],
    });
    expect([results_url, request_counts.processing]).toEqual([null, 2]);
    await expect(batches.delete(id)).rejects.toMatchObject({ status: 400 });
    state.answered = 1;
    const ended = await batches.retrieve(id);
    expect([ended.processing_status, ended.request_counts.succeeded, ended.request_counts.errored]).toEqual([
      'ended',
      1,
      1,
    ]);
    await expect(batches.cancel(id)).rejects.toMatchObject({ status: 400 });
    expect((await batches.list()).data[0]?.id).toBe(id);
    expect(await batches.delete(id)).toEqual({ id, type: 'message_batch_deleted' });
    await expect(batches.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    ['no requests', []],
    ['an id twice', [request('one'), request('one')]],
    ['an odd id', [request('one two')]],
    ['no parameters', [{ custom_id: 'one' }]],
  ])('is refused %s', async (_, requests) => {
    const made = client().messages.batches.create({ requests: requests as never });
    await expect(made).rejects.toMatchObject({ status: 400 });
  });
});

test("files of other providers and of other hosts' purposes are not found", async () => {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([JSON.stringify(line(1))]), 'batch.jsonl');
  const post = (base: string, path: string) =>
    fetch(`${sandbox.url}${base}${path}`, {
      method: 'POST',
      body: form,
      headers: { authorization: 'Bearer k' },
    });
  expect((await post('/together/v1', '/files/upload')).status).toBe(400);
  const { id } = (await (await post('/groq/openai/v1', '/files')).json()) as { id: string };
  const read = (base: string) =>
    fetch(`${sandbox.url}${base}/files/${id}`, { headers: { authorization: 'Bearer k' } });
  expect((await read('/groq/openai/v1')).status).toBe(200);
  expect((await read('/openai/v1')).status).toBe(404);
});
