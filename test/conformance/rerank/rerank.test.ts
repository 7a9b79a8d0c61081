/** Reranking has one form for every provider: order, documents, limits, parameters, errors and money. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { addRerankers, type RankingBody, rerankerRows } from '../../harness/matrix/rerankers.ts';

const gateway = useGateway();
beforeAll(() => addRerankers());

const query = 'how does a lighthouse work';
const documents = [
  'Bread is baked in an oven.',
  'A lighthouse has a lamp, and this is how it does its work.',
  'The lighthouse stands at the coast.',
];

async function rerank(body: object, path = '/v1/rerank') {
  const response = await gateway().post(path, { query, documents, ...body });
  const { status, headers } = response;
  return { status, headers, ...((await response.json()) as RankingBody) };
}

const indexesOf = ({ results }: RankingBody) => results.map(({ index }) => index);

describe.each(rerankerRows)('$model', ({ model, unit, provider }) => {
  test('ranks all documents, the best first, in the public format', async () => {
    const answer = await rerank({ model, usage: { include: true } });
    expect(answer).toMatchObject({ status: 200, object: 'list', model });
    expect(indexesOf(answer)).toEqual([1, 2, 0]);
    const scores = answer.results.map(({ relevance_score }) => relevance_score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(answer.results[0]).toEqual({ index: 1, relevance_score: scores[0] });
    expect(answer).not.toHaveProperty('debug');
    expect(answer.id).toBe(answer.headers.get('x-request-id'));
    expect(answer.usage.cost).toBeGreaterThan(0);
    if (unit === 'search units') {
      expect(answer.meta.billed_units).toEqual({ search_units: 1 });
      expect(answer.usage.search_units).toBe(1);
    } else {
      expect(answer.meta.billed_units).toEqual({ input_tokens: answer.usage.total_tokens });
      expect(answer.usage.total_tokens).toBeGreaterThan(0);
    }
  });

  test('puts as many documents back as are wanted, as they were sent', async () => {
    const objects = documents.map((text, id) => ({ id, text }));
    const body = { model, documents: objects, rank_fields: ['text'], top_n: 2, return_documents: true };
    const answer = await rerank(body, '/v2/rerank');
    expect(answer.status).toBe(200);
    expect(answer.results.map(({ document }) => document)).toEqual([objects[1], objects[2]]);
  });

  test('refuses what would change the answer, and leaves out other parameters on record', async () => {
    const asked = {
      max_tokens_per_doc: 4_000,
      max_chunks_per_doc: 9,
      priority: 5,
      instruction: 'Find facts.',
      truncation: true,
    };
    const answer = await rerank({ model, ...asked, extra: { debug: ['normalizations'] } });
    expect(answer.status).toBe(200);
    const taken: Readonly<Record<string, readonly string[]>> = {
      cohere: ['max_tokens_per_doc', 'priority'],
      'azure-cohere': ['max_tokens_per_doc'],
      'self-hosted': ['instruction'],
    };
    const left = ['max_tokens_per_doc', 'max_chunks_per_doc', 'priority', 'instruction'].filter(
      (name) => !taken[provider]?.includes(name),
    );
    expect(answer.debug?.normalizations).toEqual(
      left.map((param) => expect.objectContaining({ param, action: 'strip', after: null })),
    );
    const uncut = await rerank({ model, truncation: false });
    expect(uncut).toMatchObject(
      provider === 'voyage' ? { status: 200 } : { status: 400, error: { param: 'truncation' } },
    );
  });
});

const many = Array.from(
  { length: 1_000 },
  (_, index) => `Document ${index}${index === 777 ? ` ${query}` : ''}`,
);

test.each(rerankerRows)('$model ranks as many documents as it takes', async ({ model, provider }) => {
  const answer = await rerank({ model, documents: many, top_k: 3 });
  if (provider === 'google-vertex-ranking') {
    expect(answer).toMatchObject({ status: 400, error: { param: 'documents' } });
  } else {
    expect(answer.status).toBe(200);
    expect(answer.results).toHaveLength(3);
    expect(indexesOf(answer)[0]).toBe(777);
  }
});

const model = 'cohere/rerank-v4.0-fast';

test.each([
  [{ documents: [] }, 'documents'],
  [{ documents: [...many, 'one more'] }, 'documents'],
  [{ documents: ['text', {}] }, 'documents.1'],
  [{ documents: [{ title: 'a' }], rank_fields: ['text'] }, 'documents.0'],
  [{ query: '' }, 'query'],
  [{ query: 'a'.repeat(32_001) }, 'query'],
  [{ top_n: 0 }, 'top_n'],
  [{ top_n: 1, top_k: 1 }, 'top_k'],
  [{ model: 'openai/gpt-4.1' }, 'model'],
  [{ stream: true }, 'stream'],
])('refuses %.80j, in the form that Cohere has', async (changes, param) => {
  const { status, message, error } = await rerank({ model, ...changes });
  expect({ status, param: error?.param }).toEqual({ status: 400, param });
  expect(message).toBe(error?.message);
});

/** As these clients send them, recorded on 2026-11-28; what they read of the answer is what is compared. */
test.each([
  ['cohere-ai 8.1.0, `CohereClientV2`', '/v2/rerank', { top_n: 2, max_tokens_per_doc: 512, priority: 3 }],
  [
    'cohere-ai 8.1.0, `CohereClient`',
    '/v1/rerank',
    {
      documents: documents.map((text, id) => ({ text, id: `${id}` })),
      top_n: 2,
      return_documents: true,
      rank_fields: ['text'],
    },
  ],
  ['@ai-sdk/cohere 4.0.52, `rerank`', '/v2/rerank', { top_n: 2 }],
  [
    '@ai-sdk/cohere 4.0.52, `rerank` of objects',
    '/v2/rerank',
    { documents: documents.map((text) => JSON.stringify({ text })), top_n: 2, max_tokens_per_doc: 1_000 },
  ],
])('%s has its answer', async (_, path, body) => {
  for (const asked of [model, 'rerank-v5.0-pro', 'voyage/rerank-3', 'amazon/rerank-v1']) {
    const answer = await rerank({ model: asked, ...body }, path);
    expect(answer).toMatchObject({
      status: 200,
      id: expect.any(String),
      results: [
        { index: 1, relevance_score: expect.any(Number) },
        { index: 2, relevance_score: expect.any(Number) },
      ],
      meta: { api_version: { version: '2' }, billed_units: expect.any(Object) },
    });
    const texts = answer.results.map(({ document }) => document?.text);
    expect(texts).toEqual(path === '/v1/rerank' ? [documents[1], documents[2]] : [undefined, undefined]);
  }
});

test('objects are ranked by all of their fields, or by those that are named', async () => {
  const objects = [
    { title: 'Lighthouse', body: 'Bread is baked.' },
    { title: 'Bread', body: query },
  ];
  const all = await rerank({ model, documents: objects });
  const byTitle = await rerank({ model, documents: objects, rank_fields: ['title'] });
  expect(indexesOf(all)).toEqual([1, 0]);
  expect(indexesOf(byTitle)).toEqual([0, 1]);
});

test('another model answers where the first may not serve', async () => {
  const body = { model: 'amazon/rerank-v1', extra: { fallbacks: [model], debug: ['routing'] } };
  const answer = await rerank(body, '/v2/rerank');
  expect(answer).toMatchObject({ status: 200, model: 'amazon/rerank-v1' });
  const other = await rerank({ ...body, provider: { ignore: ['bedrock'] } });
  expect(other).toMatchObject({ status: 200, model });
  expect(other.debug?.routing?.at(-1)).toMatchObject({ provider: 'cohere', status: 'succeeded' });
});

test('a dry run asks no provider, and says what it may cost at most', async () => {
  const answer = await rerank({ model, extra: { dry_run: true } });
  expect(answer).toMatchObject({ status: 200, model, results: [] });
  expect(answer.headers.get('x-gateway-dry-run')).toBe('true');
  const { dry_run: dry } = answer.debug as unknown as { readonly dry_run: object };
  expect(dry).toMatchObject({ sent: { model: 'rerank-v4.0-fast', query, documents }, highest_cost: 0.002 });
});

test('what it used, and what it cost, is in the usage of the tenant', async () => {
  const sent = await gateway().post('/v1/rerank', { model: 'cohere/rerank-v3.5:bedrock', query, documents });
  const { id } = (await sent.json()) as RankingBody;
  const authorization = `Bearer ${gateway().apiKey}`;
  const response = await fetch(`${gateway().url}/v1/usage/requests/${id}`, { headers: { authorization } });
  const { attempts, cost_nano_usd } = (await response.json()) as {
    readonly cost_nano_usd: number;
    readonly attempts: readonly object[];
  };
  // One unit of two dollars for a thousand; Bedrock counts none.
  expect(cost_nano_usd).toBe(2_000_000);
  expect(attempts).toMatchObject([
    { estimated: true, usage: { search_units: 1 }, arithmetic: [{ what: 'searchUnit', quantity: 1 }] },
  ]);
});
