/** Lengths of time, and how a time is written. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const daySeconds = dayMs / 1_000;

/** What times within one second have in common, for the last one that was asked for. */
let second = { begin: Number.NaN, text: '' };

/** ISO 8601 in UTC, to the millisecond, of Unix milliseconds. Each request has some, most of the same second: that is kept. */
export function isoTime(milliseconds: number): string {
  const rest = milliseconds % 1_000;
  const begin = milliseconds - rest;
  if (!Number.isSafeInteger(milliseconds) || rest < 0) return new Date(milliseconds).toISOString();
  if (begin !== second.begin)
    second = { begin, text: new Date(begin).toISOString().slice(0, -'000Z'.length) };
  return `${second.text}${String(rest).padStart(3, '0')}Z`;
}
