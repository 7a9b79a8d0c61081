/** What a tenant owes for a month: its charges by model, and the adjustments. */
import type { Adjustment, ClosedModel, Journal, MonthClose } from '../../core/accounting/journal.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { sumsOfMonth } from './sums-of-month.ts';

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
  { usage, journal }: { readonly usage: Pick<UsageStore, 'counters'>; readonly journal: Journal },
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

function exact(total: number): number {
  if (Number.isSafeInteger(total)) return total;
  throw new Error('The total is more than can be counted exactly.');
}
