/** The model list: public and complete, whole or page by page, also as Anthropic's clients and Claude Code ask for it. */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { modelStatuses } from '../../lib/core/catalog/model.ts';
import { cpuOf } from '../harness/cpu.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { hasOpenAiSchema, openAiSchema } from '../harness/openai-schema.ts';
import { use } from '../harness/use.ts';

const gateway = use(() => startTestGateway());

interface ModelEntry {
  readonly id: string;
  readonly owned_by: string;
  readonly status: string;
  readonly endpoints: readonly string[];
  readonly aliases?: readonly string[];
  readonly modalities: { readonly input: readonly string[]; readonly output: readonly string[] };
}

async function list(query = '', headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/v1/models${query}`, { headers });
  return { status: response.status, body: await response.json() };
}

interface Page {
  readonly data: readonly (ModelEntry & { readonly lifecycle: string; readonly display_name: string })[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}

async function page(query = '', headers: Record<string, string> = {}): Promise<Page> {
  const { status, body } = await list(query, headers);
  expect(status, query).toBe(200);
  return body as Page;
}

async function models(query?: string, headers?: Record<string, string>): Promise<readonly ModelEntry[]> {
  return (await page(query, headers)).data;
}

test('needs no key, and ignores an invalid one', async () => {
  const open = await models();
  expect(open.length).toBeGreaterThan(20);
  expect(await models('', { authorization: 'Bearer nonsense' })).toEqual(open);
});

/** The fields that Anthropic's SDKs read. */
const forAnthropic = {
  type: 'model',
  display_name: expect.stringMatching(/^[A-Z]/),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  lifecycle: expect.toBeOneOf(['active', 'deprecated', 'retired']),
  max_input_tokens: expect.toBeOneOf([null, expect.any(Number)]),
  max_tokens: expect.toBeOneOf([null, expect.any(Number)]),
};

const capabilities = expect.objectContaining({
  batch: { supported: false },
  image_input: { supported: expect.any(Boolean) },
  thinking: expect.objectContaining({ supported: expect.any(Boolean) }),
});

test('has the fields of the contract for each model', async () => {
  for (const model of await models()) {
    expect(model).toEqual({
      id: expect.stringMatching(/^[^/]+\/.+$/),
      object: 'model',
      created: expect.any(Number),
      owned_by: model.id.split('/')[0],
      status: expect.toBeOneOf([...modelStatuses]),
      modalities: {
        input: expect.arrayContaining(
          model.endpoints.includes('audio_transcriptions') ? ['audio'] : ['text'],
        ),
        output: expect.toBeOneOf([
          ['text'],
          ['image'],
          ['embedding'],
          ['moderation'],
          ['rerank'],
          ['audio'],
          ['text', 'audio'],
        ]),
      },
      endpoints: expect.toSatisfy((names: readonly string[]) => names.length > 0),
      ...(model.aliases && { aliases: expect.toSatisfy((names: readonly string[]) => names.length > 0) }),
      ...forAnthropic,
      capabilities: model.endpoints.includes('messages') ? capabilities : null,
    });
  }
});

test.skipIf(!hasOpenAiSchema)('satisfies the public schema', async () => {
  const { body } = await list();
  expect(openAiSchema('ListModelsResponse')(body)).toEqual([]);
});

test('shows which models generate images', async () => {
  const imageModels = (await models()).filter(({ endpoints }) => endpoints.includes('images_generations'));
  expect(imageModels.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['openai/gpt-image-2', 'google/gemini-2.5-flash-image']),
  );
  for (const { modalities } of imageModels) expect(modalities.output).toContain('image');
});

test('shows which models hear and watch', async () => {
  const listening = (await models()).filter(
    ({ modalities, endpoints }) =>
      modalities.input.includes('audio') && endpoints.includes('chat_completions'),
  );
  expect(listening.map(({ id }) => id)).toContain('google/gemini-3.5-flash');
  for (const { modalities } of listening) expect(modalities.input).toContain('video');
});

test('an unknown status is rejected by name', async () => {
  for (const status of ['gone', '']) {
    const { status: code, body } = await list(`?status=${status}`);
    expect(code).toBe(400);
    expect(body).toMatchObject({ error: { type: 'invalid_request_error', param: 'status' } });
  }
});

describe('for clients of Anthropic', () => {
  const version = { 'anthropic-version': '2023-06-01' };
  const stagesOf = async (query: string, headers: Record<string, string> = {}) =>
    (await page(query, headers)).data.map(({ lifecycle }) => lifecycle);

  test.each(['', '?limit=1000', '?limit=50'])(
    '%s has no retired models, unless they are asked for',
    async (query) => {
      expect(await stagesOf(query, version)).not.toContain('retired');
      expect(new Set(await stagesOf(`${query || '?'}&lifecycle=retired`, version))).toEqual(
        new Set(['retired']),
      );
      if (query !== '?limit=50') expect(await stagesOf(query)).toContain('retired');
    },
  );

  test('stages come as a list, too', async () => {
    const stages = new Set(await stagesOf('?lifecycle[]=active&lifecycle[]=retired'));
    expect([...stages].toSorted()).toEqual(['active', 'retired']);
  });

  test('Claude Code finds its models, which begin as it expects', async () => {
    const all = await page('?limit=1000');
    expect(all).toEqual(await page());
    const usable = all.data.filter(({ id }) => /^(claude|anthropic)/.test(id));
    expect(usable.length).toBeGreaterThan(5);
    for (const { display_name } of usable) expect(display_name).toEqual(expect.any(String));
  });
});

test.each([7, 60])('a page of %i models is followed by the next', async (limit) => {
  const pages: Page[] = [];
  do {
    const after = pages.at(-1)?.last_id;
    pages.push(await page(`?limit=${limit}${after ? `&after_id=${encodeURIComponent(after)}` : ''}`));
  } while (pages.at(-1)?.has_more);
  expect(pages.flatMap(({ data }) => data)).toEqual(await models());
  for (const one of pages.slice(0, -1)) expect(one.data).toHaveLength(limit);
});

test.each([
  ['?limit=0', 'limit'],
  ['?limit=1001', 'limit'],
  ['?limit=some', 'limit'],
  ['?lifecycle=gone', 'lifecycle'],
  [`?after_id=${'a'.repeat(201)}`, 'after_id'],
])('%.30s is a 400 that names the parameter', async (query, param) => {
  const response = await fetch(`${gateway.url}/v1/models${query}`);
  expect([response.status, await response.json()]).toEqual([
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: expect.stringMatching(new RegExp(`^${param}: .`)),
        param,
        code: null,
      },
      request_id: response.headers.get('request-id'),
    },
  ]);
});

test('can be read by the SDK', async () => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'not needed here' });
  const ids = await Array.fromAsync(client.models.list(), ({ id }) => id);
  expect(ids).toContain('openai/gpt-4.1');
});

describe('an answer that a client has already', () => {
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${gateway.url}${path}`, { headers, method });
  const paths = [
    '/v1/models',
    '/v1/models?status=active',
    '/v1/models?limit=3',
    '/v1/models?limit=3&after_id=b',
  ].concat('/v1/models/openai/gpt-4.1', '/v1/openapi.json');

  test.each(paths)('%s is not sent again', async (path) => {
    const first = await ask(path);
    const tag = first.headers.get('etag') ?? '';
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{43}"$/)]);
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await ask(path, { 'if-none-match': known });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
      expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
    }
    const other = await ask(path, { 'if-none-match': '"other"' });
    expect([other.status, await other.text()]).toEqual([200, await first.text()]);
  });

  test('has a tag of its own for each list', async () => {
    const tags = await Promise.all(paths.map(async (path) => (await ask(path)).headers.get('etag')));
    expect(new Set(tags).size).toBe(paths.length);
  });

  test('is found out by its head', async () => {
    const { headers } = await ask('/v1/models', {}, 'HEAD');
    const again = await ask('/v1/models', { 'if-none-match': headers.get('etag') ?? '' }, 'HEAD');
    expect(again.status).toBe(304);
  });

  test('is no error', async () => {
    const missing = await ask('/v1/models/openai/no-such-model', { 'if-none-match': '*' });
    expect([missing.status, missing.headers.get('etag')]).toEqual([404, null]);
  });
});

test('the list is written once for what has been read of the catalog', async () => {
  const tag = (await fetch(`${gateway.url}/v1/models`)).headers.get('etag') ?? '';
  const known = () => fetch(`${gateway.url}/v1/models`, { headers: { 'if-none-match': tag } });
  // An error of the same path costs as little as a request can.
  const least = await cpuOf(
    () => fetch(`${gateway.url}/v1/models?status=gone`).then((one) => one.text()),
    20,
  );
  expect((await cpuOf(known, 20)) / least).toBeLessThan(3);
});
