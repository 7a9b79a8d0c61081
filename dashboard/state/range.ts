/** The range of time that all pages share, as it is in the URL. Days are those of UTC, as the gateway sums by them. */

export const rangeNames = ['1h', 'today', '24h', '7d', '30d', '90d', 'month', 'last-month'] as const;
type RangeName = (typeof rangeNames)[number];

export const rangeTitles: Readonly<Record<RangeName, string>> = {
  '1h': 'Last hour',
  today: 'Today',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
  'last-month': 'Last month',
};

const defaultRange: RangeName = '7d';

export interface Range {
  readonly name: RangeName | 'custom';
  /** Unix seconds; the first that counts. */
  readonly from: number;
  /** Unix seconds; the first that no longer counts. It may be in the future, so that it stays the same for a while. */
  readonly to: number;
}

const step = 300;
const hour = 3_600;
const day = 24 * hour;

/** The longest custom range, in days: more is refused by the overview of the API. */
export const maxRangeDays = 92;

/**
 * Reads `range`, or `from` and `to`: as dates, both included, or as times to the second (`2026-11-23T10:20:30Z`), the end excluded. The
 * result is the default range if they are invalid.
 *
 * @param now Unix seconds.
 */
export function readRange(query: URLSearchParams, now: number): Range {
  const custom = customRange(query.get('from'), query.get('to'));
  if (custom) return custom;
  const given = query.get('range');
  return named(rangeNames.find((name) => name === given) ?? defaultRange, now);
}

/** Whether further requests can come into it: it moves on, or it has not ended. */
export const isLive = ({ name, to }: Range, now: number): boolean =>
  (name !== 'custom' && name !== 'last-month') || to > now;

/** What to set in the URL for a range, or for a span in Unix seconds; null removes a parameter. */
export function rangeQuery(
  choice: { readonly name: RangeName } | Pick<Range, 'from' | 'to'>,
): Readonly<Record<'range' | 'from' | 'to', string | null>> {
  if ('name' in choice)
    return { range: choice.name === defaultRange ? null : choice.name, from: null, to: null };
  const { from, to } = choice;
  if (isWholeDays(choice)) return { range: null, from: dateOf(from), to: dateOf(to - day) };
  return { range: null, from: timeOf(from), to: timeOf(to) };
}

export const isWholeDays = ({ from, to }: Pick<Range, 'from' | 'to'>): boolean =>
  from % day === 0 && to % day === 0;

/** Undefined unless both are dates or times in order that are not too far apart. */
function customRange(first: string | null, last: string | null): Range | undefined {
  const [from, to] = [readTime(first), readTime(last, day)];
  return from !== undefined && to !== undefined && fits({ from, to })
    ? { name: 'custom', from, to }
    : undefined;
}

/** Whether it is in order, and not too long. */
export const fits = ({ from, to }: Pick<Range, 'from' | 'to'>): boolean =>
  to > from && to - from <= maxRangeDays * day;

function named(name: RangeName, now: number): Range {
  const nextHour = Math.floor(now / hour) * hour + hour;
  const nextDay = Math.floor(now / day) * day + day;
  // It has the whole last hour, and stays the same for five minutes.
  if (name === '1h')
    return { name, from: Math.floor(now / step) * step - hour, to: Math.floor(now / step) * step + step };
  if (name === 'today') return { name, from: nextDay - day, to: nextDay };
  if (name === '24h') return { name, from: nextHour - day, to: nextHour };
  if (name === 'month') return { name, from: startOfMonth(now, 0), to: nextDay };
  if (name === 'last-month') return { name, from: startOfMonth(now, -1), to: startOfMonth(now, 0) };
  return { name, from: nextDay - Number.parseInt(name, 10) * day, to: nextDay };
}

function startOfMonth(now: number, offset: number): number {
  const date = new Date(now * 1_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) / 1_000;
}

/** Unix seconds of a time, or of a date's start in UTC and what is added to that. */
function readTime(text: string | null, added = 0): number | undefined {
  if (text === null || !/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/.test(text)) return undefined;
  const isDate = text.length === 10;
  const time = Date.parse(text) / 1_000;
  // A date such as 31 February is read as one of March.
  if (Number.isNaN(time) || (isDate ? dateOf(time) : timeOf(time)) !== text) return undefined;
  return isDate ? time + added : time;
}

/** The date in UTC, such as `2026-11-23`, of Unix seconds. */
export const dateOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** The time in UTC, such as `2026-11-23T10:20:30Z`, of whole Unix seconds. */
export const timeOf = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
