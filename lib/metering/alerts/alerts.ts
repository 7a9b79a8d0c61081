/**
 * Raises alerts when so many percent of a budget or of credit are used: once for each threshold, period and amount, whichever
 * process finds it first. The aggregator calls it after it has settled what requests used.
 */

import type { LimitName, LimitUsage, TenantScope } from '../../core/accounting/limits.ts';
import { periodEnds, periodOf } from '../../core/accounting/periods.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { MarkAlert } from '../../core/ports/alerts.ts';
import type { Limits, TenantTerms, Webhook } from '../../core/tenancy.ts';
import { type DeliveryOptions, deliver } from './deliver.ts';

interface AlertOptions extends DeliveryOptions {
  /** What a tenant gets alerts about, and where. */
  readonly termsOf: (tenant: string) => Promise<AlertTerms | undefined>;
  readonly mark: MarkAlert;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export type AlertTerms = Pick<TenantTerms, 'alerts'> & { readonly webhook?: Webhook };

type AlertScope = Omit<TenantScope, 'mayHaveLeaked'>;

/** Never rejects: an alert must not keep the ledger from being settled. */
export type RaiseAlerts = (scopes: readonly AlertScope[]) => Promise<void>;

const defaultThresholds: readonly number[] = [50, 80, 100];

/** Where a budget has reached its highest threshold, and that was noted, there is nothing more to do. */
const maxKnownAlerts = 10_000;

export function createRaiseAlerts(options: AlertOptions): RaiseAlerts {
  const known = new Map<string, number>();
  return async (scopes) => {
    await Promise.all(
      scopes.map((scope) =>
        raise(scope, known, options).catch((error: unknown) => {
          options.log.error('limit alert failed', { tenant: scope.tenant, ...failureFields(error) });
        }),
      ),
    );
  };
}

async function raise(scope: AlertScope, known: Map<string, number>, options: AlertOptions): Promise<void> {
  const reached = amountsOf(scope).filter(({ percent }) => percent >= 1);
  if (reached.length === 0) return;
  const terms = (await options.termsOf(scope.tenant)) ?? {};
  const thresholds = terms.alerts ?? defaultThresholds;
  const now = options.now();
  for (const { limit, used, amount, percent } of reached) {
    const threshold = thresholds.findLast((one) => one <= percent);
    if (threshold === undefined) continue;
    const period = `${periodOf(limit, now)}/${amount}`;
    const name = `${scope.scope.kind} ${scope.scope.id} ${limit} ${period}`;
    if ((known.get(name) ?? 0) >= threshold) continue;
    const isNew = await options.mark(scope.scope, { limit, period, percent: threshold });
    if (known.size >= maxKnownAlerts) known.clear();
    known.set(name, threshold);
    if (!isNew) continue;
    const resetsAt = periodEnds(limit, now);
    await deliver(
      {
        id: options.newId('alert_'),
        at: now,
        tenant: scope.tenant,
        scope: scope.scope,
        limit,
        percent: threshold,
        used,
        amount,
        ...(resetsAt !== undefined && { resetsAt }),
      },
      terms.webhook,
      options,
    );
  }
}

interface UsedAmount {
  readonly limit: LimitName;
  readonly used: number;
  readonly amount: number;
  /** Whole; 100 as soon as less than half a percent is left, which may be too little for any request. */
  readonly percent: number;
}

const counts = [
  ['dailyBudget', 'dayCommitted'],
  ['weeklyBudget', 'weekCommitted'],
  ['monthlyBudget', 'committed'],
  ['totalBudget', 'totalCommitted'],
  ['credit', 'usedCredit'],
] as const satisfies readonly (readonly [keyof Limits, keyof LimitUsage])[];

function percentOf(used: number, amount: number): number {
  const percent = amount === 0 ? 100 : (used / amount) * 100;
  return percent >= 99.5 ? 100 : Math.floor(percent);
}

/** Without what is only held for running requests: most of that comes back. */
function amountsOf({ limits, usage }: { readonly limits: Limits; readonly usage: LimitUsage }) {
  return counts.flatMap(([limit, count]): readonly UsedAmount[] => {
    const amount = limits[limit];
    if (amount === undefined) return [];
    const used = Math.max(0, usage[count] - usage.held);
    return [{ limit, used, amount, percent: percentOf(used, amount) }];
  });
}
