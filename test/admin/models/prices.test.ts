/** Prices as the admin API shows them: exact, each amount with what it is for and when it applies. */
import { expect, test } from 'vitest';
import { hasFixedPrice, shownPrice } from '../../../lib/admin/models/shown-price.ts';
import type { Price } from '../../../lib/core/catalog/price.ts';

const price: Price = { input: 5_000, output: 30_000, cachedInput: null, cacheWrite: null };
const dated = (price: Price, from = 0) => [{ from, price }];
const at = 1_000;
const cost = { pricing: undefined, at };
const of = (price: Price, markup?: number) =>
  shownPrice(dated(price), 'a/b', { pricing: markup === undefined ? undefined : [{ from: 0, markup }], at });

/** `what: usd per, applies_to` */
const linesOf = (price: Price, markup?: number) =>
  of(price, markup)?.lines.map(
    ({ what, usd, per, applies_to: when }) => `${what}: ${usd} per ${per}${when && `, ${when}`}`,
  );

test('amounts of tokens are for a million', () => {
  expect(of({ ...price, cachedInput: 500 })).toEqual({
    input: '5.00',
    output: '30.00',
    cached_input: '0.50',
    cache_write: null,
    lines: [
      { what: 'input', usd: '5.00', per: 'million tokens', applies_to: '' },
      { what: 'output', usd: '30.00', per: 'million tokens', applies_to: '' },
      { what: 'cachedInput', usd: '0.50', per: 'million tokens', applies_to: '' },
    ],
  });
  expect(of({ ...price, cacheWrite: 6_250 })).toMatchObject({ cached_input: null, cache_write: '6.25' });
});

test.each([
  [5_000, undefined, '5.00'],
  [75, undefined, '0.075'],
  [0, undefined, '0.00'],
  [0.001, undefined, '0.000001'],
  [1_234_567.891, undefined, '1234.567891'],
  [5_000, 2_000, '6.00'],
  [5_000, 1_234, '5.617'],
  [5_000, -10_000, '0.00'],
  [0.001, 1, '0.0000010001'],
])('%s nano-dollars with a markup of %s are %s', (input, markup, shown) => {
  expect(of({ ...price, input }, markup)?.input).toBe(shown);
});

test('each kind of amount has a line', () => {
  const whole: Price = {
    input: 1_000,
    output: 2_000,
    cachedInput: 100,
    cacheWrite: 200,
    cacheWriteHour: 300,
    reasoning: 400,
    imageInput: 500,
    cachedImageInput: 600,
    audioInput: 700,
    cachedAudioInput: 800,
    imageOutput: 900,
    request: 1_000_000,
    webSearch: 10_000_000,
    webSearchRequest: 5_000_000,
    hostedTools: { file_search: 2_500_000 },
    image: 40_000_000,
    cacheStorage: 4_500,
    upliftPercent: 10,
    statedCost: 'believe',
  };
  expect(linesOf(whole)).toEqual([
    'input: 1.00 per million tokens',
    'output: 2.00 per million tokens',
    'cachedInput: 0.10 per million tokens',
    'cacheWrite: 0.20 per million tokens',
    'cacheWriteHour: 0.30 per million tokens',
    'reasoning: 0.40 per million tokens',
    'imageInput: 0.50 per million tokens',
    'cachedImageInput: 0.60 per million tokens',
    'audioInput: 0.70 per million tokens',
    'cachedAudioInput: 0.80 per million tokens',
    'imageOutput: 0.90 per million tokens',
    'request: 1.00 per thousand',
    'webSearch: 10.00 per thousand',
    'webSearchRequest: 5.00 per thousand',
    'image: 0.04 per image',
    'cacheStorage: 4.50 per million tokens and hour',
    'file_search: 2.50 per thousand calls',
    'uplift: 10 % per price of tokens',
    'stated cost: believe per answer',
  ]);
  expect(linesOf(whole, 10_000)).toEqual(
    expect.arrayContaining(['image: 0.08 per image', 'uplift: 10 % per price of tokens']),
  );
});

test('lengths of the input, service tiers and hours have lines of their own', () => {
  const long = { ...price, input: 10_000, aboveInputTokens: 200_000 };
  const hours = { ranges: [{ from: 60, to: 245 }], weekdays: [1, 2], exceptDates: ['2027-01-01'] };
  const flex = { ...price, input: 2_500, tiers: [long] };
  const night = { ...price, input: 1_000, serviceTiers: { flex: { ...price, input: 500 } } };
  const lines = linesOf({
    ...price,
    tiers: [long],
    serviceTiers: { flex },
    hours: [
      { ...night, ...hours },
      {
        ...price,
        input: 900,
        ranges: [
          { from: 0, to: 60 },
          { from: 1_380, to: 1_440 },
        ],
      },
    ],
  });
  const times = '01:00-04:05 UTC mon tue except 1 days';
  expect(lines?.filter((line) => line.startsWith('input'))).toEqual([
    'input: 5.00 per million tokens',
    'input: 10.00 per million tokens, above 200000 input tokens',
    'input: 2.50 per million tokens, tier flex',
    'input: 10.00 per million tokens, tier flex, above 200000 input tokens',
    `input: 1.00 per million tokens, ${times}`,
    `input: 0.50 per million tokens, ${times}, tier flex`,
    'input: 0.90 per million tokens, 00:00-01:00 23:00-24:00 UTC',
  ]);
});

test('the price is that of the time, and unknown without one', () => {
  const later = { from: at + 1, price: { ...price, input: 9_000 } };
  expect(shownPrice([...dated(price), later], 'a/b', cost)?.input).toBe('5.00');
  expect(shownPrice([...dated(price), later], 'a/b', { ...cost, at: at + 1 })?.input).toBe('9.00');
  expect([shownPrice([], 'a/b', cost), shownPrice([later], 'a/b', cost)]).toEqual([null, null]);
});

test('a fixed price of the tenant takes the place of that of the catalog, without a markup', () => {
  const buyer = { pricing: [{ from: 0, markup: 2_000, models: { 'a/b': { ...price, input: 1_000 } } }], at };
  expect(shownPrice([], 'a/b', buyer)?.input).toBe('1.00');
  expect(shownPrice(dated(price), 'a/c', buyer)?.input).toBe('6.00');
  expect([hasFixedPrice('a/b', buyer), hasFixedPrice('a/c', buyer), hasFixedPrice('a/b', cost)]).toEqual([
    true,
    false,
    false,
  ]);
});
