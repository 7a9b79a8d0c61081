/** What a tenant was charged on each day, from the daily sums. */
import type { DayOfUse } from '../../core/accounting/credit.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';

/** `from` and `to`, both included, as `YYYY-MM-DD`; days without use are left out. In order. */
export async function usePerDay(
  usage: Pick<UsageStore, 'counters'>,
  tenant: string,
  from: string,
  to: string,
): Promise<readonly DayOfUse[]> {
  const amounts = new Map<string, number>();
  for (const { day, counts } of await usage.counters(tenant, { from, to })) {
    amounts.set(day, (amounts.get(day) ?? 0) + counts.charge);
  }
  return [...amounts].map(([day, amount]) => ({ day, amount })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
}
