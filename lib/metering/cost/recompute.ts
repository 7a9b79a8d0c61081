/** Recomputes all costs and charges from the ledger, the price history and the tenant's terms, and reports the differences. */
import { chargedAt, type LedgerAttempt, type LedgerRecord } from '../../core/accounting/ledger.ts';
import { priceAt, pricesOf } from '../../core/accounting/price.ts';
import { describeTerms, type Pricing } from '../../core/accounting/pricing.ts';
import type { Model } from '../../core/catalog/model.ts';
import type { DatedPrice } from '../../core/catalog/price.ts';
import type { Span, UsageStore } from '../../core/ports/usage-store.ts';
import { recordsOf } from '../records/records.ts';
import { charged, costsOf, guardAmounts, sumsOf } from './bill.ts';

/** The prices of a deployment, oldest first; undefined if the catalog no longer has it. */
type PriceHistory = (
  deployment: Pick<LedgerAttempt, 'model' | 'provider' | 'region' | 'upstreamId'>,
) => readonly DatedPrice[] | undefined;

/** What a record comes to. */
type Bill = Pick<LedgerRecord, 'attempts' | 'cost' | 'charge' | 'pricing'>;

/** A record with its recomputed costs and prices. */
export interface RepricedRecord extends Bill {
  readonly record: LedgerRecord;
}

/** What costs and charges are made of. */
interface PriceFacts {
  readonly historyOf: PriceHistory;
  /** The terms of the tenant. */
  readonly pricing?: Pricing | undefined;
}

export interface Recomputed {
  readonly requests: number;
  /** In nano-dollars, of the requests whose cost is known. */
  readonly recorded: number;
  readonly recomputed: number;
  readonly differences: readonly RepricedRecord[];
  /** Requests with attempts at deployments that the catalog no longer has. These count with their recorded cost. */
  readonly withoutHistory: number;
}

export async function recompute(
  usage: Pick<UsageStore, 'records'>,
  tenant: string,
  span: Span,
  { historyOf, pricing }: PriceFacts,
): Promise<Recomputed> {
  let sums = { requests: 0, recorded: 0, recomputed: 0, withoutHistory: 0 };
  const differences: RepricedRecord[] = [];
  for await (const record of recordsOf(usage, tenant, span)) {
    const bill = billAgain(record, { historyOf, pricing });
    const { cost, charge } = bill;
    if (cost !== record.cost || charge !== record.charge) differences.push({ record, ...bill });
    const isWithout = record.attempts.some((attempt) => !historyOf(attempt));
    sums = {
      requests: sums.requests + 1,
      recorded: sums.recorded + (record.cost ?? 0),
      recomputed: sums.recomputed + (cost ?? 0),
      withoutHistory: sums.withoutHistory + (isWithout ? 1 : 0),
    };
  }
  return { ...sums, differences };
}

function billAgain(record: LedgerRecord, { historyOf, pricing }: PriceFacts): Bill {
  const at = chargedAt(record);
  const attempts = record.attempts.map((attempt) =>
    charged(costAgain(attempt, record, historyOf), pricing, at),
  );
  const terms = describeTerms(pricing, at / 1000);
  return {
    attempts,
    ...sumsOf(attempts, guardAmounts(record, pricing, at)),
    ...(terms !== undefined && { pricing: terms }),
  };
}

function costAgain(attempt: LedgerAttempt, record: LedgerRecord, historyOf: PriceHistory): LedgerAttempt {
  const prices = historyOf(attempt);
  if (!prices) return attempt;
  const price = priceFor(attempt, record, prices);
  return { ...attempt, ...costsOf(attempt, price), priceFrom: price?.from ?? null };
}

/** The price history of a catalog. A deployment without own prices has those of its model. */
export function historyOf(models: readonly Model[]): PriceHistory {
  const known = new Map(models.map((model) => [model.id, model]));
  return (attempt) => {
    const model = known.get(attempt.model);
    return model && pricesOf(model, attempt);
  };
}

/** If the price changed during the request, this is the one that was applied: old records do not have the times of attempts. */
function priceFor(
  { at, priceFrom }: LedgerAttempt,
  { at: began, totalMs }: LedgerRecord,
  prices: readonly DatedPrice[],
) {
  const first = priceAt(prices, at / 1000);
  const last = priceAt(prices, (began + totalMs) / 1000);
  return last?.from === priceFrom ? last : first;
}

/**
 * Writes recomputed costs to the ledger. The aggregator corrects the sums and limits by the change of each record. The number of
 * written records. Can be repeated safely: a cost that has changed in the meantime is not overwritten.
 */
export async function reprice(
  usage: Pick<UsageStore, 'reprice'>,
  records: readonly RepricedRecord[],
): Promise<number> {
  let written = 0;
  for (const { record, ...bill } of records) {
    if (await usage.reprice(record, bill)) written += 1;
  }
  return written;
}
