/**
 * Refusals of a moment ago, kept by the process: a caller who goes on after a limit is used up costs no read of the database for
 * each request. Kept are refusals that cannot have become wrong soon: not those because of what running requests hold.
 */
import type { Admission, LimitScope } from '../../core/accounting/limits.ts';
import { periodEnds } from '../../core/accounting/periods.ts';
import type { Limits } from '../../core/tenancy.ts';

/** No longer than the shortest `Retry-After`. */
export const refusalKeptMs = 1_000;

const maxKeptRefusals = 1_000;

export interface RefusedLately {
  note(scope: LimitScope, limits: Limits, admission: Admission): void;
  /** Undefined as well if the limit has been changed since. */
  find(scope: LimitScope, limits: Limits): Admission | undefined;
  /** Something was given back. */
  forget(scope: LimitScope): void;
}

interface Kept {
  readonly admission: Admission;
  readonly limit: number | undefined;
  readonly until: number;
}

/** `now`: Unix milliseconds. */
export function createRefusedLately(now: () => number): RefusedLately {
  const kept = new Map<string, Kept>();
  const nameOf = ({ kind, id }: LimitScope) => `${kind}#${id}`;
  const find: RefusedLately['find'] = (scope, limits) => {
    const found = kept.get(nameOf(scope));
    const { refusedBy } = found?.admission ?? {};
    if (!found || !refusedBy || refusedBy === 'contention') return undefined;
    return now() < found.until && limits[refusedBy] === found.limit ? found.admission : undefined;
  };
  return {
    find,
    note(scope, limits, admission) {
      const { refusedBy, isUsedUp } = admission;
      // One that is known stays as old as it is.
      if (!isUsedUp || !refusedBy || refusedBy === 'contention' || find(scope, limits)) return;
      if (kept.size >= maxKeptRefusals) kept.clear();
      const until = Math.min(now() + refusalKeptMs, periodEnds(refusedBy, now()) ?? Number.POSITIVE_INFINITY);
      kept.set(nameOf(scope), { admission, limit: limits[refusedBy], until });
    },
    forget: (scope) => void kept.delete(nameOf(scope)),
  };
}
