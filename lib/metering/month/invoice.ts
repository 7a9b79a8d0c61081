/** The sums of a month by model, and what a tenant owes for it: its charges, and the adjustments. */
import { createHash } from 'node:crypto';
import { addCounts, countNames, type DailyCounter, dayOf } from '../../core/accounting/counters.ts';
import type { Adjustment, ClosedModel, Journal, MonthClose } from '../../core/accounting/journal.ts';
import type { Span, UsageStore } from '../../core/ports/usage-store.ts';

export interface Invoice {
  readonly tenant: string;
  readonly month: string;
  /** Absent while the month is open: the amounts may still change. */
  readonly closed?: MonthClose;
  /** Whether the daily sums are still those of the closed month. */
  readonly isUnchanged: boolean;
  readonly models: readonly ClosedModel[];
  readonly adjustments: readonly Adjustment[];
  /** In nano-dollars. */
  readonly charges: number;
  readonly adjusted: number;
  readonly total: number;
}

export async function invoiceOf(
  {
    usage,
    journal,
  }: {
    readonly usage: Pick<UsageStore, 'counters'>;
    readonly journal: Pick<Journal, 'closed' | 'adjustments'>;
  },
  tenant: string,
  month: string,
): Promise<Invoice> {
  const [sums, closed, adjustments] = await Promise.all([
    sumsOfMonth(usage, tenant, month),
    journal.closed(tenant, month),
    journal.adjustments(tenant, month),
  ]);
  const { models } = closed ?? sums;
  const charges = models.reduce((sum, { counts }) => sum + counts.charge, 0);
  const adjusted = adjustments.reduce((sum, { amount }) => sum + amount, 0);
  return {
    tenant,
    month,
    ...(closed && { closed }),
    isUnchanged: !closed || closed.hash === sums.hash,
    models,
    adjustments,
    charges,
    adjusted,
    total: exact(charges + adjusted),
  };
}

/** What of the charges rests on estimates. */
export const estimatesIn = ({ models }: Invoice) => ({
  requests: models.reduce((sum, { counts }) => sum + counts.estimated, 0),
  amount: models.reduce((sum, { counts }) => sum + counts.estimatedCharge, 0),
});

/** Requests that have no known charge, and are not included. */
export const unchargedIn = ({ models }: Invoice): number =>
  models.reduce((sum, { counts }) => sum + counts.uncharged, 0);

function exact(total: number): number {
  if (Number.isSafeInteger(total)) return total;
  throw new Error('The total is more than can be counted exactly.');
}

/** From the first moment of a month, `YYYY-MM`, to that of the next, in Unix milliseconds. */
export function spanOfMonth(month: string): Span {
  const from = Date.parse(month);
  const first = new Date(from);
  return { from, to: Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) };
}

export interface MonthSums {
  readonly counters: readonly DailyCounter[];
  /** By the names of the models. */
  readonly models: readonly ClosedModel[];
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
}

export async function sumsOfMonth(
  usage: Pick<UsageStore, 'counters'>,
  tenant: string,
  month: string,
): Promise<MonthSums> {
  const { from, to } = spanOfMonth(month);
  const counters = await usage.counters(tenant, { from: dayOf(from), to: dayOf(to - 1) });
  const models = new Map<string, ClosedModel['counts']>();
  for (const { model, counts } of counters) {
    const known = models.get(model);
    models.set(model, known ? addCounts(known, counts) : counts);
  }
  return {
    counters,
    models: [...models]
      .map(([model, counts]) => ({ model, counts }))
      .toSorted((one, other) => (one.model < other.model ? -1 : 1)),
    hash: hashOf(counters),
  };
}

/** Counts of 0 are left out, so that a count that is added to the gateway later does not change old months. */
function hashOf(counters: readonly DailyCounter[]): string {
  const lines = counters.map(({ day, key, model, counts }) => {
    const counted = countNames.filter((name) => counts[name] !== 0).toSorted();
    return JSON.stringify([day, key, model, ...counted.map((name) => [name, counts[name]])]);
  });
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
}
