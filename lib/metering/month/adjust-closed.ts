/** A closed month is not repriced: the difference of each request becomes an adjustment. */
import type { Adjustment, Journal } from '../../core/accounting/journal.ts';
import type { RepricedRecord } from '../cost/recompute.ts';

interface AdjustOptions {
  readonly journal: Journal;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly by: string;
}

const reason = 'recomputed after the month was closed';

const prefix = 'recompute#';

/**
 * `records` are of one tenant and of one month. Gives the number of adjustments that were made. Can be repeated safely: what was
 * adjusted before counts. A charge that has become unknown is left as it is.
 */
export async function adjustClosed(
  { journal, now, by }: AdjustOptions,
  { tenant, month }: { readonly tenant: string; readonly month: string },
  records: readonly RepricedRecord[],
): Promise<number> {
  const before = byRequest(await journal.adjustments(tenant, month));
  let made = 0;
  for (const { record, charge } of records) {
    if (charge === null) continue;
    const { requestId } = record;
    const earlier = before.get(requestId) ?? [];
    const adjusted = earlier.reduce((sum, { amount }) => sum + amount, 0);
    const amount = charge - (record.charge ?? 0) - adjusted;
    if (amount === 0) continue;
    // Two commands that run at the same time make the same id, and one of them writes.
    const id = `${prefix}${requestId}#${earlier.length}`;
    if (await journal.adjust({ id, tenant, month, at: now(), amount, reason, by, requestId })) made += 1;
  }
  return made;
}

function byRequest(adjustments: readonly Adjustment[]): ReadonlyMap<string, readonly Adjustment[]> {
  const own = adjustments.filter(({ id }) => id.startsWith(prefix));
  return Map.groupBy(own, ({ requestId = '' }) => requestId);
}
