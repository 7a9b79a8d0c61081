/**
 * Times to the first token, counted in buckets whose bounds grow by a constant factor, so that quantiles can be had of any sum of
 * them: of hours, of days, of all models.
 *
 * A quantile is the middle (geometric) of the bucket in which it lies. The largest relative error is the square root of the factor
 * less one: 9.6 percent.
 */

const factor = 1.2;

/** The last bucket has all that is longer. It ends at 17 minutes: a request takes at most 16. */
export const buckets = 77;

/** The names of the buckets in sums. */
const prefix = 't';

const bucket = /^t(\d{1,2})$/;

export type Bucket = `${typeof prefix}${number}`;

export const isBucket = (name: string): name is Bucket => bucket.test(name);

/** The name of the bucket of a time in milliseconds. */
export function bucketOf(milliseconds: number): Bucket {
  const index = Math.ceil(Math.log(Math.max(1, milliseconds)) / Math.log(factor) - rounding);
  return `${prefix}${Math.min(buckets - 1, Math.max(0, index))}`;
}

/** What the logarithm of a bound may be off. */
const rounding = 1e-9;

/** In milliseconds, of the buckets among these numbers; null if they have none. `share`: 0.5 for the median. */
export function quantileOf(numbers: Readonly<Record<string, number>>, share: number): number | null {
  const counted = Object.entries(numbers)
    .flatMap(([name, count]) => {
      const [, index] = bucket.exec(name) ?? [];
      return index !== undefined && count > 0 ? [{ index: Number(index), count }] : [];
    })
    .toSorted((one, other) => one.index - other.index);
  const rank = Math.ceil(counted.reduce((sum, { count }) => sum + count, 0) * share);
  let passed = 0;
  for (const { index, count } of counted) {
    passed += count;
    if (passed >= rank) return middleOf(index);
  }
  return null;
}

/** The first bucket has one millisecond and less. */
const middleOf = (index: number) => (index === 0 ? 1 : factor ** (index - 0.5));
