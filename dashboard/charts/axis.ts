/** An axis of values from 0, with round numbers. */

export interface Axis {
  readonly max: number;
  readonly ticks: readonly number[];
}

/** To at least `highest`, in at most `steps` steps of 1, 2 or 5 times a power of ten, none below `smallest`. */
export function axisTo(highest: number, steps = 4, smallest = 0): Axis {
  const rough = Math.max(highest > 0 ? highest / steps : 0, smallest) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  // The margin keeps 0.30000000000000004 on the step of 0.3.
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10);
  const count = Math.max(1, Math.ceil((highest / step) * (1 - 1e-9)));
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
  return { max: ticks.at(-1) ?? step, ticks };
}
