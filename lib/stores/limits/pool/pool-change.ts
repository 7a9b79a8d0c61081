/** The changes of a pool, each one conditional write. */
import type { LimitScope } from '../../../core/accounting/limits.ts';
import { expiryAttribute, partitionKey } from '../../../core/tables.ts';
import type { Limits } from '../../../core/tenancy.ts';
import { dayMs } from '../../../core/time.ts';
import { isStill, type UpdateCondition, type UpdateFields } from '../../dynamodb/update-expression.ts';
import { type Counts, counters, heldToday, limitsSet, type PastCounter } from '../counts.ts';
import { maxAheadMinutes, periodsAt } from '../periods.ts';
import {
  isEmpty,
  isReset,
  type Past,
  pastAttribute,
  pastText,
  type QuotaPool,
  type Turn,
} from './pool-item.ts';

/** Adds to the counts, and applies the time that has passed since the pool was seen. It takes place if its periods are still those. */
export function addition(
  seen: QuotaPool | undefined,
  turn: Turn,
  more: Counts,
): Required<Omit<UpdateFields, 'copy' | 'remove' | 'setOnce'>> {
  const { to, begun, counts, overdue } = turn;
  const begins = counters.filter((name) => isReset(name, begun));
  const goesOn = counters.filter((name) => !begins.includes(name));
  const past = pastChange(seen, turn, more);
  return {
    set: [
      ...begun.map((name) => [[name], to[name]] as const),
      ...begins.flatMap((name) => {
        const value = counts[name] + more[name];
        const isAbsent = value === 0 && heldToday.includes(name) && seen?.stored[name] === undefined;
        return isAbsent ? [] : [[[name], value] as const];
      }),
      ...past.set,
    ],
    add: [
      ...goesOn.map((name) => [name, name === 'running' ? more.running - overdue : more[name]] as const),
      ['ended', overdue],
    ],
    where: seen
      ? [
          isStill('minute', seen.minute),
          ...begun.flatMap((name) => (name === 'minute' ? [] : [isStill(name, seen[name])])),
          ...(overdue > 0 ? [isStill('running', seen.running)] : []),
          ...(begun.includes('day') ? heldUnchanged(seen) : []),
          ...past.where,
        ]
      : [{ path: [partitionKey], exists: false }],
  };
}

/** What is held for earlier days is one attribute, so that it changes only if it is as it was seen. */
function pastChange(
  seen: QuotaPool | undefined,
  { counts, pastFrom, freedUntil }: Turn,
  more: Counts,
): Required<Pick<UpdateFields, 'set' | 'where'>> {
  const sum = (name: PastCounter) => counts[name] + more[name];
  const past: Past = {
    pastFrom,
    freedUntil,
    pastHeld: sum('pastHeld'),
    pastHeldNoCredit: sum('pastHeldNoCredit'),
    pastHeldRunning: sum('pastHeldRunning'),
    pastReleases: sum('pastReleases'),
  };
  const before = seen?.stored[pastAttribute];
  const text = pastText(past);
  if (text === before || (before === undefined && isEmpty(past))) return { set: [], where: [] };
  return { set: [[[pastAttribute], text]], where: [isStill(pastAttribute, before)] };
}

/** Nothing of today was admitted or released since the pool was seen. */
export const heldUnchanged = ({ stored }: QuotaPool): readonly UpdateCondition[] =>
  heldToday.map((name) => isStill(name, stored[name]));

/** The conditions under which the limits allow an addition. */
export function withinLimits(
  seen: QuotaPool | undefined,
  { begun, overdue }: Turn,
  limits: Limits,
  more: Counts,
): readonly UpdateCondition[] {
  return limitsSet(limits).flatMap(({ counter, max }): UpdateCondition[] => {
    if (!seen || isReset(counter, begun) || more[counter] <= 0) return [];
    // Items of earlier versions lack some counts.
    if (seen.stored[counter] === undefined) return [{ path: [counter], exists: false }];
    const value = max - more[counter] + (counter === 'running' ? overdue : 0);
    return [{ path: [counter], is: '<=', value }];
  });
}

/** Keeps the budgets and the credit, for those who compare them with what was settled. */
export function noteLimits(seen: QuotaPool | undefined, limits: Limits): UpdateFields['set'] {
  const budgets = limitsSet(limits).filter(({ unit }) => unit === 'amount');
  const before = limitsSet(seen?.limits ?? {});
  const isSame =
    budgets.length === before.length && budgets.every(({ limit, max }) => seen?.limits[limit] === max);
  return isSame ? [] : [[['limits'], Object.fromEntries(budgets.map(({ limit, max }) => [limit, max]))]];
}

/** Longer than a month, the longest period that starts again. */
const userLifetimeMs = 40 * dayMs;

/** Callers choose the ids of users, as many as they like: what no period counts any more expires. A total budget counts for ever. */
export function lifetime(
  { kind }: LimitScope,
  { totalBudget }: Limits,
  time: number,
): Required<Pick<UpdateFields, 'set' | 'remove'>> {
  if (kind !== 'user') return { set: [], remove: [] };
  if (totalBudget !== undefined) return { set: [], remove: [[expiryAttribute]] };
  return { set: [[[expiryAttribute], Math.floor((time + userLifetimeMs) / 1000)]], remove: [] };
}

/**
 * Running requests whose end was lost: what the ledger has counted for at least half a minute and they did not report. Zero where
 * none is known.
 */
export function lostEnds(seen: QuotaPool, time: number): number {
  const halfMinute = 30_000;
  const since = seen.settledMinute * 60_000;
  const isOld = time >= since + 60_000 + halfMinute;
  const known = isOld ? seen.settled : time >= since + halfMinute ? seen.settledBefore : 0;
  return Math.min(seen.running, Math.max(0, known - seen.ended));
}

export const endsLost = (seen: QuotaPool, lost: number): UpdateFields => ({
  add: [
    ['running', -lost],
    ['ended', lost],
  ],
  where: [isStill('ended', seen.stored.ended), { path: ['running'], is: '>=', value: lost }],
});

/** Amounts that reservations of an earlier version held and never gave back. */
export function expiredReservations(seen: QuotaPool, time: number): UpdateFields | undefined {
  const over = Object.entries(seen.open)
    .filter(([, { until }]) => until <= time)
    .slice(0, 40);
  if (over.length === 0) return undefined;
  const held = over.filter(([, { cost }]) => cost !== undefined);
  const sum = (amount: (one: QuotaPool['open'][string]) => number | undefined) =>
    -held.reduce((total, [, one]) => total + (amount(one) ?? 0), 0);
  return {
    add: [
      ['committed', sum(({ month, cost }) => (month === seen.month ? cost : 0))],
      ['usedCredit', sum(({ isPrepaid, cost }) => (isPrepaid ? cost : 0))],
      ['running', -held.length],
    ],
    remove: over.map(([id]) => ['open', id]),
    where: [
      isStill('minute', seen.minute),
      ...over.map(([id, { cost }]) => ({ path: ['open', id, 'cost'], exists: cost !== undefined })),
      ...over.map(([id]) => ({ path: ['open', id], exists: true })),
    ],
  };
}

/**
 * Brings a pool back to the time of the clock that another one, which was wrong, has left far ahead of it: else its minute would not
 * end before that time. What counts in a period stays counted, in the period of now; only requests that seemed to run end.
 */
export function rebased(seen: QuotaPool, minute: number): UpdateFields | undefined {
  if (seen.minute <= minute + maxAheadMinutes) return undefined;
  const { running, settledMinute, aheadUntil } = seen;
  return {
    set: [
      [['aheadUntil'], Math.max(aheadUntil, seen.minute)],
      ...Object.entries(periodsAt(minute)).map(([name, value]) => [[name], value] as const),
      [['settledMinute'], Math.min(settledMinute, minute)],
    ],
    add: [
      ['running', -running],
      ['ended', running],
    ],
    where: [isStill('minute', seen.minute), isStill('running', seen.stored.running)],
  };
}
