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
    expect(readModelRow(row)).toStrictEqual({
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
    expect(first?.price).toStrictEqual({
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
    expect(first?.price.serviceTiers).toStrictEqual({
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
    expect(first?.price.hours).toStrictEqual([
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
    expect(deployments).toStrictEqual([
      {
        ...deployment,
        prices: [{ from: 0, price: { input: 1000, output: 2000, cachedInput: null, cacheWrite: null } }],
      },
    ]);
  });

  test('a price may change on a given date', () => {
    const laterPrices = [{ from: '2027-01-01', input: 0.3, output: 5 }];
    const { prices } = readModelRow({ ...row, laterPrices });
    expect(prices.map(({ from, price }) => [from, price.input])).toStrictEqual([
      [0, 150],
      [Date.UTC(2027, 0, 1) / 1000, 300],
    ]);
    const mixedUp = [...laterPrices, { from: '2026-12-01', input: 1, output: 1 }];
    expect(() => readModelRow({ ...row, laterPrices: mixedUp })).toThrow('laterPrices');
  });

  test('one timeout may be set and the others keep their defaults', () => {
    const { timeouts } = readModelRow({ ...row, timeouts: { firstByteMs: 1000 } });
    expect(timeouts).toStrictEqual({ connectMs: 5000, firstByteMs: 1000, bodyMs: 300000, idleMs: 120000 });
  });

  test('every field may be set, and is kept', () => {
    const traits = {
      reasoning: {
        style: 'budget',
        efforts: ['low', 'high'],
        defaultEffort: 'low',
        budget: { min: 0, max: 9 },
        off: 'zero',
      },
      refuses: ['stop'],
      refusesWhileReasoning: ['seed'],
      toolChoices: ['none', 'auto', 'required', 'named'],
      toolsWhileReasoning: false,
      onlyResponses: true,
      structuredOutput: 'object',
      cachePoints: ['tools', 'system', 'messages'],
      originalDetail: true,
      webSearch: true,
      fillsIn: true,
      temperature: { max: 1 },
      usualOutput: 100,
      embedding: {
        dimensions: {
          default: 8,
          values: [4, 8],
          range: { min: 1, max: 8 },
          shortenedBy: 'host',
          normalizedUpstream: true,
        },
        inputTypes: 'prefix',
        prefixes: { query: 'q: ', document: 'd: ' },
        batchSize: 5,
      },
      image: {
        sizes: ['auto'],
        qualities: ['low'],
        backgrounds: ['opaque'],
        outputFormats: ['png'],
        complexities: [],
        maxImages: 4,
      },
    };
    const deployment = {
      provider: 'acme',
      region: 'eu',
      upstreamId: 'thinker',
      equalToPrevious: true,
      collectsData: true,
      retainsData: false,
      regions: ['eu', 'us-east-1'],
    };
    const notes = { sources: ['a page, 2026-11-20'], ends: '2027-01-01', differs: [] };
    const whole = {
      ...row,
      aliases: ['thinker', 'thinker-2026'],
      status: 'deprecated',
      replacement: 'acme/thinker-3',
      traits,
      sources: notes.sources,
      deployments: [{ ...deployment, ...notes }],
      timeouts: { connectMs: 1, firstByteMs: 2, bodyMs: 3, idleMs: 4 },
    };
    const { aliases, status, replacement, timeouts } = whole;
    for (const unknownFields of ['refuse', 'ignore'] as const) {
      expect(readModelRow(whole, unknownFields)).toMatchObject({
        aliases,
        status,
        replacement,
        timeouts,
        traits,
      });
      expect(readModelRow(whole, unknownFields).deployments).toStrictEqual([deployment]);
      expect(readModelRow(whole, unknownFields)).not.toHaveProperty('sources');
    }
  });

  test('hours may have service tiers of their own, and days on which they are not', () => {
    const fast = { input: 3, output: 4 };
    const hour = {
      utc: ['00:00-24:00'],
      exceptDates: ['2026-12-25'],
      input: 1,
      output: 2,
      serviceTiers: { fast, quick: 'fast' },
    };
    const [first] = readModelRow({ ...row, price: { input: 1, output: 2, hours: [hour] } }).prices;
    expect(first?.price.hours).toMatchObject([
      { exceptDates: ['2026-12-25'], serviceTiers: { fast: { input: 3_000 }, quick: { output: 4_000 } } },
    ]);
  });

  describe('a route', () => {
    const own = { provider: 'bedrock', region: 'us-east-1', upstreamId: 'own', regions: ['us-east-1'] };
    const routesOf = (ways: readonly object[], more: object = {}) =>
      readModelRow({ ...row, deployments: [{ ...own, ...more, ways }] }).deployments[0]?.routes;
    const way = { upstreamId: 'eu.own', from: ['eu'], regions: ['eu'] };
    const price = { input: 1, output: 2 };
    const read = { input: 1_000, output: 2_000, cachedInput: null, cacheWrite: null };

    test('costs what the deployment costs, and the deployment itself is the last one', () => {
      expect(routesOf([way])).toStrictEqual([
        way,
        { upstreamId: 'own', from: ['us-east-1'], regions: ['us-east-1'] },
      ]);
      expect(routesOf([way], { price })).toStrictEqual([
        way,
        {
          upstreamId: 'own',
          from: ['us-east-1'],
          regions: ['us-east-1'],
          prices: [{ from: 0, price: read }],
        },
      ]);
    });

    test('may cost more by a part, of the deployment or of the model', () => {
      const upliftPercent = 10;
      expect(routesOf([{ ...way, upliftPercent }])?.[0]).toStrictEqual({
        ...way,
        prices: [{ from: 0, price: { ...read, input: 150, output: 2_500, upliftPercent } }],
      });
      expect(routesOf([{ ...way, upliftPercent }], { price })?.[0]?.prices).toStrictEqual([
        { from: 0, price: { ...read, upliftPercent } },
      ]);
    });

    test('may have a price of its own, or no known one', () => {
      const laterPrices = [{ from: '2027-01-01', ...price }];
      expect(routesOf([{ ...way, price, laterPrices }])?.[0]).toStrictEqual({
        ...way,
        prices: [
          { from: 0, price: read },
          { from: Date.UTC(2027, 0, 1) / 1000, price: read },
        ],
      });
      expect(routesOf([{ ...way, priceUnknown: true }])?.[0]).toStrictEqual({ ...way, prices: [] });
    });
  });

  const reasoning = { style: 'effort', efforts: ['low', 'high'], defaultEffort: 'low' };
  const deployment = { provider: 'acme', region: 'global', upstreamId: 'thinker' };
  const many = (count: number, value: unknown) => Array(count).fill(value);
  const priced = (more: object) => ({ price: { input: 1, output: 1, ...more } });
  const hoursOf = (more: object) =>
    priced({ hours: [{ utc: ['01:00-04:00'], input: 1, output: 1, ...more }] });
  const route = { upstreamId: 'one', regions: [] };

  test.each<[string, object, object]>([
    ['aliases', { aliases: many(20, 'a') }, { aliases: many(21, 'a') }],
    ['the form of an alias', { aliases: ['a.b:c'] }, { aliases: ['a/b'] }],
    ['an amount', priced({ input: 1_000_000 }), priced({ input: 1_000_001 })],
    ['decimals of an amount', priced({ input: 0.123_456 }), priced({ input: 0.123_456_7 })],
    ['decimals of an image', priced({ image: 0.123_456_789 }), priced({ image: 0.123_456_789_1 })],
    ['an uplift', priced({ upliftPercent: 1_000 }), priced({ upliftPercent: 1_000.5 })],
    ['an uplift above nothing', priced({ upliftPercent: 0.25 }), priced({ upliftPercent: 0 })],
    [
      'the length of a tier',
      priced({ tiers: [{ aboveInputTokens: 1, input: 1, output: 1 }] }),
      priced({ tiers: [{ aboveInputTokens: 0, input: 1, output: 1 }] }),
    ],
    [
      'the name of a tier',
      priced({ serviceTiers: { [`a${'b'.repeat(63)}`]: { input: 1, output: 1 } } }),
      priced({ serviceTiers: { [`a${'b'.repeat(64)}`]: { input: 1, output: 1 } } }),
    ],
    ['the name of a tool', priced({ hostedTools: { a_1: 1 } }), priced({ hostedTools: { '1a': 1 } })],
    ['the free allowance', priced({ freeAllowance: true }), priced({ freeAllowance: false })],
    ['ranges of hours', hoursOf({}), hoursOf({ utc: [] })],
    ['the end of a range', hoursOf({ utc: ['23:59-24:00'] }), hoursOf({ utc: ['23:00-24:01'] })],
    ['the begin of a range', hoursOf({ utc: ['00:00-00:01'] }), hoursOf({ utc: ['00:01-00:01'] })],
    ['weekdays', hoursOf({ weekdays: ['sun'] }), hoursOf({ weekdays: [] })],
    [
      'dates',
      hoursOf({ exceptDates: many(100, '2026-12-25') }),
      hoursOf({ exceptDates: many(101, '2026-12-25') }),
    ],
    [
      'tiers of hours',
      hoursOf({ serviceTiers: { a: { input: 1, output: 1 }, b: 'a' } }),
      hoursOf({ serviceTiers: { b: 'a' } }),
    ],
    [
      'a tier that is like another one',
      priced({ serviceTiers: { a: { input: 1, output: 1 }, b: 'a' } }),
      priced({ serviceTiers: { a: 'b', b: 'a' } }),
    ],
    [
      'a tier of another object',
      priced({ serviceTiers: {} }),
      priced({ serviceTiers: { a: 'constructor' } }),
    ],
    [
      'the order of later prices',
      { laterPrices: [{ from: '2027-01-01T12:00:00Z', input: 1, output: 1 }] },
      { laterPrices: many(2, { from: '2027-01-01', input: 1, output: 1 }) },
    ],
    [
      'tiers of later prices',
      { laterPrices: [{ from: '2027-01-01', input: 1, output: 1, serviceTiers: {} }] },
      { laterPrices: [{ from: '2027-01-01', input: 1, output: 1, serviceTiers: { b: 'a' } }] },
    ],
    [
      'the order of later prices of a deployment',
      { deployments: [{ ...deployment, laterPrices: [{ from: '2027-01-01', input: 1, output: 1 }] }] },
      { deployments: [{ ...deployment, laterPrices: many(2, { from: '2027-01-01', input: 1, output: 1 }) }] },
    ],
    [
      'the order of later prices of a route',
      { deployments: [{ ...deployment, ways: [route] }] },
      {
        deployments: [
          {
            ...deployment,
            ways: [{ ...route, laterPrices: many(2, { from: '2027-01-01', input: 1, output: 1 }) }],
          },
        ],
      },
    ],
    [
      'regions',
      { deployments: [{ ...deployment, regions: many(40, 'eu') }] },
      { deployments: [{ ...deployment, regions: many(41, 'eu') }] },
    ],
    [
      'the form of a region',
      { deployments: [{ ...deployment, regions: ['eu-1'] }] },
      { deployments: [{ ...deployment, regions: ['EU'] }] },
    ],
    [
      'routes',
      { deployments: [{ ...deployment, ways: many(20, route) }] },
      { deployments: [{ ...deployment, ways: many(21, route) }] },
    ],
    [
      'at least one route',
      { deployments: [{ ...deployment, ways: [route] }] },
      { deployments: [{ ...deployment, ways: [] }] },
    ],
    ['efforts', { traits: { reasoning } }, { traits: { reasoning: { ...reasoning, efforts: [] } } }],
    ['sizes', { traits: { image: { sizes: ['a'] } } }, { traits: { image: { sizes: [] } } }],
    ['timeouts', { timeouts: { idleMs: 1 } }, { timeouts: { idleMs: 0 } }],
    ['limits', { limits: { ...row.limits, output: 1 } }, { limits: { ...row.limits, output: 0 } }],
  ])('%s have a bound', (_, allowed, refused) => {
    expect(() => readModelRow({ ...row, ...allowed })).not.toThrow();
    expect(() => readModelRow({ ...row, ...refused })).toThrow('Malformed catalog row');
  });

  test('each problem is named with its place and what is expected', () => {
    const { id: _, ...rest } = row;
    const wrong = { ...rest, created: 5, status: 'new', colour: 'blue', traits: { shade: 1 } };
    expect(() => readModelRow(wrong)).toThrow(
      /id: not of type string.*created: not of type string.*status: none of .*active.*traits: unknown field shade.*row: unknown field colour/,
    );
    expect(() => readModelRow(5)).toThrow('Malformed catalog row: row: not of type object');
  });

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
    expect(readModelRow({ ...rest, status: 'retired' }).prices).toStrictEqual([]);
  });

  test('unknown fields of a newer gateway can be ignored', () => {
    const newer = { ...row, flavour: 'sweet', traits: { refuses: ['stop'], colour: 'blue' } };
    expect(readModelRow(newer, 'ignore').traits).toStrictEqual({
      refuses: ['stop'],
      refusesWhileReasoning: [],
    });
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
