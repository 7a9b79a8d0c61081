/**
 * Frees what crashes have leaked in limits, while tenants are active: the aggregator sees with each settlement whether a scope holds
 * something for earlier days, which is rare. Only then the ledger of these days is read.
 */
import type { LimitStore, TenantScope } from '../../core/accounting/limits.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { Log } from '../../core/ports/log.ts';
import type { AggregateStore, UsageStore } from '../../core/ports/usage-store.ts';
import { createCountRecorded } from './count-recorded.ts';

interface RepairOptions {
  readonly limits: Pick<LimitStore, 'freeLeaked'>;
  readonly usage: Pick<UsageStore, 'records' | 'oldestDay'>;
  readonly running: Pick<AggregateStore, 'opened'>;
  readonly log: Log;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** Never rejects. */
export type RepairLimits = (settled: readonly TenantScope[]) => Promise<void>;

/** A scope is looked at this often. */
const pauseMs = 3_600_000;

/** In one batch. More are left to the command line: a batch of changes must not take minutes. */
export const maxRecordsRead = 20_000;

/** Scopes of one batch, all of one tenant. */
const maxScopes = 8;

const maxKnownScopes = 10_000;

export function createRepairLimits({ limits, usage, running, log, now }: RepairOptions): RepairLimits {
  /** When this process looks at a scope again. */
  const due = new Map<string, number>();
  return async (settled) => {
    const time = now();
    const isDue = (one: TenantScope) => one.mayHaveLeaked && (due.get(keyOf(one)) ?? 0) <= time;
    const tenant = settled.find(isDue)?.tenant;
    if (tenant === undefined) return;
    if (due.size >= maxKnownScopes) due.clear();
    const counting = createCountRecorded({ usage, running }, tenant, maxRecordsRead);
    // Other tenants have their turn with the next batches.
    const chosen = settled.filter((one) => one.tenant === tenant && isDue(one)).slice(0, maxScopes);
    for (const one of chosen) {
      const { scope } = one;
      due.set(keyOf(one), time + pauseMs);
      const fields = { tenant, scope: scope.kind, scope_id: scope.id };
      try {
        const { state, amount } = await limits.freeLeaked(scope, counting(scope), true);
        if (state === 'none' || state === 'running') continue;
        log.warn('limits checked', { ...fields, state, nano_dollars: amount });
      } catch (error) {
        log.warn('limits check failed', { ...fields, ...failureFields(error) });
      }
    }
  };
}

const keyOf = ({ scope: { kind, id } }: TenantScope) => `${kind} ${id}`;
