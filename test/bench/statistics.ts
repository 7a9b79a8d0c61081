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

/** How something grows with a size. */
export interface Shape {
  /** What one more costs. */
  readonly each: number;
  /** What one more costs at the large end, over what it costs before: 1 is linear. */
  readonly bend: number;
}

/** `points`: at least three, the smallest first. */
export function shapeOf(points: readonly (readonly [size: number, value: number])[]): Shape {
  const { slope: each } = fitLine(points);
  const [first, middle, last] = [points[0], points.at(-2), points.at(-1)];
  if (!first || !middle || !last) return { each, bend: Number.NaN };
  const between = (one: typeof last, other: typeof last) => (other[1] - one[1]) / (other[0] - one[0]);
  return { each, bend: between(middle, last) / between(first, middle) };
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
