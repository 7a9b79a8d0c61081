/** Sums of amounts that are too large for a number, so that no record has an amount that cannot be read. */
import { expect, test } from 'vitest';
import { sumOfAmounts } from '../../../lib/core/accounting/ledger.ts';

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
