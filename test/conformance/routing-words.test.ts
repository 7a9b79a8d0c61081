/** OpenRouter's fields for routing, over the places that the catalog knows. */
import { beforeAll, describe, expect, test } from 'vitest';
import { chatAnswer, chatUsage } from '../harness/chat-answers.ts';
import { readChatStream } from '../harness/chat-stream.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { putModels, type TestDeployment } from '../harness/matrix/catalog.ts';
import { answerJson } from '../harness/upstream.ts';

const whole = chatAnswer('Hello.', chatUsage(123, 45));
const down = new Set<string>();

const places: readonly TestDeployment[] = [
  { provider: 'groq', upstreamId: 'on-groq', price: { input: 0.29, output: 0.8 } },
  {
    provider: 'together',
    upstreamId: 'on-together',
    price: { input: 0.1, output: 0.2 },
    collectsData: false,
  },
  {
    provider: 'fireworks',
    region: 'eu',
    upstreamId: 'on-fireworks',
    price: { input: 3, output: 9 },
    collectsData: false,
    retainsData: false,
    regions: ['eu-central-1', 'eu-west-1'],
  },
];

const { gateway, upstream } = useUpstreamGateway(['GROQ', 'TOGETHER', 'FIREWORKS']);
beforeAll(async () => {
  upstream.script((request, response) => {
    const id = String(request.body.model);
    return down.has(id)
      ? answerJson({ error: { message: 'Away.' } }, 401)(request, response)
      : answerJson(whole)(request, response);
  });
  await putModels({
    'words/one': places,
    'words/other': [{ provider: 'groq', upstreamId: 'other', price: { input: 1.23, output: 1.23 } }],
  });
});

interface Body {
  readonly model: string;
  readonly usage: { readonly cost?: number | null };
  readonly debug: { readonly routing: readonly Entry[]; readonly normalizations: readonly object[] };
  readonly error: { readonly message: string; readonly param: string };
}
interface Entry {
  readonly provider: string;
  readonly status: string;
  readonly reason?: string;
}

const request = {
  model: 'words/one',
  messages: [{ role: 'user', content: 'Hello' }],
  extra: { debug: ['routing', 'normalizations'] },
};

async function ask(more: object) {
  const response = await gateway.post('/v1/chat/completions', { ...request, ...more });
  return { status: response.status, body: (await response.json()) as Body };
}

/** The place that answered. */
async function placeFor(provider: object): Promise<string | undefined> {
  const { status, body } = await ask({ provider });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.debug.routing.find((entry) => entry.status === 'succeeded')?.provider;
}

describe('provider', () => {
  test.each([
    [{}, 'groq'],
    [{ order: ['together'] }, 'together'],
    [{ order: ['Fireworks', 'together'] }, 'fireworks'],
    [{ order: ['elsewhere'] }, 'groq'],
    [{ only: ['fireworks', 'together'] }, 'together'],
    [{ only: ['fireworks/eu'] }, 'fireworks'],
    [{ ignore: ['groq'] }, 'together'],
    [{ sort: 'price' }, 'together'],
    [{ sort: { by: 'price', partition: 'model' }, ignore: ['together'] }, 'groq'],
    [{ max_price: { prompt: 0.28 } }, 'together'],
    [{ max_price: { prompt: 0.29, completion: '0.8' } }, 'groq'],
    [{ max_price: { completion: 0.5, request: 0 } }, 'together'],
    [{ data_collection: 'deny' }, 'together'],
    [{ data_collection: 'allow', zdr: false, quantizations: null }, 'groq'],
    [{ zdr: true }, 'fireworks'],
    [{ regions: ['eu'] }, 'fireworks'],
    [{ regions: ['us', 'EU-Central-1', 'eu-west-1'] }, 'fireworks'],
    [{ regions: null }, 'groq'],
    [{ allow_fallbacks: false }, 'groq'],
    [{ order: ['fireworks'], allow_fallbacks: false }, 'fireworks'],
  ])('%j is served by %s', async (provider, expected) => {
    expect(await placeFor(provider)).toBe(expected);
  });

  test('the places that it excludes are in debug.routing, with the field', async () => {
    const { body } = await ask({ provider: { only: ['together'] } });
    expect(body.debug.routing).toEqual([
      expect.objectContaining({ provider: 'groq', status: 'skipped', reason: 'provider.only' }),
      expect.objectContaining({ provider: 'fireworks', status: 'skipped', reason: 'provider.only' }),
      expect.objectContaining({ provider: 'together', status: 'succeeded' }),
    ]);
  });

  test.each([
    [{ only: ['elsewhere'] }, 'provider.only'],
    [{ ignore: ['groq', 'together', 'fireworks'] }, 'provider.ignore'],
    [{ order: ['elsewhere'], allow_fallbacks: false }, 'provider.order'],
    [{ max_price: { prompt: 0.01 } }, 'provider.max_price.prompt'],
    [{ max_price: { completion: 0 } }, 'provider.max_price.completion'],
    [{ zdr: true, only: ['groq'] }, 'provider.zdr'],
    [{ sort: 'throughput' }, 'provider.sort'],
    [{ sort: 'latency' }, 'provider.sort'],
    [{ quantizations: ['fp8'] }, 'provider.quantizations'],
    [{ max_price: { image: 1 } }, 'provider.max_price.image'],
    [{ max_price: { prompt: -1 } }, 'provider.max_price.prompt'],
    [{ max_price: { prompt: 'cheap' } }, 'provider.max_price.prompt'],
    [{ preferred_min_throughput: 10 }, 'provider.preferred_min_throughput'],
    [{ preferred_max_latency: 1 }, 'provider.preferred_max_latency'],
    [{ enforce_distillable_text: true }, 'provider.enforce_distillable_text'],
    [{ data_collection: 'sometimes' }, 'provider.data_collection'],
    [{ orders: ['groq'] }, 'provider.orders'],
    [{ order: Array(33).fill('groq') }, 'provider.order'],
  ])('%j cannot be honoured, which is a 400 that names %s', async (provider, param) => {
    const { status, body } = await ask({ provider });
    expect([status, body.error?.param]).toEqual([400, param]);
  });

  test('require_parameters leaves out places that would leave out a parameter', async () => {
    const options = { logit_bias: { '1': 5 } };
    const free = await ask(options);
    expect(free.body.debug.normalizations).toContainEqual(
      expect.objectContaining({ param: 'logit_bias', action: 'strip' }),
    );
    const { status, body } = await ask({ ...options, provider: { require_parameters: true } });
    expect(status).toBe(200);
    expect(body.debug.normalizations).toEqual([]);
    expect(body.debug.routing).toContainEqual(
      expect.objectContaining({ status: 'skipped', reason: 'provider.require_parameters' }),
    );
    const none = await ask({ ...options, provider: { require_parameters: true, only: ['groq'] } });
    expect([none.status, none.body.error.param]).toEqual([400, 'provider.require_parameters']);
  });

  test('allow_fallbacks: false tries no other place', async () => {
    down.add('on-groq');
    try {
      const { status } = await ask({ provider: { allow_fallbacks: false } });
      expect(status).toBe(500);
      const { body } = await ask({});
      expect(body.debug.routing.at(-1)).toMatchObject({ provider: 'together', status: 'succeeded' });
    } finally {
      down.delete('on-groq');
    }
  });

  test('a place that was put back because it kept failing is in debug.routing', async () => {
    down.add('on-groq');
    for (let times = 0; times < 3; times++) await ask({});
    down.delete('on-groq');
    const { body } = await ask({});
    expect(body.debug.routing).toEqual([
      expect.objectContaining({ provider: 'groq', status: 'skipped', reason: 'failing', latency_ms: 0 }),
      expect.objectContaining({ provider: 'together', status: 'succeeded' }),
    ]);
  });

  test('Responses has it too', async () => {
    const body = { model: 'words/one', input: 'Hello', extra: { debug: ['routing'] } };
    const sort = { ...body, provider: { sort: 'price' }, models: ['words/other'], route: 'fallback' };
    const response = await gateway.post('/v1/responses', sort);
    const answer = (await response.json()) as Body;
    expect(response.status, JSON.stringify(answer)).toBe(200);
    // The operations of a process share what they know of failing places: others may be listed as skipped.
    expect(answer.debug.routing.at(-1)).toMatchObject({ provider: 'together', status: 'succeeded' });
    const refused = await gateway.post('/v1/responses', { ...body, provider: { sort: 'latency' } });
    expect(((await refused.json()) as Body).error.param).toBe('provider.sort');
  });
});

describe('models', () => {
  test('are tried after the model', async () => {
    for (const { upstreamId } of places) down.add(upstreamId);
    try {
      const { body } = await ask({ models: ['words/one', 'words/other'], route: 'fallback' });
      expect(body.model).toBe('words/other');
      expect(body.debug.normalizations).toEqual([]);
    } finally {
      down.clear();
    }
  });

  test.each([
    [{ models: ['words/other', 'words/none'] }, 'models.1'],
    [{ models: ['words/one', 'words/none'] }, 'models.1'],
    [{ models: ['words/other'], extra: { fallbacks: ['words/other'] } }, 'models'],
    [{ models: Array(17).fill('words/other') }, 'models'],
    [{ route: 'sort' }, 'route'],
    [{ transforms: ['other'] }, 'transforms.0'],
    [{ plugins: [{ id: 'file-parser' }] }, 'plugins.0.id'],
    [{ plugins: [{ id: 'web', max_results: 3 }] }, 'plugins.0.max_results'],
    [{ plugins: [{ id: 'web', engine: 'exa' }] }, 'plugins.0.engine'],
    [{ plugins: [{ id: 'web' }] }, 'plugins.0.id'],
    [{ usage: { includes: true } }, 'usage.includes'],
  ])('%j is a 400 that names %s', async (more, param) => {
    const { status, body } = await ask(more);
    expect([status, body.error?.param]).toEqual([400, param]);
  });

  test('nothing of it, as null or empty, changes nothing', async () => {
    const empty = { models: [], provider: {}, transforms: [], plugins: [], usage: {} };
    expect((await ask(empty)).status).toBe(200);
    const nulls = { models: null, provider: null, transforms: null, plugins: null, route: null, usage: null };
    expect((await ask(nulls)).status).toBe(200);
    expect((await ask({ plugins: [{ id: 'web', enabled: false }] })).status).toBe(200);
  });
});

describe('a compaction and a count of tokens', () => {
  const body = { model: 'words/one', input: 'Where are you?' };

  test.each(['compact', 'input_tokens'])('are refused where no place may do them: %s', async (path) => {
    for (const [provider, param] of [
      [{ regions: ['us'] }, 'provider.regions'],
      [{ only: ['mistral'] }, 'provider.only'],
    ] as const) {
      const response = await gateway.post(`/v1/responses/${path}`, { ...body, provider });
      const { error } = (await response.json()) as { error?: { param: string } };
      expect([response.status, error?.param]).toEqual([400, param]);
    }
    const response = await gateway.post(`/v1/responses/${path}`, { ...body, models: ['words/absent'] });
    expect(await response.json()).toMatchObject({ error: { param: 'models.0' } });
  });

  test('a conversation goes only where it may', async () => {
    const before = upstream.requests.length;
    const response = await gateway.post('/v1/responses/compact', { ...body, provider: { regions: ['eu'] } });
    expect(response.status).toBe(200);
    await response.text();
    expect(upstream.requests.slice(before).map((request) => request.body.model)).toEqual(['on-fireworks']);
  });
});

test('the plugin web is the search of a model that has one', async () => {
  const { status, body } = await ask({ model: 'anthropic/claude-opus-5', plugins: [{ id: 'web' }] });
  expect(status, JSON.stringify(body)).toBe(200);
});

describe('usage.cost', () => {
  // 168 tokens at 1,230 nano-dollars.
  const cost = 0.00020664;

  test('is the exact cost in US dollars, in a body and in the last chunk of a stream', async () => {
    const { body } = await ask({ model: 'words/other', usage: { include: true } });
    expect(body.usage.cost).toBe(cost);
    const response = await gateway.post('/v1/chat/completions', {
      ...request,
      model: 'openai/gpt-4.1',
      stream: true,
      usage: { include: true },
    });
    const { chunks } = readChatStream(await response.text());
    expect(chunks.at(-1)?.usage).toMatchObject({ cost: expect.any(Number) });
  });

  test('is absent if it was not asked for', async () => {
    expect((await ask({})).body.usage).not.toHaveProperty('cost');
    expect((await ask({ usage: { include: false } })).body.usage).not.toHaveProperty('cost');
  });
});
