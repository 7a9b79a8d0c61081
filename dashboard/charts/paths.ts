/** The paths of bars and lines. */
import { type Axis, barOf, type Frame, slotMiddle, yOf } from './frame.ts';
import type { Series } from './series.ts';

/** One path for the bars of each series, stacked in their order; empty where a series has no value above 0. */
export function stackPaths(series: readonly Series[], frame: Frame, axis: Axis): readonly string[] {
  const slots = Math.max(0, ...series.map(({ values }) => values.length));
  const below = new Array<number>(slots).fill(0);
  return series.map(({ values }) =>
    values
      .map((value, slot) => {
        if (!value || value < 0) return '';
        const from = below[slot] ?? 0;
        below[slot] = from + value;
        const { x, width } = barOf(frame, slot, slots);
        const lower = Math.round(yOf(frame, axis, from));
        const upper = Math.round(yOf(frame, axis, from + value));
        // A line of the surface's colour keeps neighbours apart; what is there is seen, however small it is.
        const start = from > 0 && width >= 4 && lower - upper > 2 ? lower - 1 : lower;
        return start === upper && from > 0
          ? ''
          : `M${x} ${start}V${Math.min(upper, start - 1)}h${width}V${start}z`;
      })
      .join(''),
  );
}

const pointOf = (values: readonly (number | null)[], slot: number, frame: Frame, axis: Axis) =>
  `${slotMiddle(frame, slot, values.length)} ${yOf(frame, axis, values[slot] ?? 0)}`;

const has = (values: readonly (number | null)[], slot: number) => (values[slot] ?? null) !== null;

/** A line through the middle of the slots, interrupted where there is no value. */
export function linePath(values: readonly (number | null)[], frame: Frame, axis: Axis): string {
  return values
    .map((value, slot) =>
      value === null ? '' : `${has(values, slot - 1) ? 'L' : 'M'}${pointOf(values, slot, frame, axis)}`,
    )
    .join('');
}

/** Dots for what a line does not show: values without a neighbour. And one for the marked slot. */
export function dotPath(
  values: readonly (number | null)[],
  marked: number | null,
  frame: Frame,
  axis: Axis,
): string {
  const isDot = (slot: number) => slot === marked || !(has(values, slot - 1) || has(values, slot + 1));
  return values
    .map((value, slot) => (value !== null && isDot(slot) ? `M${pointOf(values, slot, frame, axis)}h0` : ''))
    .join('');
}

/** The area between two lines, where both have values. */
export function areaPath(
  lower: readonly (number | null)[],
  upper: readonly (number | null)[],
  frame: Frame,
  axis: Axis,
): string {
  const slots = upper.flatMap((value, slot) =>
    value === null || (lower[slot] ?? null) === null ? [] : [slot],
  );
  return runsOf(slots)
    .map((run) => {
      const there = run.map((slot) => pointOf(upper, slot, frame, axis));
      const back = run.toReversed().map((slot) => pointOf(lower, slot, frame, axis));
      return `M${[...there, ...back].join('L')}z`;
    })
    .join('');
}

/** Numbers that follow each other without a gap. */
function runsOf(slots: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  for (const slot of slots) {
    const run = runs.at(-1);
    if (run?.at(-1) === slot - 1) run.push(slot);
    else runs.push([slot]);
  }
  return runs;
}

/** The runs of slots without data, as `[from, to)`. */
export function gapsOf(values: readonly (number | null)[]): readonly (readonly [number, number])[] {
  const missing = values.flatMap((value, slot) => (value === null ? [slot] : []));
  return runsOf(missing).map((run) => [run[0] ?? 0, (run.at(-1) ?? 0) + 1]);
}

/** The line of a sparkline in a box, without an axis; its lowest point is 0. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const max = Math.max(...values.map((value) => value ?? 0)) || 1;
  const frame = { width, height, left: 0, right: width, top: 1.5, bottom: height - 1.5 };
  return linePath(values, frame, { max, ticks: [] });
}
