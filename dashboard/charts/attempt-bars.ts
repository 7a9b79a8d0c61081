/** Where the attempts of one request are on its time axis. */
import { axisTo } from './frame.ts';

export interface Span {
  /** Milliseconds from the beginning of the request. */
  readonly from: number;
  /** Null: it has not ended, or it is unknown when. */
  readonly to: number | null;
}

interface Bar {
  /** Of 0 to 1. */
  readonly start: number;
  readonly width: number;
  readonly hasEnd: boolean;
}

interface TimeBars {
  readonly bars: readonly Bar[];
  /** Of 0 to 1, with their time in milliseconds. */
  readonly ticks: readonly { readonly at: number; readonly time: number }[];
  /** Of 0 to 1; the time of the first byte. */
  readonly firstByte: number | null;
}

/** The axis ends with the request; while it is open, with the last time that is known. */
export function timeBars(spans: readonly Span[], total: number | null, firstByte: number | null): TimeBars {
  const known = spans.flatMap(({ from, to }) => [from, to ?? from]);
  const end = Math.max(total ?? 0, firstByte ?? 0, ...known, 1);
  const at = (time: number) => Math.min(1, Math.max(0, time / end));
  return {
    bars: spans.map(({ from, to }) => ({
      start: at(from),
      width: at(to ?? end) - at(from),
      hasEnd: to !== null,
    })),
    ticks: axisTo(end, 4)
      .ticks.filter((time) => time <= end)
      .map((time) => ({ at: at(time), time })),
    firstByte: firstByte === null ? null : at(firstByte),
  };
}
