/** Quantiles of times that are counted in buckets. */
import { expect, test } from 'vitest';
import { bucketOf, buckets, quantileOf } from '../../lib/core/accounting/first-byte.ts';
import { addNumbers, type Numbers } from '../../lib/core/accounting/sums.ts';
import { createRandom } from '../harness/random.ts';

const countsOf = (times: readonly number[]) =>
  times.map((time): Numbers => ({ [bucketOf(time)]: 1 })).reduce(addNumbers, {});

/** As defined: the least time that is at least as long as this share of all. */
const exact = (times: readonly number[], share: number) =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? 0;

test('are within ten percent of the exact ones, from a millisecond to a quarter of an hour', () => {
  const { next: random } = createRandom(7);
  for (let round = 0; round < 200; round += 1) {
    const scale = 900_000 ** random();
    const times = Array.from({ length: 1 + Math.floor(random() * 60) }, () =>
      Math.min(900_000, Math.max(1, Math.round(scale * (0.2 + 4 * random())))),
    );
    for (const share of [0.5, 0.95]) {
      const found = quantileOf(countsOf(times), share) ?? 0;
      const expected = exact(times, share);
      expect(Math.abs(found - expected) / expected).toBeLessThan(0.096);
    }
  }
});

test('every time has a bucket, also one that cannot be', () => {
  const last = `t${buckets - 1}`;
  expect([-5, 0, 0.4, 1, 2, 900_000, 1e9, Number.POSITIVE_INFINITY].map(bucketOf)).toEqual([
    't0',
    't0',
    't0',
    't0',
    't4',
    last,
    last,
    last,
  ]);
  // The bound of a bucket is in it.
  expect(Array.from({ length: buckets }, (_, index) => bucketOf(1.2 ** index))).toEqual(
    Array.from({ length: buckets }, (_, index) => `t${index}`),
  );
});

test('there is none of nothing, and other numbers are not times', () => {
  expect(quantileOf({}, 0.5)).toBeNull();
  expect(quantileOf({ requests: 9, t3: 0, total: 4 }, 0.5)).toBeNull();
  expect(quantileOf({ t3: 0, t5: 1 }, 0.5)).toBeCloseTo(1.2 ** 4.5);
});
