/**
 * Compares the counts of a scope with its ledger. They differ while requests run; afterwards by what a process that ended between
 * an admission and its record, or an answer that was lost, has left.
 */
import type { Committed, LimitScope, LimitStore } from '../../core/accounting/limits.ts';

/** What is counted beyond the truth in each current period; undefined: nothing was ever counted. */
export async function checkLimits(
  store: Pick<LimitStore, 'read'>,
  scope: LimitScope,
  truth: Committed,
): Promise<Committed | undefined> {
  const usage = await store.read(scope);
  if (!usage) return undefined;
  return {
    day: usage.dayCommitted - truth.day,
    week: usage.weekCommitted - truth.week,
    month: usage.committed - truth.month,
    total: usage.totalCommitted - truth.total,
  };
}
