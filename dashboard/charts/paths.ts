/** The paths of bars and lines. */
import type { Axis } from './axis.ts';
import { barOf, type Frame, slotMiddle, yOf } from './frame.ts';
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
        const lower = yOf(frame, axis, from);
        // What is there is seen, however small it is.
        const upper = Math.min(yOf(frame, axis, from + value), from === 0 ? lower - 1 : lower);
        return `M${x} ${lower}V${upper}h${width}V${lower}z`;
      })
      .join(''),
  );
}

/** A line through the middle of the slots. It is interrupted where there is no value; a value alone is a dot. */
export function linePath(values: readonly (number | null)[], frame: Frame, axis: Axis): string {
  const point = (value: number, slot: number) =>
    `${slotMiddle(frame, slot, values.length)} ${yOf(frame, axis, value)}`;
  return values
    .map((value, slot) => {
      if (value === null) return '';
      if ((values[slot - 1] ?? null) !== null) return `L${point(value, slot)}`;
      const isAlone = (values[slot + 1] ?? null) === null;
      return `M${point(value, slot)}${isAlone ? 'h0' : ''}`;
    })
    .join('');
}

/** The runs of slots without data, as `[from, to)`. */
export function gapsOf(values: readonly (number | null)[]): readonly (readonly [number, number])[] {
  const gaps: [number, number][] = [];
  for (const [slot, value] of values.entries()) {
    if (value !== null) continue;
    const last = gaps.at(-1);
    if (last?.[1] === slot) last[1] = slot + 1;
    else gaps.push([slot, slot + 1]);
  }
  return gaps;
}

/** The line of a sparkline in a box, without an axis; its lowest point is 0. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const max = Math.max(...values.map((value) => value ?? 0)) || 1;
  const frame = { width, height, left: 0, right: width, top: 1.5, bottom: height - 1.5 };
  return linePath(values, frame, { max, ticks: [] });
}
