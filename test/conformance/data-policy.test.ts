/** Data policies of tenants and keys: at every operation, whatever the request says. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DataPolicy } from '../../lib/core/tenancy.ts';
import { useAccess } from '../harness/access.ts';
import { chatAnswer } from '../harness/chat-answers.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { answerJson } from '../harness/upstream.ts';

const whole = chatAnswer('Hello.');

const { gateway, upstream } = useUpstreamGateway(['GROQ', 'TOGETHER', 'FIREWORKS']);
const access = useAccess();

beforeAll(async () => {
  upstream.script(answerJson(whole));
  const groq = { provider: 'groq', upstreamId: 'on-groq' };
  await putModels({
    'data/one': [groq, { provider: 'fireworks', upstreamId: 'on-fireworks', regions: ['eu'] }],
    'data/kept': [groq, { provider: 'together', upstreamId: 'on-together', collectsData: false }],
  });
});

let tenants = 0;

async function keyWith(policies: {
  readonly key?: DataPolicy;
  readonly tenant?: DataPolicy;
}): Promise<string> {
  tenants += 1;
  const tenant = `policy-${tenants}`;
  const { key, tenant: ofTenant } = policies;
  if (ofTenant) await access.tenants().create(tenant, { dataPolicy: ofTenant });
  const { authorization } = await access.newKey({ tenant, ...(key && { dataPolicy: key }) });
  return authorization;
}

const hello = [{ role: 'user', content: 'Hello' }];

/** What the tests read of the answers of all operations. */
interface Answered {
  readonly id?: string;
  readonly store?: boolean;
  readonly error?: { readonly message: string; readonly param: string | null; readonly code: string | null };
  readonly debug?: {
    readonly routing?: readonly { readonly status: string; readonly provider: string }[];
    readonly normalizations?: readonly object[];
  };
}

async function ask(authorization: string, body: object, path = '/v1/chat/completions') {
  const before = upstream.total;
  const response = await gateway.post(path, body, { authorization });
  const answer = (await response.json()) as Answered;
  return { status: response.status, answer, calls: upstream.total - before };
}

async function placeFor(authorization: string, more: object = {}): Promise<unknown> {
  const body = { model: 'data/one', messages: hello, extra: { debug: ['routing'] }, ...more };
  const { answer } = await ask(authorization, body);
  const tried = answer.debug?.routing?.find(({ status }) => status === 'succeeded');
  return tried?.provider ?? answer.error?.param;
}

test.each<[string, DataPolicy, object, string]>([
  ['none', {}, {}, 'groq'],
  ['zero retention', { zdr: true }, {}, 'fireworks'],
  ['no training', { noTraining: true }, {}, 'fireworks'],
  ['regions', { regions: ['eu'] }, {}, 'fireworks'],
  ['providers', { providers: { only: ['fireworks'] } }, {}, 'fireworks'],
  ['providers that are left out', { providers: { ignore: ['groq'] } }, {}, 'fireworks'],
  ['a request that wants less', { zdr: true }, { provider: { zdr: false, order: ['groq'] } }, 'fireworks'],
  ['a request that wants another place', { zdr: true }, { provider: { only: ['groq'] } }, 'model'],
  ['a request that wants another region', { regions: ['eu'] }, { provider: { regions: ['us'] } }, 'model'],
])('%s: of a key as of its tenant', async (_, policy, more, expected) => {
  expect(await placeFor(await keyWith({ key: policy }), more)).toBe(expected);
  expect(await placeFor(await keyWith({ tenant: policy }), more)).toBe(expected);
});

test('what the key and its tenant forbid is forbidden together', async () => {
  const both = await keyWith({ key: { providers: { ignore: ['groq'] } }, tenant: { regions: ['us'] } });
  const { status, answer } = await ask(both, { model: 'data/one', messages: hello });
  expect([status, answer.error?.code]).toEqual([400, 'data_policy']);
});

describe('where no place complies', () => {
  const model = 'data/kept';
  const input = 'Hello';
  test.each<[string, object]>([
    ['/v1/chat/completions', { messages: hello }],
    ['/v1/chat/completions', { messages: hello, stream: true }],
    ['/v1/responses', { input, store: false }],
    ['/v1/responses', { input, stream: true }],
    ['/v1/responses', { input, background: true }],
    ['/v1/responses/compact', { input }],
    ['/v1/responses/input_tokens', { input }],
    ['/v1/messages', { messages: hello, max_tokens: 5 }],
    ['/v1/messages', { messages: hello, max_tokens: 5, stream: true }],
    ['/v1/messages/count_tokens', { messages: hello }],
    ['/v1/completions', { prompt: input }],
    ['/v1/embeddings', { input, model: 'openai/text-embedding-3-small' }],
    ['/v1/images/generations', { prompt: input, model: 'openai/gpt-image-2.5-sunburst' }],
  ])('%s %j is refused before anyone is called', async (path, body) => {
    const authorization = await keyWith({ tenant: { zdr: true } });
    const { status, answer, calls } = await ask(authorization, { model, ...body }, path);
    expect([status, answer.error?.message, calls]).toEqual([
      400,
      expect.stringContaining('data_policy.zdr'),
      0,
    ]);
  });

  test('a fallback that complies is asked, and one that does not never is', async () => {
    const authorization = await keyWith({ tenant: { zdr: true } });
    const fallback = { model, extra: { fallbacks: ['data/one'], debug: ['routing'] } };
    expect(await placeFor(authorization, fallback)).toBe('fireworks');
    upstream.script((request, response) =>
      request.body.model === 'on-fireworks'
        ? answerJson({ error: { message: 'Away.' } }, 503)(request, response)
        : answerJson(whole)(request, response),
    );
    const { status } = await ask(authorization, {
      model: 'data/one',
      messages: hello,
      extra: { fallbacks: [model] },
    });
    upstream.script(answerJson(whole));
    expect(status).toBeGreaterThanOrEqual(500);
  });
});

describe('a part of the request that may be kept', () => {
  test.each<[string, object, string]>([
    ['/v1/chat/completions', { messages: hello, store: true }, 'store'],
    ['/v1/chat/completions', { messages: hello, prompt_cache_retention: '24h' }, 'prompt_cache_retention'],
    ['/v1/chat/completions', { messages: hello, web_search_options: {} }, 'web_search_options'],
    ['/v1/chat/completions', { messages: hello, plugins: [{ id: 'web' }] }, 'plugins.0'],
    ['/v1/responses', { input: 'Hi', tools: [{ type: 'web_search' }] }, 'tools.0'],
    [
      '/v1/responses',
      { input: 'Hi', tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
      'tools.0',
    ],
    [
      '/v1/messages',
      { messages: hello, max_tokens: 5, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      'tools.0',
    ],
    [
      '/v1/messages',
      {
        messages: hello,
        max_tokens: 5,
        tools: [{ type: 'code_execution_20250825', name: 'code_execution' }],
      },
      'tools.0',
    ],
  ])('%s %j is refused by its field', async (path, body, param) => {
    const authorization = await keyWith({ key: { zdr: true } });
    const { status, answer, calls } = await ask(authorization, { model: 'data/one', ...body }, path);
    expect([status, calls, answer.error?.message]).toEqual([400, 0, expect.stringContaining(param)]);
  });

  test('so is one of a request that asks for zero retention itself', async () => {
    const authorization = await keyWith({});
    const body = { model: 'data/one', messages: hello, store: true, provider: { zdr: true } };
    const { status, answer } = await ask(authorization, body);
    expect([status, answer.error?.param]).toEqual([400, 'store']);
  });

  test('the caller’s own tools are no such part', async () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
    expect(await placeFor(await keyWith({ key: { zdr: true } }), { tools })).toBe('fireworks');
  });
});

describe('no_store', () => {
  const model = 'data/one';

  test.each<[string, object, string]>([
    ['/v1/responses', { model, input: 'Hi', store: true }, 'store'],
    ['/v1/responses', { model, input: 'Hi', background: true, store: false }, 'background'],
    ['/v1/responses', { model, input: 'Hi', stream: true, extra: { resumable: true } }, 'extra.resumable'],
    ['/v1/chat/completions', { model, messages: hello, store: true }, 'store'],
    ['/v1/uploads', { filename: 'a', purpose: 'batch', bytes: 1, mime_type: 'text/plain' }, 'filename'],
    [
      '/v1/batches',
      { input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h' },
      'input_file_id',
    ],
    [
      '/v1/messages/batches',
      { requests: [{ custom_id: 'a', params: { model, max_tokens: 5, messages: hello } }] },
      'requests',
    ],
  ])('%s %j is refused by its field', async (path, body, param) => {
    const { status, answer } = await ask(await keyWith({ tenant: { noStore: true } }), body, path);
    expect([status, answer.error?.message]).toEqual([400, expect.stringContaining(param)]);
  });

  test('a kept answer is refused by its header, and a file by its field', async () => {
    const authorization = await keyWith({ key: { noStore: true } });
    const kept = await gateway.post(
      '/v1/chat/completions',
      { model, messages: hello },
      { authorization, 'idempotency-key': 'one' },
    );
    expect(await kept.json()).toMatchObject({ error: { param: 'Idempotency-Key', code: 'data_policy' } });
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new File(['{}'], 'a.jsonl'));
    const file = await fetch(`${gateway.url}/v1/files`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    expect(await file.json()).toMatchObject({ error: { param: 'file', code: 'data_policy' } });
  });

  test('a response that would be stored by default is not, and says so', async () => {
    const authorization = await keyWith({ key: { noStore: true } });
    const body = { model, input: 'Hi', extra: { debug: ['normalizations'] } };
    const { answer } = await ask(authorization, body, '/v1/responses');
    expect(answer.store).toBe(false);
    expect(answer.debug?.normalizations).toContainEqual(
      expect.objectContaining({ param: 'store', after: false }),
    );
    const found = await fetch(`${gateway.url}/v1/responses/${answer.id}`, { headers: { authorization } });
    expect(found.status).toBe(404);
  });
});

describe('the model list', () => {
  interface List {
    readonly data: readonly { readonly id: string }[];
    readonly error: { readonly param: string };
  }
  async function listed(query: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${gateway.url}/v1/models${query}`, { headers });
    const { data = [], error } = (await response.json()) as List;
    return { response, ids: data.map(({ id }) => id), param: error?.param };
  }

  test('has what a key may use, for that key alone', async () => {
    const dataPolicy = { regions: ['eu'] };
    const authorization = (await access.newKey({ models: ['data/*'], operations: ['responses'], dataPolicy }))
      .authorization;
    const { ids, response } = await listed('?allowed=true', { authorization });
    expect(ids).toEqual(['data/one']);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect((await listed('?allowed=true')).response.status).toBe(401);
    const suspended = await access.newKey({ tenant: 'policy-suspended' });
    await access.suspend('policy-suspended');
    expect((await listed('?allowed=true', suspended)).response.status).toBe(403);
    const ofImages = await access.newKey({ models: ['data/*'], operations: ['images-generations'] });
    expect((await listed('?allowed=true', ofImages)).ids).toEqual([]);
  });

  test('is filtered without a key, and as it was without a filter', async () => {
    const all = (await listed('')).ids;
    expect((await listed('?allowed=false&zdr=false')).ids).toEqual(all);
    const zdr = (await listed('?zdr=true')).ids;
    expect(zdr).toContain('data/one');
    expect(zdr).not.toContain('data/kept');
    expect((await listed('?supports=image,tools&supports=pdf&region=eu&zdr=true')).ids).toContain('data/one');
    expect((await listed('?supports=embeddings&zdr=true')).ids).not.toContain('data/one');
    const page = await listed('?region=eu&limit=1');
    expect(page.ids).toHaveLength(1);
    expect((await listed('?supports=teleportation')).param).toBe('supports');
    expect((await listed('?region=Europe')).param).toBe('region');
  });
});
