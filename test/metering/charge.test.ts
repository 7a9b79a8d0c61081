/** What a tenant is charged: markup and fixed prices, exact and from a date on. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeTerms, markupPercent, type Pricing } from '../../lib/core/accounting/pricing.ts';
import type { GuardRecord } from '../../lib/core/guardrails/guard-record.ts';
import { billOf } from '../../lib/metering/cost/bill.ts';
import { boundWithMarkup, chargeOf } from '../../lib/metering/cost/charge.ts';
import { chargeLines } from '../../lib/metering/cost/charge-lines.ts';
import { testRecord } from '../harness/ledger.ts';
import { usageOf } from './usages.ts';

const december = Date.parse('2026-12-01T00:00:00Z');
const usage = usageOf({ promptTokens: 1_000, completionTokens: 100 });
const pricing: Pricing = [
  { from: 0, markup: 0 },
  {
    from: december / 1000,
    markup: 2_000,
    models: { 'acme/fixed': { input: 3_000, output: 15_000, cachedInput: null, cacheWrite: null } },
  },
];
const call = { model: 'acme/one', usage, cost: 1_001 };

describe('the charge', () => {
  test('is the cost without terms, and before they begin', () => {
    expect(chargeOf(call, undefined, december)).toBe(1_001);
    expect(chargeOf(call, [], december)).toBe(1_001);
    expect(chargeOf(call, pricing, december - 1)).toBe(1_001);
  });

  test('is the cost and the markup from the first second of the terms on', () => {
    expect(chargeOf(call, pricing, december)).toBe(1_201);
  });

  test.each([
    ['half a nano-dollar is rounded up', 1, 5_000, 2],
    ['less is rounded down', 1, 4_999, 1],
    ['a discount', 1_000, -2_550, 745],
    ['half of a discounted nano-dollar is rounded up', 5, -1_000, 5],
    ['all of it given away', 1_000, -10_000, 0],
    ['the largest cost stays exact', 9_007_199_254_740_991, 0, 9_007_199_254_740_991],
  ])('%s', (_, cost, markup, charge) => {
    expect(chargeOf({ model: 'acme/one', cost }, [{ from: 0, markup }], december)).toBe(charge);
  });

  test('is unknown where the cost is unknown, or too large for an exact number', () => {
    expect(chargeOf({ model: 'acme/one', cost: null }, pricing, december)).toBeNull();
    expect(chargeOf({ model: 'acme/one', cost: 9e15 }, pricing, december)).toBeNull();
  });

  test('of a fixed price is that of the use, whatever the cost', () => {
    const charge = 1_000 * 3_000 + 100 * 15_000;
    expect(chargeOf({ ...call, model: 'acme/fixed' }, pricing, december)).toBe(charge);
    expect(chargeOf({ ...call, model: 'acme/fixed', cost: null }, pricing, december)).toBe(charge);
  });

  test('of a fixed price is unknown where only some of what was sent was counted', () => {
    const call = { model: 'acme/fixed', usage, uncounted: 1, cost: null };
    expect(chargeOf(call, pricing, december)).toBeNull();
  });

  test('of a fixed price without counts is 0 where the cost is, else unknown', () => {
    expect(chargeOf({ model: 'acme/fixed', cost: 0 }, pricing, december)).toBe(0);
    expect(chargeOf({ model: 'acme/fixed', cost: 7 }, pricing, december)).toBeNull();
    expect(chargeOf({ model: 'acme/fixed', cost: null }, pricing, december)).toBeNull();
  });

  test('of a fixed price without an amount for what was used is unknown', () => {
    const searched = { ...call, model: 'acme/fixed', usage: { ...usage, webSearches: 1 } };
    expect(chargeOf(searched, pricing, december)).toBeNull();
  });

  test('equals the definition of half up, and its bound is never below', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: -10_000, max: 100_000 }), (cost, markup) => {
        const exact = BigInt(cost) * BigInt(10_000 + markup);
        const charge = chargeOf({ model: 'acme/one', cost }, [{ from: 0, markup }], december);
        const bound = boundWithMarkup(cost, { markup });
        if (charge === null) {
          expect(exact / 10_000n).toBeGreaterThan(9_007_199_254_740_990n);
          return;
        }
        const twice = 2n * (BigInt(charge) * 10_000n - exact);
        expect(twice > -10_000n && twice <= 10_000n).toBe(true);
        if (bound !== null) expect(bound).toBeGreaterThanOrEqual(charge);
      }),
    );
  });
});

test('terms are described with their percentage and time', () => {
  expect(describeTerms(pricing, december / 1000)).toBe('20 % from 2026-12-01T00:00:00Z');
  expect(describeTerms(undefined, december / 1000)).toBeUndefined();
  expect([2_000, 2_050, 2_055, 5, 0, -2_500].map(markupPercent)).toEqual([
    '20',
    '20.5',
    '20.55',
    '0.05',
    '0',
    '-25',
  ]);
});

test('the arithmetic of a charge comes to that charge, or is not shown: terms may have been changed for a time before', () => {
  const [attempt] = testRecord().attempts;
  if (!attempt) throw new Error('A record has an attempt.');
  const price = { input: 10, output: 20, cachedInput: null, cacheWrite: null };
  const charged = { ...attempt, usage: usageOf({ promptTokens: 100 }), cost: 1_000, charge: 1_200 };
  const linesAt = (markup: number) => chargeLines(charged, price, [{ from: 0, markup }], attempt.at);
  expect(linesAt(2_000)).toMatchObject([{ what: 'input', amount: '0.0000012' }]);
  expect(linesAt(5_000)).toBeNull();
});

test('what detectors of guardrails cost is charged with the markup, and unknown where a price is', () => {
  const guard = (cost: number | null): GuardRecord => ({
    ...({ policy: 'house', version: 1, rule: 'aws', phase: 'input', action: 'block' } as const),
    ...{ ms: 1, units: 1, cost },
  });
  const { cost: _, charge: __, pricing: ___, ...record } = testRecord({});
  const billed = (cost: number | null) => {
    const bill = billOf({ ...record, at: december, attempts: [], guard: [guard(0), guard(cost)] }, pricing);
    return [bill.cost, bill.charge];
  };
  expect(billed(1_000)).toEqual([1_000, 1_200]);
  expect(billed(null)).toEqual([null, null]);
});
