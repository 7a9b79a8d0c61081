/** Where the parts of a chart are: an axis of values from 0 with round numbers, and slots of time in pixels of its SVG. */

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

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The area of the values: its left, right, upper and lower edge. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The left edge leaves room for the longest label of the axis. */
export function frameOf(width: number, height: number, labels: readonly string[]): Frame {
  const longest = Math.max(0, ...labels.map((label) => label.length));
  return {
    width,
    height,
    left: Math.ceil(longest * 6.6) + 10,
    right: width - 1,
    top: 8,
    bottom: height - 22,
  };
}

/** Where a slot begins; `count` is the end of the last one. In whole pixels, unless slots are too narrow for that. */
export function slotStart(frame: Frame, index: number, count: number): number {
  const slot = (frame.right - frame.left) / Math.max(1, count);
  const start = frame.left + slot * index;
  return slot < 4 ? Math.round(start * 100) / 100 : Math.round(start);
}

export const slotMiddle = (frame: Frame, index: number, count: number): number =>
  (slotStart(frame, index, count) + slotStart(frame, index + 1, count)) / 2;

const widestBar = 44;

/** The bar of a slot, with room to the next one where slots are wide enough. */
export function barOf(
  frame: Frame,
  index: number,
  count: number,
): { readonly x: number; readonly width: number } {
  const start = slotStart(frame, index, count);
  const slot = slotStart(frame, index + 1, count) - start;
  if (slot < 4) return { x: start, width: Math.round(slot * 100) / 100 };
  const width = Math.min(slot - Math.max(1, Math.round(slot * 0.16)), widestBar);
  return { x: start + Math.floor((slot - width) / 2), width };
}

/** The slot at a position; undefined outside of the area. */
export function slotAt(frame: Frame, x: number, count: number): number | undefined {
  const index = Math.floor(((x - frame.left) / (frame.right - frame.left)) * count);
  return index >= 0 && index < count ? index : undefined;
}

/** The height of a value, with one decimal. */
export function yOf(frame: Frame, axis: Axis, value: number): number {
  return Math.round((frame.bottom - (value / axis.max) * (frame.bottom - frame.top)) * 10) / 10;
}
