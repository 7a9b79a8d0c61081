/** Rerank answers: what is read of each form, and what is refused, so that no score is made up. */
import { describe, expect, test } from 'vitest';
import type { Target } from '../../lib/core/catalog/model.ts';
import type { AttemptFacts } from '../../lib/core/endpoint.ts';
import type { RerankRequest } from '../../lib/core/generation/rerank.ts';
import { inOrder, noteCounts, searchUnitsOf, tokensOf } from '../../lib/pipeline/call-rerank.ts';
import { googleRanking } from '../../lib/protocols/google-ranking.ts';
import {
  bedrockCohereRerank,
  bedrockRerank,
  cohereRerank,
  createRerank,
  voyageRerank,
} from '../../lib/protocols/rerank.ts';

const request: RerankRequest = { query: 'q', documents: ['a', 'b', 'c'], parameters: {} };
const target = { deployment: { upstreamId: 'ranker' } } as Target;
const kindOf = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return (error as { kind?: string }).kind;
  }
};

describe('what is sent', () => {
  const asked = { ...request, parameters: { top_n: 2 } };
  const common = { query: 'q', documents: ['a', 'b', 'c'] };

  test.each([
    ['Cohere', cohereRerank, { model: 'ranker', ...common, top_n: 2 }],
    ['Voyage', voyageRerank, { model: 'ranker', ...common, top_k: 2, return_documents: false }],
    ['Bedrock', bedrockRerank, { ...common, top_n: 2 }],
    ['Cohere on Bedrock', bedrockCohereRerank, { ...common, top_n: 2, api_version: 2 }],
    [
      'Vertex',
      googleRanking,
      {
        model: 'ranker',
        query: 'q',
        topN: 2,
        ignoreRecordDetailsInResponse: true,
        records: ['a', 'b', 'c'].map((content, id) => ({ id: `${id}`, content })),
      },
    ],
    [
      'a host with names of its own',
      createRerank({ names: { documents: 'texts', top_n: 'limit' }, always: { raw_scores: false } }),
      { model: 'ranker', query: 'q', texts: ['a', 'b', 'c'], limit: 2, raw_scores: false },
    ],
  ])('to %s', (_, protocol, body) => {
    expect(protocol.encode(asked, target)).toEqual(body);
  });
});

describe('scores', () => {
  const host = createRerank({});
  const ranked = [{ index: 0, score: 0.5 }];

  test.each([
    ['results', { results: [{ index: 0, relevance_score: 0.5, document: { text: 'a' } }] }],
    ['data', { data: [{ index: 0, relevance_score: 0.5 }] }],
    ['a list', [{ index: 0, score: 0.5 }]],
  ])('are read of %s', (_, body) => {
    expect(host.decode(body)).toEqual(ranked);
  });

  test.each([
    ['none', { index: 0 }],
    ['null', { index: 0, relevance_score: null }],
    ['a text', { index: 0, relevance_score: '0.5' }],
    ['an infinite one', { index: 0, relevance_score: Number.POSITIVE_INFINITY }],
    ['no index', { relevance_score: 0.5 }],
    ['a broken index', { index: 0.5, relevance_score: 0.5 }],
  ])('with %s are refused', (_, item) => {
    expect(kindOf(() => host.decode({ results: [item] }))).toBe('upstream_invalid_answer');
  });

  test.each(['', '1.5', 'a', 1, undefined])('of a record with the id %j are refused', (id) => {
    expect(kindOf(() => googleRanking.decode({ records: [{ id, score: 1 }] }))).toBe(
      'upstream_invalid_answer',
    );
  });

  test('an error in place of them is that error', () => {
    const error = { message: 'The model is overloaded.', code: 503 };
    expect(kindOf(() => host.decode({ error }))).toBe('upstream_overloaded');
  });
});

describe('the order', () => {
  const of = (...pairs: readonly (readonly [index: number, score: number])[]) =>
    pairs.map(([index, score]) => ({ index, score }));

  test('is by score, then as they were sent, and ends after as many as are wanted', () => {
    expect(inOrder(of([0, 0.1], [2, 0.5], [1, 0.5]), request)).toEqual(of([1, 0.5], [2, 0.5], [0, 0.1]));
    const two = { ...request, parameters: { top_n: 2 } };
    expect(inOrder(of([0, -1], [2, 3], [1, 2]), two)).toEqual(of([2, 3], [1, 2]));
    expect(inOrder(of([2, 3], [1, 2]), two)).toEqual(of([2, 3], [1, 2]));
    expect(inOrder(of([0, 1], [1, 1], [2, 1]), { ...request, parameters: { top_n: 9 } })).toHaveLength(3);
  });

  test.each([
    ['a document that is missing', of([0, 1], [1, 1])],
    ['a document that comes twice', of([0, 1], [1, 1], [1, 1], [2, 1])],
    ['a document that was not sent', of([0, 1], [1, 1], [3, 1])],
    ['a document before the first', of([0, 1], [1, 1], [-1, 1])],
    ['no document', []],
  ])('is none with %s', (_, ranked) => {
    expect(kindOf(() => inOrder(ranked, request))).toBe('upstream_invalid_answer');
  });
});

describe('what was used', () => {
  const useOf = (body: object) => cohereRerank.readUse(body, {}, request);
  const units = { input: 0, output: 0, cachedInput: null, cacheWrite: null, searchUnit: 2_000_000 };
  const perToken = { input: 50, output: 0, cachedInput: null, cacheWrite: null };

  test.each([
    [{ meta: { billed_units: { search_units: 2 } } }, { searchUnits: 2 }],
    [{ meta: { billed_units: { input_tokens: 9 }, tokens: { input_tokens: 12 } } }, { tokens: 9 }],
    [
      { usage: { total_tokens: 7, search_units: 1, cost: 0.002 } },
      { tokens: 7, searchUnits: 1, statedCost: 2e6 },
    ],
    [{ meta: { billed_units: { search_units: -1 } }, usage: { total_tokens: null } }, {}],
    [{}, {}],
  ])('is read of %j', (body, use) => {
    const { raw: _, ...read } = useOf(body);
    expect(read).toEqual({ tokens: undefined, searchUnits: undefined, statedCost: undefined, ...use });
  });

  test.each([
    ['units that are counted', units, { searchUnits: 2 }, { searchUnits: 2 }, undefined],
    ['units that are not', units, { tokens: 5 }, { searchUnits: 1, promptTokens: 5 }, true],
    ['tokens that are counted', perToken, { tokens: 5 }, { promptTokens: 5 }, undefined],
    ['tokens that are not', perToken, {}, { promptTokens: 6 }, true],
    ['units without a price', perToken, { searchUnits: 2 }, { searchUnits: 2, promptTokens: 0 }, undefined],
  ])('is noted for %s', (_, price, use, usage, estimated) => {
    const attempt = { uncounted: 1, price: { from: 0, price } } as unknown as AttemptFacts;
    noteCounts(attempt, use, request);
    expect(attempt.usage).toMatchObject(usage);
    expect(attempt.estimated).toBe(estimated);
    expect(attempt.uncounted).toBeUndefined();
  });

  test('a unit has a hundred documents, and long ones count as their chunks', () => {
    const documents = (count: number, length: number) => ({
      ...request,
      documents: Array(count).fill('a'.repeat(length)),
    });
    expect(searchUnitsOf(documents(100, 400), 4)).toBe(1);
    expect(searchUnitsOf(documents(101, 400), 4)).toBe(2);
    expect(searchUnitsOf(documents(100, 4 * 600), 4)).toBe(2);
    expect(searchUnitsOf({ ...documents(100, 4 * 600), parameters: { max_tokens_per_doc: 400 } }, 4)).toBe(1);
    // A query takes at most half of a chunk.
    expect(searchUnitsOf({ ...documents(100, 4 * 250), query: 'q'.repeat(8_000) }, 4)).toBe(1);
    expect(searchUnitsOf(documents(1, 0), 4)).toBe(1);
    expect(tokensOf({ ...documents(3, 40), query: 'q'.repeat(8) }, 4)).toBe(36);
  });

  test('Vertex charges for records', () => {
    const documents = Array(101).fill('a');
    expect(googleRanking.readUse({}, {}, { ...request, documents })).toEqual({ searchUnits: 2 });
  });
});
