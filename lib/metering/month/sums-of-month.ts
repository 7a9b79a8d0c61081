/** The daily sums of a month: by model, and as a hash that shows whether they have changed. */
import { createHash } from 'node:crypto';
import { addCounts, countNames, type DailyCounter, dayOf } from '../../core/accounting/counters.ts';
import type { ClosedModel } from '../../core/accounting/journal.ts';
import type { Span, UsageStore } from '../../core/ports/usage-store.ts';

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
