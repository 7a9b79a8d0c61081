/**
 * Frees what a scope holds for admissions without a record: their process ended in between, or their answer was lost. The ledger
 * releases everything else that is held. So once all requests of some days have ended, and the ledger has released as many
 * reservations of these days as it has records of, what is still held belongs to none of them.
 */
import { surelyOverMs } from '../../core/accounting/interrupted.ts';
import type { CountRecorded, LeakedReservations, LimitScope } from '../../core/accounting/limits.ts';
import type { UpdateFields } from '../dynamodb/update-expression.ts';
import { type Counts, heldToday, none, type PastCounter, todayOf } from './counts.ts';
import { changeAt } from './end.ts';
import { minuteOf, monthOf, weekOf } from './periods.ts';
import type { PoolAccess } from './pool/pool.ts';
import { addition, heldUnchanged } from './pool/pool-change.ts';
import { pastAttribute, type QuotaPool, type Turn, turnOf } from './pool/pool-item.ts';
import type { Leased, Shards } from './shards/shards.ts';

const overAfterMinutes = surelyOverMs / 60_000;

/** The stream keeps changes of the ledger for a day. What was not processed long after that is lost. */
const lostAfterDays = 3;

interface LeakParts {
  readonly pool: PoolAccess;
  readonly shards: Pick<Shards, 'leased' | 'callIn'>;
  /** False: nothing is changed. */
  readonly write: boolean;
}

export async function freeLeaked(
  scope: LimitScope,
  countRecorded: CountRecorded,
  { pool, shards, write }: LeakParts,
): Promise<LeakedReservations> {
  const first = await look(shards, scope);
  if (!first || !holdsAny(first.seen)) return { state: 'none', amount: 0 };
  await shards.callIn(scope);
  const last = (await look(shards, scope)) ?? first;
  const now = minuteOf(pool.now());
  const lastUsed = Math.max(first.minute, aheadOf(last.seen, now));
  const isIdle = lastUsed + overAfterMinutes <= now && isSame(first, last);
  const over = overOf(last.seen, isIdle, now);
  const amount = over?.amount ?? outstandingOf(last);
  if (amount === 0 && !over) return { state: 'none', amount };
  const isLeased = over && last.lots.some((lot) => lot.amount !== 0 && lot.day <= over.days.to);
  if (!over || isLeased) return { state: 'running', amount };
  const recorded = await countRecorded(over.days);
  if (recorded === undefined) return { state: 'unknown', amount };
  if (recorded === 'running') return { state: 'running', amount };
  const change = (to: typeof freeing) =>
    changeAt(pool, (seen) => (seen && isUnchanged(seen, last.seen, over) ? to(seen, over) : undefined));
  if (recorded === over.releases) {
    if (!write) return { state: 'found', amount };
    return { state: (await change(freeing)) ? 'freed' : 'changed', amount };
  }
  const isLost = recorded === 'expired' || (over.days.from + lostAfterDays) * 1_440 <= now;
  if (isLost && write && (await change(keeping))) return { state: 'kept', amount };
  return { state: recorded === 'expired' ? 'unknown' : 'unsettled', amount };
}

/** Whether what is over is as it was seen, while other requests go on. */
function isUnchanged(seen: QuotaPool, before: QuotaPool, { isIdle }: Over): boolean {
  const names = isIdle ? [pastAttribute, 'day', 'minute', ...heldToday] : [pastAttribute, 'day'];
  return names.every((name) => seen.stored[name] === before.stored[name]);
}

/** Whether something is held for days that are over: usually nothing is. */
export const mayHaveLeaked = (seen: QuotaPool, now: number): boolean =>
  overOf(seen, false, minuteOf(now)) !== undefined;

/**
 * Where a clock that was behind has brought the pool back, requests were admitted later than its minute says, and are counted in
 * its day. Where the clock before was days ahead, that time says nothing.
 */
const aheadOf = ({ aheadUntil }: QuotaPool, now: number): number =>
  aheadUntil > now + 1_440 ? 0 : aheadUntil;

/** A scope at one time. */
interface Look extends Leased {
  readonly seen: QuotaPool;
}

async function look(shards: Pick<Shards, 'leased'>, scope: LimitScope): Promise<Look | undefined> {
  const { seen, lots, minute } = await shards.leased(scope);
  return seen && { seen, lots, minute: Math.max(minute, seen.minute) };
}

const holdsAny = ({ held, heldRunning, pastHeld, pastHeldRunning }: QuotaPool) =>
  [held, heldRunning, pastHeld, pastHeldRunning].some((count) => count !== 0);

/** What admissions hold, without what is only leased. */
const outstandingOf = ({ seen, lots }: Look) =>
  lots.reduce((rest, { amount }) => rest - amount, seen.held + seen.pastHeld);

/** Whether nothing was admitted or released in between. */
function isSame(one: Look, other: Look): boolean {
  const running = ({ seen }: Look) => seen.heldRunning + seen.pastHeldRunning;
  const releases = ({ seen }: Look) => seen.releases + seen.pastReleases;
  return [outstandingOf, running, releases].every((count) => count(one) === count(other));
}

/** What is held for days whose requests are over. */
interface Over {
  /** Since 1970, both included. */
  readonly days: { readonly from: number; readonly to: number };
  readonly turn: Turn;
  /** Whether today is one of them, since nothing was admitted for so long. */
  readonly isIdle: boolean;
  readonly amount: number;
  readonly credit: number;
  readonly running: number;
  readonly releases: number;
}

function overOf(seen: QuotaPool, isIdle: boolean, now: number): Over | undefined {
  const turn = turnOf(seen, isIdle ? now : seen.minute);
  const { counts, pastFrom, to } = turn;
  const today = to.day * 1_440;
  if (!isIdle && (today + overAfterMinutes > now || aheadOf(seen, now) >= today)) return undefined;
  const isPastHeld = counts.pastHeld !== 0 || counts.pastHeldRunning !== 0;
  const sum = (past: PastCounter) => (isPastHeld ? counts[past] : 0) + (isIdle ? counts[todayOf[past]] : 0);
  const [amount, running] = [sum('pastHeld'), sum('pastHeldRunning')];
  if (amount <= 0 && running <= 0) return undefined;
  return {
    days: { from: isPastHeld ? pastFrom : to.day, to: isIdle ? to.day : to.day - 1 },
    turn,
    isIdle,
    amount: Math.max(0, amount),
    credit: Math.max(0, amount - sum('pastHeldNoCredit')),
    running: Math.max(0, running),
    releases: sum('pastReleases'),
  };
}

/** Amounts of a week or month that may have begun since stay: they end with it. */
function freeing(seen: QuotaPool, over: Over): UpdateFields {
  const { days, turn, isIdle, amount, credit, running } = over;
  const { counts, to } = turn;
  const freedUntil = (isIdle ? to.minute : to.day * 1_440) - 1;
  return changeOf(seen, over, freedUntil, {
    ...none,
    ...(isIdle && {
      held: -counts.held,
      heldNoCredit: -counts.heldNoCredit,
      heldRunning: -counts.heldRunning,
      dayCommitted: -Math.max(0, counts.held),
    }),
    weekCommitted: weekOf(days.from) === to.week ? -amount : 0,
    committed: monthOf(days.from) === to.month ? -amount : 0,
    totalCommitted: -amount,
    usedCredit: -credit,
    running: -Math.min(running, counts.running),
  });
}

/** Records or changes of the ledger are gone, so that nothing proves what has leaked: it stays, and what comes after it can be checked. */
const keeping = (seen: QuotaPool, over: Over): UpdateFields => changeOf(seen, over, seen.freedUntil, none);

/** The past holds nothing any more. */
function changeOf(seen: QuotaPool, { turn, isIdle }: Over, freedUntil: number, more: Counts): UpdateFields {
  const counts = { ...turn.counts, pastHeld: 0, pastHeldNoCredit: 0, pastHeldRunning: 0, pastReleases: 0 };
  const change = addition(seen, { ...turn, counts, pastFrom: turn.to.day, freedUntil }, more);
  return { ...change, where: [...change.where, ...(isIdle ? heldUnchanged(seen) : [])] };
}
