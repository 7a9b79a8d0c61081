/**
 * The pool of a limited scope: one small item with all its counts, `limit#<kind>#<id>` / `now`. What it leases to shards counts as
 * used. Here is how it is read, and how time changes it.
 */
import * as z from 'zod/mini';
import { lazy } from '../../../async/lazy.ts';
import { DamagedItem } from '../../../core/ports/damaged-item.ts';
import type { Limits } from '../../../core/tenancy.ts';
import type { StoredItem } from '../../dynamodb/table.ts';
import {
  type Counter,
  type Counts,
  isPast,
  none,
  type PastCounter,
  periodOfCounter,
  toCounts,
  todayOf,
} from '../counts.ts';
import { type PeriodName, type Periods, periodsAt } from '../periods.ts';

/** A reservation of an earlier version, which kept them in this item. Its minute is over when it expires. One that expired has no amounts. */
const openReservation = () =>
  z.object({
    until: z.number(),
    month: z.string(),
    cost: z.exactOptional(z.number()),
    isPrepaid: z._default(z.boolean(), true),
  });

const schema = lazy(() => {
  const count = z._default(z.number(), 0);
  return z.object({
    minute: z.number(),
    // Absent in items of earlier versions, like all that has a default.
    day: z.exactOptional(z.number()),
    week: z.exactOptional(z.number()),
    month: z.exactOptional(z.string()),
    requests: count,
    tokens: count,
    dayCommitted: count,
    held: count,
    heldNoCredit: count,
    heldRunning: count,
    releases: count,
    past: z.exactOptional(z.string()),
    weekCommitted: count,
    committed: count,
    totalCommitted: count,
    usedCredit: count,
    running: count,
    /** How many running requests have ended, by their own report and by that of the ledger. */
    ended: count,
    settled: count,
    /** The ledger's count before the minute in which it last grew. */
    settledBefore: count,
    settledMinute: count,
    /** The last minute that it had when it was brought back to an earlier one. */
    aheadUntil: count,
    /** The budgets and credit of the last admission. */
    limits: z._default(z.record(z.string(), z.number()), {}),
    open: z._default(z.record(z.string(), openReservation()), {}),
  });
});

export type QuotaPool = Omit<z.infer<ReturnType<typeof schema>>, 'limits' | 'past'> &
  Past & {
    readonly limits: Limits;
    /** All attributes. */
    readonly stored: StoredItem;
  };

/** Throws for a damaged item: its use is unknown. */
export function readPool(stored: StoredItem): QuotaPool {
  const { data, error } = schema().safeParse(stored);
  if (!data) throw new DamagedItem('The limit item in the database is damaged.', { cause: error });
  return { ...data, ...readPast(data.past, data.day ?? 0), stored };
}

/** How the passing of time changes a pool. */
export interface Turn {
  readonly to: Periods;
  /** The periods that begin. */
  readonly begun: readonly PeriodName[];
  /** The counts afterwards. */
  readonly counts: Counts;
  /** The first day of what is counted as past; today, if there is nothing. */
  readonly pastFrom: number;
  /** As `Past` has it. */
  readonly freedUntil: number;
  /** Running requests that can no longer run, since nothing was admitted for so long. */
  readonly overdue: number;
}

/** Longer than any request runs. */
const idleMinutes = 60;

/** Time never runs back: if the clock is behind the item, the minute of the item counts. */
export function turnOf(seen: QuotaPool | undefined, clockMinute: number): Turn {
  const minute = Math.max(seen?.minute ?? 0, clockMinute);
  const to = periodsAt(minute);
  if (!seen) {
    const begun = ['minute', 'day', 'week', 'month'] as const;
    return { to, begun, counts: none, pastFrom: to.day, freedUntil: 0, overdue: 0 };
  }
  const begun = (['minute', 'day', 'week', 'month'] as const).filter((name) => seen[name] !== to[name]);
  const overdue = minute - seen.minute > idleMinutes ? seen.running : 0;
  const { counts: past, from: pastFrom } = pastOn(to.day, seen);
  const counts = toCounts((name) => {
    if (isPast(name)) return past[name];
    return isReset(name, begun) ? 0 : seen[name] - (name === 'running' ? overdue : 0);
  });
  return { to, begun, counts, pastFrom, freedUntil: seen.freedUntil, overdue };
}

export function isReset(name: Counter, begun: readonly PeriodName[]): boolean {
  const period = periodOfCounter[name];
  return period !== undefined && begun.includes(period);
}

const isHeld = ({ pastHeld, pastHeldNoCredit, pastHeldRunning }: Pick<Counts, PastCounter>): boolean =>
  pastHeld !== 0 || pastHeldNoCredit !== 0 || pastHeldRunning !== 0;

/** The past on a day: where nothing is held any more, it begins again. */
function pastOn(day: number, seen: QuotaPool): { readonly counts: Counts; readonly from: number } {
  const before = toCounts((name) => seen[name]);
  if (seen.day === day || seen.day === undefined) return { counts: before, from: seen.pastFrom };
  const ended = toCounts((name) => (isPast(name) ? seen[todayOf[name]] : 0));
  if (isHeld(seen)) return { counts: sumOf([before, ended]), from: seen.pastFrom };
  return isHeld(ended) ? { counts: ended, from: seen.day } : { counts: none, from: day };
}

/** The difference of two counts in the periods of a pool, for an amount that was counted at an earlier time. */
export function differenceIn(
  { to, pastFrom }: Pick<Turn, 'to' | 'pastFrom'>,
  at: { readonly minute: number; readonly day: number },
  counts: Counts,
): Counts {
  const then: Periods = { ...periodsAt(at.day * 1_440), minute: at.minute };
  const isBefore = at.day < to.day && at.day >= pastFrom;
  return toCounts((name) => {
    if (isPast(name)) return isBefore ? counts[todayOf[name]] : 0;
    const period = periodOfCounter[name];
    return period === undefined || to[period] === then[period] ? counts[name] : 0;
  });
}

export const sumOf = (all: readonly Counts[]): Counts =>
  toCounts((name) => all.reduce((total, one) => total + one[name], 0));

/** The shards that a pool has dealt with. */
export function shardsOf(pool: QuotaPool | undefined): readonly number[] {
  return Object.keys(pool?.stored ?? {}).flatMap((name) => {
    const [, number] = /^loan(\d+)$/.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

/**
 * What a pool still holds for requests of earlier days, as one short attribute: each write is charged for the whole item, and these
 * counts change around midnight only.
 */
export const pastAttribute = 'past';

/** Each day that begins adds the counts of the day before, until nothing is held any more. */
export interface Past extends Readonly<Record<PastCounter, number>> {
  /** The first day that it counts, since 1970. */
  readonly pastFrom: number;
  /** What was admitted until this minute and is not released was freed. 0: nothing was. */
  readonly freedUntil: number;
}

const order = [
  'pastFrom',
  'pastHeld',
  'pastHeldNoCredit',
  'pastHeldRunning',
  'pastReleases',
  'freedUntil',
] as const satisfies readonly (keyof Past)[];

/** `day`: the day of the pool. */
function readPast(text: unknown, day: number): Past {
  const parts = typeof text === 'string' ? text.split(' ').map((part) => Number.parseInt(part, 36)) : [];
  const of = (name: (typeof order)[number], fallback = 0) => parts[order.indexOf(name)] ?? fallback;
  return {
    pastFrom: of('pastFrom', day),
    pastHeld: of('pastHeld'),
    pastHeldNoCredit: of('pastHeldNoCredit'),
    pastHeldRunning: of('pastHeldRunning'),
    pastReleases: of('pastReleases'),
    freedUntil: of('freedUntil'),
  };
}

export const pastText = (past: Past): string => order.map((name) => past[name].toString(36)).join(' ');

/** Whether there is nothing to keep. */
export const isEmpty = (past: Past): boolean =>
  order.every((name) => name === 'pastFrom' || past[name] === 0);
