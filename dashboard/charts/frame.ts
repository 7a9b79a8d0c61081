/** Where the parts of a chart over time are, in pixels of its SVG. */
import type { Axis } from './axis.ts';

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
