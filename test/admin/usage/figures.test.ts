/** Sums as figures: what is unknown is not 0; and the order of groups. */
import { expect, test } from 'vitest';
import { type Added, addUp, byCharge } from '../../../lib/admin/usage/group-figures.ts';
import { firstBytes, toFigures, toPoint } from '../../../lib/admin/usage/write-figures.ts';
import { bucketOf } from '../../../lib/core/accounting/first-byte.ts';

const numbers = {
  requests: 10,
  failed: 2,
  uncharged: 1,
  unpriced: 4,
  estimated: 3,
  promptTokens: 1_000,
  cachedTokens: 250,
  cacheWriteTokens: 30,
  inputImageTokens: 40,
  completionTokens: 500,
  reasoningTokens: 60,
  outputImageTokens: 70,
  webSearches: 5,
  searchUnits: 7,
  inputImages: 11,
  characters: 8,
  audioMs: 9,
  normalizations: 6,
  charge: 3_000_000,
  cost: 2_000_000,
  estimatedCharge: 7,
  cacheHits: 4,
  detailed: 8,
};

test('each sum has its figure', () => {
  const figures = {
    requests: 10,
    failed_requests: 2,
    unpriced_requests: 1,
    estimated_requests: 3,
    prompt_tokens: 1_000,
    cached_tokens: 250,
    cache_write_tokens: 30,
    input_image_tokens: 40,
    completion_tokens: 500,
    reasoning_tokens: 60,
    output_image_tokens: 70,
    web_searches: 5,
    search_units: 7,
    input_images: 11,
    characters: 8,
    audio_ms: 9,
    normalizations: 6,
    cost: '0.003',
    cost_nano_usd: 3_000_000,
    estimated_cost_nano_usd: 7,
    failed_share: 0.2,
    cached_share: 0.25,
    cache_hit_rate: 0.5,
    blended_price: 2,
    first_byte_ms: null,
  };
  expect(toFigures(numbers, false)).toEqual(figures);
  expect(toFigures(numbers, true)).toEqual({
    ...figures,
    provider_cost: '0.002',
    provider_cost_nano_usd: 2_000_000,
    provider_unpriced_requests: 4,
  });
  expect(toPoint(numbers)).toEqual({
    requests: 10,
    failed_requests: 2,
    unpriced_requests: 1,
    tokens: 1_500,
    cost_nano_usd: 3_000_000,
  });
});

test('of nothing, shares are unknown and amounts are 0', () => {
  expect(toFigures({}, true)).toMatchObject({
    requests: 0,
    cost: '0.00',
    cost_nano_usd: 0,
    provider_cost_nano_usd: 0,
    failed_share: null,
    cached_share: null,
    cache_hit_rate: null,
    blended_price: null,
    first_byte_ms: null,
  });
});

test('an amount that is known of no request is unknown', () => {
  const unknown = toFigures({ requests: 2, uncharged: 2, unpriced: 2, promptTokens: 5 }, true);
  expect(unknown).toMatchObject({
    cost: null,
    cost_nano_usd: null,
    provider_cost: null,
    blended_price: null,
  });
  expect(toPoint({ requests: 2, uncharged: 1, charge: 9 }).cost_nano_usd).toBe(9);
});

test('a share is between 0 and 1, although sums are read one after the other', () => {
  expect(toFigures({ requests: 1, failed: 2, promptTokens: 1, cachedTokens: -1 }, false)).toMatchObject({
    failed_share: 1,
    cached_share: 0,
  });
});

test('times to the first byte are whole milliseconds', () => {
  const times = firstBytes({ [bucketOf(500)]: 19, [bucketOf(4_000)]: 1 });
  expect(Number.isInteger(times?.p50)).toBe(true);
  expect(times?.p50).toBeGreaterThan(450);
  expect(times?.p50).toBeLessThan(550);
  expect(firstBytes({ [bucketOf(500)]: 9, [bucketOf(4_000)]: 1 })?.p95).toBeGreaterThan(3_600);
});

test('rows are added up by group and slot; those in no slot are of the span before', () => {
  const slots = {
    indexOf: new Map([
      ['a', 0],
      ['b', 1],
    ]),
    count: 2,
  };
  const rows = [
    { period: 'a', id: 'x', numbers: { requests: 1 } },
    { period: 'b', id: 'x', numbers: { requests: 2 } },
    { period: 'b', id: 'x', numbers: { requests: 3 } },
    { period: 'old', id: 'x', numbers: { requests: 4 } },
    { period: 'a', id: 'y', numbers: { requests: 5 } },
  ];
  expect(addUp(rows, ({ id }) => id, slots)).toEqual([
    { id: 'x', now: { requests: 6 }, before: { requests: 4 }, slots: [{ requests: 1 }, { requests: 5 }] },
    { id: 'y', now: { requests: 5 }, before: {}, slots: [{ requests: 5 }, {}] },
  ]);
});

test('the most expensive group is first, then that with most requests now and before, then by name', () => {
  const group = (id: string, charge: number, requests: number, earlier: number): Added => ({
    id,
    now: { charge, requests },
    before: { requests: earlier },
    slots: [],
  });
  const sorted = [
    group('e', 2, 0, 0),
    group('z', 1, 2, 0),
    group('y', 1, 1, 2),
    group('a', 1, 1, 1),
    group('b', 1, 1, 1),
  ];
  expect(sorted.toReversed().toSorted(byCharge)).toEqual(sorted);
  expect([...sorted.slice(2), ...sorted.slice(0, 2)].toSorted(byCharge)).toEqual(sorted);
});
