/** Amounts of money go from what a user types to nano-dollars and back without losing any. */

import { describe, expect, test } from 'vitest';
import { sumOfAmounts } from '../../lib/core/accounting/ledger.ts';
import { formatDollars, parseDollars, parseSignedDollars } from '../../lib/core/accounting/money.ts';

describe('amounts', () => {
  test.each([
    ['0', 0, '0.00'],
    ['50', 50_000_000_000, '50.00'],
    ['0.1', 100_000_000, '0.10'],
    ['12.345', 12_345_000_000, '12.345'],
    ['0.000000001', 1, '0.000000001'],
    ['1.000000001', 1_000_000_001, '1.000000001'],
    ['9007199.254740991', Number.MAX_SAFE_INTEGER, '9007199.254740991'],
    ['007', 7_000_000_000, '7.00'],
  ])('%s USD are %d nano-dollars and shown as %s', (text, nanoDollars, shown) => {
    expect(parseDollars(text)).toBe(nanoDollars);
    expect(formatDollars(nanoDollars)).toBe(shown);
    expect(parseDollars(shown)).toBe(nanoDollars);
  });

  test.each(['', '-1', '1e3', '$5', '5 ', '1,5', '.5', '5.', '0.0000000001', '9007199.254740992', 'NaN'])(
    '%j is none',
    (text) => {
      expect(parseDollars(text)).toBeUndefined();
    },
  );

  test.each([
    ['-5', -5_000_000_000],
    ['5', 5_000_000_000],
    ['-0', 0],
    ['--5', undefined],
    ['-', undefined],
  ])('signed, %s is %s', (text, amount) => {
    expect(parseSignedDollars(text)).toBe(amount);
  });

  test('a negative amount has a minus sign', () => {
    expect(formatDollars(-1_500_000_000)).toBe('-1.50');
    expect(formatDollars(-1)).toBe('-0.000000001');
  });
});

const largest = Number.MAX_SAFE_INTEGER;

test.each<[readonly (number | null)[], number | null]>([
  [[], 0],
  [[1, 2], 3],
  [[1, null], null],
  [[largest - 1, 1], largest],
  [[largest, 1], null],
  [[largest, largest, null], null],
])('the sum of %j is %j', (amounts, sum) => {
  expect(sumOfAmounts(amounts)).toBe(sum);
});
