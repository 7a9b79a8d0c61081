/** What a catalog row may contain, and the error for a malformed one. */
import { describe, expect, test } from 'vitest';
import { isModelId, readModelRow } from '../../lib/stores/catalog/model-row.ts';

const row = {
  id: 'acme/thinker-2',
  created: '2026-11-20',
  status: 'active',
  endpoints: ['chat_completions'],
  modalities: { input: ['text'], output: ['text'] },
  limits: { context: 1000, input: null, output: 100 },
  traits: {},
  price: { input: 0.15, output: 2.5 },
  deployments: [{ provider: 'acme', region: 'global', upstreamId: 'thinker' }],
};

describe('reading a catalog row', () => {
  test('fields with defaults may be omitted', () => {
    const { price: _, ...rest } = row;
    expect(readModelRow(row)).toEqual({
      ...rest,
      owner: 'acme',
      endpoints: ['chat_completions', 'messages'],
      created: Date.UTC(2026, 10, 20) / 1000,
      traits: { refuses: [], refusesWhileReasoning: [] },
      prices: [{ from: 0, price: { input: 150, output: 2500, cachedInput: null, cacheWrite: null } }],
      timeouts: { connectMs: 5000, firstByteMs: 30000, bodyMs: 300000, idleMs: 120000 },
    });
  });

  test('prices are converted to whole nano-dollars per token, tiers too', () => {
    const tiers = [{ aboveInputTokens: 200_000, input: 0.3, output: 5, cachedInput: 0.005 }];
    const price = { input: 0.1, output: 0.7, cacheWrite: 0.125, tiers, imageOutput: 30, webSearch: 10 };
    const [first] = readModelRow({ ...row, price }).prices;
    expect(first?.price).toEqual({
      input: 100,
      output: 700,
      cachedInput: null,
      cacheWrite: 125,
      imageOutput: 30_000,
      webSearch: 10_000_000,
      tiers: [{ aboveInputTokens: 200_000, input: 300, output: 5000, cachedInput: 5, cacheWrite: null }],
    });
  });

  test('a price may have thousandths of a nano-dollar', () => {
    const [first] = readModelRow({
      ...row,
      price: { input: 0.075, output: 0.3, cachedInput: 0.0375 },
    }).prices;
    expect(first?.price).toMatchObject({ input: 75, output: 300, cachedInput: 37.5 });
  });

  test('service tiers have their own prices, by name', () => {
    const long = { aboveInputTokens: 272_000, input: 5, output: 22.5 };
    const serviceTiers = {
      flex: { input: 2.5, output: 15, cachedInput: 0.25, tiers: [long] },
      priority: { input: 12.5, output: 75 },
      fast: 'priority',
    };
    const [first] = readModelRow({ ...row, price: { input: 5, output: 30, serviceTiers } }).prices;
    const priority = { input: 12_500, output: 75_000, cachedInput: null, cacheWrite: null };
    expect(first?.price.serviceTiers).toEqual({
      flex: {
        input: 2_500,
        output: 15_000,
        cachedInput: 250,
        cacheWrite: null,
        tiers: [
          { aboveInputTokens: 272_000, input: 5_000, output: 22_500, cachedInput: null, cacheWrite: null },
        ],
      },
      priority,
      fast: priority,
    });
  });

  test('hours of the day have their own prices', () => {
    const peak = { utc: ['01:00-04:00', '22:30-24:00'], weekdays: ['mon', 'fri'], input: 0.3, output: 1.2 };
    const [first] = readModelRow({ ...row, price: { input: 0.15, output: 0.6, hours: [peak] } }).prices;
    expect(first?.price.hours).toEqual([
      {
        input: 300,
        output: 1_200,
        cachedInput: null,
        cacheWrite: null,
        ranges: [
          { from: 60, to: 240 },
          { from: 1_350, to: 1_440 },
        ],
        weekdays: [1, 5],
      },
    ]);
  });

  test('what is no token has a unit of its own', () => {
    const price = {
      input: 2,
      output: 12,
      request: 5,
      hostedTools: { code_interpreter: 30, file_search: 2.5 },
      image: 0.02,
      cacheStorage: 4.5,
      upliftPercent: 10,
      freeAllowance: true,
      statedCost: 'compare',
    };
    expect(readModelRow({ ...row, price }).prices[0]?.price).toMatchObject({
      request: 5_000_000,
      hostedTools: { code_interpreter: 30_000_000, file_search: 2_500_000 },
      image: 20_000_000,
      cacheStorage: 4_500,
      upliftPercent: 10,
      freeAllowance: true,
      statedCost: 'compare',
    });
  });

  test('a deployment may have its own price', () => {
    const deployment = { provider: 'other', region: 'global', upstreamId: 'thinker' };
    const { deployments } = readModelRow({
      ...row,
      deployments: [{ ...deployment, price: { input: 1, output: 2 } }],
    });
    expect(deployments).toEqual([
      {
        ...deployment,
        prices: [{ from: 0, price: { input: 1000, output: 2000, cachedInput: null, cacheWrite: null } }],
      },
    ]);
  });

  test('a price may change on a given date', () => {
    const laterPrices = [{ from: '2027-01-01', input: 0.3, output: 5 }];
    const { prices } = readModelRow({ ...row, laterPrices });
    expect(prices.map(({ from, price }) => [from, price.input])).toEqual([
      [0, 150],
      [Date.UTC(2027, 0, 1) / 1000, 300],
    ]);
    const mixedUp = [...laterPrices, { from: '2026-12-01', input: 1, output: 1 }];
    expect(() => readModelRow({ ...row, laterPrices: mixedUp })).toThrow('laterPrices');
  });

  test('one timeout may be set and the others keep their defaults', () => {
    const { timeouts } = readModelRow({ ...row, timeouts: { firstByteMs: 1000 } });
    expect(timeouts).toEqual({ connectMs: 5000, firstByteMs: 1000, bodyMs: 300000, idleMs: 120000 });
  });

  const reasoning = { style: 'effort', efforts: ['low', 'high'], defaultEffort: 'low' };
  test.each([
    ['no price although active', { price: undefined }, 'price'],
    ['a price without output', { price: { input: 1 } }, 'output'],
    ['a price below a thousandth of a nano-dollar', { price: { input: 0.0000005, output: 1 } }, 'decimals'],
    ['an unknown field of a price', { price: { input: 1, output: 1, video: 1 } }, 'video'],
    [
      'a service tier like one without prices',
      { price: { input: 1, output: 1, serviceTiers: { fast: 'priority' } } },
      'price.serviceTiers: Names a service tier without prices',
    ],
    [
      'hours that end before they begin',
      { price: { input: 1, output: 1, hours: [{ utc: ['22:00-02:00'], input: 2, output: 2 }] } },
      'price.hours.0.utc.0: Not a range of hours',
    ],
    [
      'an uplift of three decimals',
      { price: { input: 1, output: 1, upliftPercent: 0.125 } },
      'upliftPercent',
    ],
    ['a negative price', { price: { input: -1, output: 1 } }, 'input'],
    ['a misspelled field name', { modalties: [] }, 'modalties'],
    ['a misspelled trait', { traits: { refuse: ['stop'] } }, 'refuse'],
    ['an unknown parameter', { traits: { refuses: ['topp'] } }, 'Unknown parameter'],
    [
      'a default effort that is not among the efforts',
      { traits: { reasoning: { ...reasoning, defaultEffort: 'max' } } },
      'defaultEffort',
    ],
    ['a budget style without budget', { traits: { reasoning: { ...reasoning, style: 'budget' } } }, 'budget'],
    ['no deployment', { deployments: [] }, 'deployments'],
    ['an unknown status', { status: 'new' }, 'status'],
    ['an id without owner', { id: 'thinker' }, 'id'],
    ['an invalid date', { created: '2026-13-01' }, 'created'],
  ])('%s is rejected with the name of the field', (_, change, named) => {
    const { price, ...rest } = row;
    const changed = 'price' in change && change.price === undefined ? rest : { ...rest, price, ...change };
    expect(() => readModelRow(changed)).toThrow(named);
  });

  test('a retired model may have no price', () => {
    const { price: _, ...rest } = row;
    expect(readModelRow({ ...rest, status: 'retired' }).prices).toEqual([]);
  });

  test('unknown fields of a newer gateway can be ignored', () => {
    const newer = { ...row, flavour: 'sweet', traits: { refuses: ['stop'], colour: 'blue' } };
    expect(readModelRow(newer, 'ignore').traits).toEqual({ refuses: ['stop'], refusesWhileReasoning: [] });
    expect(readModelRow(newer, 'ignore')).not.toHaveProperty('flavour');
  });

  test.each([
    ['openai/gpt-5.6-sol', true],
    ['gpt-5', false],
    ['a/b/c', false],
    ['openai/', false],
    ['__proto__', false],
    [`openai/${'x'.repeat(101)}`, false],
  ])('%s is a valid id: %s', (text, expected) => {
    expect(isModelId(text)).toBe(expected);
  });
});
