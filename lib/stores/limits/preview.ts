/** What the pool of a scope would answer to a reservation, found with one read that changes nothing. */
import type { Admission, Wanted } from '../../core/accounting/limits.ts';
import type { Limits } from '../../core/tenancy.ts';
import { toLimitUsage } from './counts.ts';
import { decide } from './decision.ts';
import { minuteOf } from './periods.ts';
import { type PoolAccess, refusal } from './pool/pool.ts';
import { expiredReservations, lostEnds } from './pool/pool-change.ts';
import { shardsOf, turnOf } from './pool/pool-item.ts';

/** Undefined where only a reservation finds that out. */
export async function preview(
  pool: PoolAccess,
  limits: Limits,
  wanted: Wanted,
): Promise<Admission | undefined> {
  const seen = await pool.read();
  const time = pool.now();
  // Before it refuses, a reservation takes back what shards have not spent, and what nothing uses any more.
  if (seen && (shardsOf(seen).length > 0 || expiredReservations(seen, time) || lostEnds(seen, time) > 0))
    return undefined;
  const turn = turnOf(seen, minuteOf(time));
  const decision = decide(turn.counts, limits, wanted);
  if ('refusedBy' in decision) return refusal(decision, turn);
  return { output: decision.output, usage: toLimitUsage(turn.counts, turn.to.minute) };
}
