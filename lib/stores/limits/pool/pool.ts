/**
 * Admissions at the pool of a scope, each one conditional write built from the pool as this process saw it last. Only if its
 * condition fails, or a request would be refused or lowered, the pool is read and the decision made again.
 */
import type { Admission, Hold, LimitName, LimitScope, Wanted } from '../../../core/accounting/limits.ts';
import type { Limits } from '../../../core/tenancy.ts';
import type { UpdateFields } from '../../dynamodb/update-expression.ts';
import { countsOf, type Need, none, toLimitUsage } from '../counts.ts';
import { decide } from '../decision.ts';
import { type ItemAccess, type Slot, slotOf } from '../item-access.ts';
import { minuteOf } from '../periods.ts';
import {
  addition,
  endsLost,
  expiredReservations,
  lifetime,
  lostEnds,
  noteLimits,
  withinLimits,
} from './pool-change.ts';
import { type QuotaPool, type Turn, turnOf } from './pool-item.ts';

/** Gives up after this many conflicting writes. Each time, another write succeeded. */
export const maxTries = 10;

export type PoolAccess = ItemAccess<QuotaPool>;

export const poolName = ({ kind, id }: LimitScope): string => `limit#${kind}#${id}`;

export async function admitAtPool(
  pool: PoolAccess,
  scope: LimitScope,
  limits: Limits,
  wanted: Wanted,
): Promise<Admission> {
  const slot = slotOf(wanted.id);
  const before = pool.seen();
  let seen = before ? guess(before, minuteOf(pool.now())) : await pool.read();
  let isFresh = before === undefined;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const turn = turnOf(seen, minuteOf(pool.now()));
    const decision = decide(turn.counts, limits, wanted);
    if ('refusedBy' in decision || !decision.isWhole) {
      if (!isFresh || (seen && 'refusedBy' in decision && (await release(pool, seen)))) {
        seen = await pool.read();
        isFresh = true;
        continue;
      }
    }
    if ('refusedBy' in decision) return refusal(decision, turn);
    const change = admission(seen, turn, limits, decision.need, slot);
    const { set, remove } = lifetime(scope, limits, pool.now());
    const lasting = { ...change, set: [...change.set, ...set], remove };
    const written = await pool.updateMarked(lasting, slot, seen?.stored[slot.name]);
    const isPrepaid = limits.credit !== undefined;
    const admitted = (at: Turn['to'], usage: Admission['usage']): Admission => ({
      output: decision.output,
      hold: holdOf(scope, at, decision.need, isPrepaid),
      usage,
    });
    if (written) return admitted(turn.to, toLimitUsage(written, written.minute));
    seen = await pool.read();
    isFresh = true;
    // A write whose answer was lost, and that took place after all.
    if (seen?.stored[slot.name] === slot.mark) return admitted(turn.to, toLimitUsage(seen, seen.minute));
  }
  return refusal({ refusedBy: 'contention' }, turnOf(seen, minuteOf(pool.now())));
}

/** Where others use a pool too, they have counted in the new minute before this process does. */
function guess(seen: QuotaPool, minute: number): QuotaPool {
  if (seen.requests < 2 || seen.minute >= minute) return seen;
  if (Math.floor(minute / 1_440) !== seen.day) return seen;
  return { ...seen, minute, requests: 0, tokens: 0 };
}

function admission(
  seen: QuotaPool | undefined,
  turn: Turn,
  limits: Limits,
  need: Need,
  slot: Slot,
): UpdateFields & Required<Pick<UpdateFields, 'set'>> {
  const more = countsOf(need, limits.credit !== undefined);
  const { set, add, where } = addition(seen, turn, more);
  return {
    set: [...set, ...(noteLimits(seen, limits) ?? []), [[slot.name], slot.mark]],
    add,
    where: [...where, ...withinLimits(seen, turn, limits, more), { path: [slot.name], isNot: slot.mark }],
  };
}

export const holdOf = (
  { kind, id }: LimitScope,
  { minute, day }: Pick<Turn['to'], 'minute' | 'day'>,
  { requests, tokens, amount, running }: Need,
  isPrepaid: boolean,
): Hold => ({
  kind,
  id,
  minute,
  day,
  tokens,
  amount,
  running: running > 0 ? 1 : 0,
  ...(isPrepaid && { isPrepaid }),
  ...(requests === 0 && { isFurther: true }),
});

/** Releases what nothing uses any more: true if the pool has changed, or was changed by others. */
async function release(pool: PoolAccess, seen: QuotaPool): Promise<boolean> {
  const time = pool.now();
  const expired = expiredReservations(seen, time);
  const lost = lostEnds(seen, time);
  if (expired) await pool.update(expired);
  else if (lost > 0) await pool.update(endsLost(seen, lost));
  return expired !== undefined || lost > 0;
}

interface Refusal {
  readonly refusedBy: LimitName | 'contention';
  readonly isHeld?: boolean;
  readonly isUsedUp?: boolean;
}

export const refusal = ({ refusedBy, isHeld, isUsedUp }: Refusal, { counts, to }: Turn): Admission => ({
  refusedBy,
  ...(isHeld && { isHeld }),
  ...(isUsedUp && { isUsedUp }),
  output: 0,
  usage: toLimitUsage(counts, to.minute),
});

/** The usage while nothing is known. */
export const unknownUsage = (time: number) => toLimitUsage(none, minuteOf(time));
