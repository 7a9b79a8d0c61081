/**
 * The item with the use of one scope's limits: how it is read, and how it changes with time. A new minute or month resets
 * its counts, and a reservation that was never finalized is released.
 */
import * as z from 'zod/mini';
import type { LimitName } from '../../core/accounting/limits.ts';
import type { ReservationUsage } from '../../core/accounting/reservations.ts';
import type { Limits } from '../../core/tenancy.ts';
import type { StoredItem } from '../dynamodb/table.ts';

const count = () => z.number();

/** An expired one has no amounts, and is kept for a while: its request may still be finalized. */
const reservation = z.object({
  until: count(),
  minute: count(),
  month: z.string(),
  tokens: z.exactOptional(count()),
  cost: z.exactOptional(count()),
  /** Absent in items from when all use counted against credit. */
  isPrepaid: z._default(z.boolean(), true),
});

const item = z.object({
  /** Minutes since 1970. */
  minute: count(),
  /** `YYYY-MM`. */
  month: z.string(),
  requests: count(),
  tokens: count(),
  committed: count(),
  usedCredit: count(),
  running: count(),
  open: z.record(z.string(), reservation),
});

export type OpenReservation = z.infer<typeof reservation>;

export type LimitItem = z.infer<typeof item>;

/** The counts, by the names of the item's attributes. */
export const counters = ['requests', 'tokens', 'committed', 'usedCredit', 'running'] as const;

export type Counter = (typeof counters)[number];

export type Counts = Readonly<Record<Counter, number>>;

/** The count of each limit. Limits that waiting does not lift come first. */
export const limitedCounts = [
  ['credit', 'usedCredit'],
  ['monthlyBudget', 'committed'],
  ['requestsPerMinute', 'requests'],
  ['tokensPerMinute', 'tokens'],
  ['concurrentRequests', 'running'],
] as const satisfies readonly (readonly [LimitName, Counter])[];

/** Throws for a damaged item: its use is unknown. */
export function readLimitItem(stored: StoredItem): LimitItem {
  const { data, error } = item.safeParse(stored);
  if (!data) throw new Error('The limit item in the database is damaged.', { cause: error });
  return data;
}

export const minuteOf = (milliseconds: number): number => Math.floor(milliseconds / 60_000);

export const monthOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 7);

/** The item of a scope without use. */
export const emptyItem = (now: number): LimitItem => ({
  minute: minuteOf(now),
  month: monthOf(now),
  requests: 0,
  tokens: 0,
  committed: 0,
  usedCredit: 0,
  running: 0,
  open: {},
});

/** How the passing of time changes an item. */
export interface Turn {
  readonly minute: number;
  readonly month: string;
  /** The counts that are reset. */
  readonly reset: readonly Counter[];
  /** The amounts released from expired reservations. */
  readonly freed: Counts;
  readonly expired: readonly (readonly [id: string, OpenReservation])[];
  /** Reservations that expired long ago. */
  readonly forgotten: readonly string[];
  /** The counts afterwards. */
  readonly counts: Counts;
}

/** An expression of the database fits this many. */
export const maxAtOnce = 40;

/** Time never runs back: if the clock is behind the item, the minute of the item counts. */
export function turnOf(seen: LimitItem, now: number): Turn {
  const minute = Math.max(seen.minute, minuteOf(now));
  const month = [seen.month, monthOf(now)].toSorted().at(-1) ?? seen.month;
  const over = Object.entries(seen.open).filter(([, { until }]) => until <= now);
  const expired = over.filter(([, { cost }]) => cost !== undefined).slice(0, maxAtOnce);
  const forgotten = over.filter(([, { cost }]) => cost === undefined).slice(0, maxAtOnce);
  const reset = [
    ...(minute === seen.minute ? [] : (['requests', 'tokens'] as const)),
    ...(month === seen.month ? [] : (['committed'] as const)),
  ];
  const freed = freedBy(
    expired.map(([, held]) => held),
    { minute, month },
  );
  const counts = toCounts((name) => (reset.some((other) => other === name) ? 0 : seen[name]) - freed[name]);
  return { minute, month, reset, freed, expired, forgotten: forgotten.map(([id]) => id), counts };
}

export const toCounts = (count: (name: Counter) => number): Counts => ({
  requests: count('requests'),
  tokens: count('tokens'),
  committed: count('committed'),
  usedCredit: count('usedCredit'),
  running: count('running'),
});

/** A lost request still counts as a request. What it reserved in an earlier minute or month no longer counts. */
function freedBy(
  expired: readonly OpenReservation[],
  { minute, month }: { readonly minute: number; readonly month: string },
): Counts {
  const sum = (amount: (held: OpenReservation) => number | undefined) =>
    expired.reduce((total, held) => total + (amount(held) ?? 0), 0);
  return {
    requests: 0,
    tokens: sum((held) => (held.minute === minute ? held.tokens : 0)),
    committed: sum((held) => (held.month === month ? held.cost : 0)),
    usedCredit: sum(({ cost, isPrepaid }) => (isPrepaid ? cost : 0)),
    running: expired.length,
  };
}

/** The first limit that the addition would exceed; undefined: none. */
export function reachedLimit(counts: Counts, limits: Limits, more: Counts): LimitName | undefined {
  const isReached = ([limit, counter]: (typeof limitedCounts)[number]) =>
    counts[counter] + more[counter] > (limits[limit] ?? Number.POSITIVE_INFINITY);
  return limitedCounts.find(isReached)?.[0];
}

export const toLimitUsage = (counts: Counts, minute: number): ReservationUsage => ({
  ...counts,
  minuteEnds: (minute + 1) * 60_000,
});
