/** The range of time that all pages share, as it is in the URL. Days are those of UTC, as the gateway sums by them. */

export const rangeNames = ['today', '24h', '7d', '30d', '90d', 'month', 'last-month'] as const;
type RangeName = (typeof rangeNames)[number];

export const rangeTitles: Readonly<Record<RangeName, string>> = {
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

const hour = 3_600;
const day = 24 * hour;

/** The longest custom range, in days: more is refused by the overview of the API. */
export const maxRangeDays = 92;

/**
 * Reads `range`, or `from` and `to` as dates of which both count. What cannot be read is the default range.
 *
 * @param now Unix seconds.
 */
export function readRange(query: URLSearchParams, now: number): Range {
  const custom = customRange(query.get('from'), query.get('to'));
  if (custom) return custom;
  const given = query.get('range');
  return named(rangeNames.find((name) => name === given) ?? defaultRange, now);
}

/** What to set in the URL for a range; null removes a parameter. */
export const rangeQuery = (
  choice: { readonly name: RangeName } | { readonly from: string; readonly to: string },
): Readonly<Record<'range' | 'from' | 'to', string | null>> =>
  'name' in choice
    ? { range: choice.name === defaultRange ? null : choice.name, from: null, to: null }
    : { range: null, from: choice.from, to: choice.to };

/** Undefined unless both are dates in order that are not too far apart. */
function customRange(from: string | null, to: string | null): Range | undefined {
  const start = readDate(from);
  const last = readDate(to);
  if (start === undefined || last === undefined) return undefined;
  const end = last + day;
  return end > start && end - start <= maxRangeDays * day
    ? { name: 'custom', from: start, to: end }
    : undefined;
}

function named(name: RangeName, now: number): Range {
  const nextHour = Math.floor(now / hour) * hour + hour;
  const nextDay = Math.floor(now / day) * day + day;
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

/** Unix seconds of its start in UTC. */
function readDate(text: string | null): number | undefined {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  // A date such as 31 February is read as one of March.
  return Number.isNaN(time) || dateOf(time / 1_000) !== text ? undefined : time / 1_000;
}

/** The date in UTC, such as `2026-11-23`, of Unix seconds. */
export const dateOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);
