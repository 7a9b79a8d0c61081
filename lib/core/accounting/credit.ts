/**
 * Prepaid credit as grants, each with a priority and perhaps an expiry. Use is allocated to grants day by day: that of a day
 * to the grants that can be used on it, the lowest priority number first, then what expires first, then the oldest.
 *
 * A limit compares all use with one number: the sum of all grants, without the unused part of expired ones. Use of a grant that
 * is not yet allocated counts as unused, so that expired credit is never used.
 */
import { daySeconds } from '../time.ts';

/** Amounts are in nano-dollars, times in Unix seconds. */
export interface CreditGrant {
  readonly id: string;
  /** Negative: credit that was taken back. */
  readonly amount: number;
  /** When it was given. */
  readonly at: number;
  /** The first second in which it can no longer be used; absent: never. It is the beginning of a day (UTC). */
  readonly expires?: number;
  /** Lower numbers are used first. */
  readonly priority: number;
  readonly note?: string;
  /** Who gave it. */
  readonly by: string;
  /** What is known to be used of it; absent: nothing yet. Only grants that expire need it. */
  readonly used?: number;
  /** The part of it that was used on days that no longer change; absent: all of it. */
  readonly settled?: number;
}

const isExpired = ({ expires }: CreditGrant, seconds: number): boolean =>
  expires !== undefined && expires <= seconds;

/** The credit that a limit compares with all use, at a time in Unix seconds. `total` is the sum of everything ever given. */
export function creditAt(total: number, grants: readonly CreditGrant[] | undefined, seconds: number): number {
  const lost = (grants ?? [])
    .filter((grant) => isExpired(grant, seconds))
    .reduce((sum, { amount, used = 0 }) => sum + amount - used, 0);
  return total - lost;
}

/** From when on use may still change, and is allocated again each time: a day, and what of its use belongs to no grant. */
export interface Unallocated {
  /** `YYYY-MM-DD` (UTC). */
  readonly day: string;
  /** The use of that day before the first grant, in nano-dollars. */
  readonly used: number;
  /** How often use was allocated; absent: never. */
  readonly version?: number;
}

/** What is left of each grant; `rest`: use that is not yet allocated. Nothing is left of an expired one. */
export function leftOf(
  grants: readonly CreditGrant[],
  rest: number,
  seconds: number,
): ReadonlyMap<string, number> {
  const today = new Date(seconds * 1000).toISOString().slice(0, 10);
  const allocated = allocate(grants, [{ day: today, amount: rest }]);
  return new Map(
    allocated.map((grant) => [
      grant.id,
      isExpired(grant, seconds) ? 0 : Math.max(0, grant.amount - (grant.used ?? 0)),
    ]),
  );
}

/** In the order in which grants are used. */
const byTurn = (one: CreditGrant, other: CreditGrant): number =>
  one.priority - other.priority ||
  (one.expires ?? Number.POSITIVE_INFINITY) - (other.expires ?? Number.POSITIVE_INFINITY) ||
  one.at - other.at;

/** The order of two infinite expiries is not a number, which counts as equal. */
const inTurn = (grants: readonly CreditGrant[]): readonly CreditGrant[] =>
  grants.toSorted((a, b) => byTurn(a, b) || 0);

/** The use of one day, in nano-dollars. */
export interface DayOfUse {
  /** `YYYY-MM-DD` (UTC). */
  readonly day: string;
  readonly amount: number;
}

/** The grants with `used` after the use of these days, which come in order and follow what was allocated before. */
export function allocate(grants: readonly CreditGrant[], days: readonly DayOfUse[]): readonly CreditGrant[] {
  const used = new Map(grants.map(({ id, used: before = 0 }) => [id, before]));
  for (const { day, amount } of days) {
    const begins = Date.parse(day) / 1000;
    let rest = amount;
    for (const { id, amount: given, at, expires = Number.POSITIVE_INFINITY } of inTurn(grants)) {
      if (at >= begins + daySeconds || expires <= begins) continue;
      const before = used.get(id) ?? 0;
      const taken = Math.max(0, Math.min(rest, given - before));
      used.set(id, before + taken);
      rest -= taken;
    }
  }
  return grants.map((grant) => ({ ...grant, used: used.get(grant.id) ?? 0 }));
}
