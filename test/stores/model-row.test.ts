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
    ['a price below a nano-dollar', { price: { input: 0.0375, output: 1 } }, 'nano-dollars'],
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
