/** The statistics that the figures need. */

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * part));
  return sorted[at] ?? Number.NaN;
}

/** Half of the values lie below it. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

export interface Line {
  readonly offset: number;
  readonly slope: number;
}

/** The line that comes nearest to the points, by least squares of relative distance: the small ones count as much. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): Line {
  let weight = 0;
  let sumX = 0;
  let sumY = 0;
  let sumXX = 0;
  let sumXY = 0;
  for (const [x, y] of points) {
    const each = 1 / (y * y);
    weight += each;
    sumX += each * x;
    sumY += each * y;
    sumXX += each * x * x;
    sumXY += each * x * y;
  }
  const slope = (weight * sumXY - sumX * sumY) / (weight * sumXX - sumX * sumX);
  return { offset: (sumY - slope * sumX) / weight, slope };
}
