/** The statistics that the figures need. */

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * part));
  return sorted[at] ?? Number.NaN;
}

/** Half of the values lie below it. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
