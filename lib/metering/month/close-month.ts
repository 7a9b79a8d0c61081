/** Closes a month of a tenant: from then on its charges change by adjustments only. */
import { addCounts, equalCounts, toCounts } from '../../core/accounting/counters.ts';
import type { Journal, MonthClose } from '../../core/accounting/journal.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { AggregateStore, Span, UsageStore } from '../../core/ports/usage-store.ts';
import { dayMs } from '../../core/time.ts';
import { countsOf } from '../cost/counts.ts';
import { recordsOf } from '../records/records.ts';
import { type MonthSums, spanOfMonth, sumsOfMonth } from './invoice.ts';

interface CloseParts {
  readonly usage: Pick<UsageStore, 'counters' | 'records' | 'oldestDay'>;
  readonly journal: Journal;
  readonly running: Pick<AggregateStore, 'unfinished'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Of a month whose records are read; absent: any number. */
  readonly maxRequests?: number;
}

/** After the end of a month, until every request that began in it is in the daily sums. */
const countedAfterMs = 20 * 60_000;

/** Rejects with GatewayError `conflict` that says what keeps the month open. */
export async function closeMonth(
  parts: CloseParts,
  tenant: string,
  month: string,
  by: string,
): Promise<MonthClose> {
  const { usage, journal, now } = parts;
  const span = spanOfMonth(month);
  if (now() < span.to + countedAfterMs) throw refused(notOver(month));
  const open = await countOpen(parts, tenant, span);
  if (open > 0) {
    throw refused(
      `${tenant} has ${open} requests of ${month} that have not been finished. The aggregator finishes them within minutes of the next request.`,
    );
  }
  const sums = await sumsOfMonth(usage, tenant, month);
  const made = await factsOfRecords(parts, tenant, month, sums);
  const { models, hash } = sums;
  const close = { tenant, month, at: now(), by, models, hash, ...made };
  if (await journal.close(close)) return close;
  throw refused(`${month} of tenant ${tenant} is closed already.`);
}

/** Day by day, so that the memory of one is enough. */
async function countOpen({ running }: CloseParts, tenant: string, { from, to }: Span): Promise<number> {
  let open = 0;
  for (let day = from; day < to; day += dayMs) {
    open += (await running.unfinished(tenant, { from: day, to: day + dayMs - 1 })).length;
  }
  return open;
}

const refused = (message: string) => new GatewayError('conflict', message, { param: 'month' });

const notOver = (month: string) =>
  `${month} is not over: a month can be closed 20 minutes after its end (UTC), when its last requests have been counted.`;

/** What the charges were made of. The records must come to the daily sums; those of a month that has partly expired are not read. */
async function factsOfRecords(
  { usage, maxRequests = Number.POSITIVE_INFINITY }: CloseParts,
  tenant: string,
  month: string,
  { counters }: MonthSums,
): Promise<Pick<MonthClose, 'pricing' | 'prices'>> {
  if (usage.oldestDay() > `${month}-01`) return { pricing: [], prices: [] };
  const total = counters.map(({ counts }) => counts).reduce(addCounts, toCounts());
  if (total.requests > maxRequests) throw refused(tooMany(tenant, month, total.requests));
  const pricing = new Set<string>();
  const prices = new Set<string>();
  let counted = toCounts();
  for await (const record of recordsOf(usage, tenant, spanOfMonth(month))) {
    counted = addCounts(counted, countsOf(record));
    pricing.add(record.pricing ?? 'at cost');
    for (const price of pricesOf(record)) prices.add(price);
  }
  if (equalCounts(counted, total)) return { pricing: [...pricing].sort(), prices: [...prices].sort() };
  throw refused(
    `The daily totals of ${tenant} differ from the ledger. Correct them with: usage reconcile --tenant ${tenant}`,
  );
}

const tooMany = (tenant: string, month: string, requests: number) =>
  `${tenant} has ${requests} requests in ${month}, which take longer to check than this call may. Close it with the command line and the stack: usage close ${month} --tenant ${tenant}`;

const pricesOf = ({ attempts }: LedgerRecord) =>
  attempts.flatMap(({ model, provider, region, priceFrom }) =>
    priceFrom === null
      ? []
      : [`${model} at ${provider}:${region} from ${new Date(priceFrom * 1000).toISOString()}`],
  );
