/** Recomputes all costs from the ledger and the price history, and reports the differences. */
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import { priceAt } from '../core/accounting/price.ts';
import type { DatedPrice, Model } from '../core/model.ts';
import type { Span, UsageStore } from '../core/ports/usage-store.ts';
import { costOfRequest } from './bill.ts';
import { recordsOf } from './records.ts';

/** The prices of a deployment, oldest first; undefined if the catalog no longer has it. */
export type PriceHistory = (
  deployment: Pick<LedgerRecord, 'model' | 'provider' | 'region'>,
) => readonly DatedPrice[] | undefined;

/** A record with its recomputed cost and price. */
export interface RepricedRecord extends Pick<LedgerRecord, 'cost' | 'priceFrom'> {
  readonly record: LedgerRecord;
}

export interface Recomputed {
  readonly requests: number;
  /** In nano-dollars, of the requests whose cost is known. */
  readonly recorded: number;
  readonly recomputed: number;
  readonly differences: readonly RepricedRecord[];
  /** Requests of deployments that the catalog no longer has. They count with their recorded cost. */
  readonly withoutHistory: number;
}

export async function recompute(
  usage: Pick<UsageStore, 'records'>,
  tenant: string,
  span: Span,
  historyOf: PriceHistory,
): Promise<Recomputed> {
  let sums = { requests: 0, recorded: 0, recomputed: 0, withoutHistory: 0 };
  const differences: RepricedRecord[] = [];
  for await (const record of recordsOf(usage, tenant, span)) {
    const prices = historyOf(record);
    const price = prices && priceFor(record, prices);
    const cost = prices ? costOfRequest(record, price) : record.cost;
    if (cost !== record.cost) differences.push({ record, cost, priceFrom: price?.from ?? null });
    sums = {
      requests: sums.requests + 1,
      recorded: sums.recorded + (record.cost ?? 0),
      recomputed: sums.recomputed + (cost ?? 0),
      withoutHistory: sums.withoutHistory + (prices ? 0 : 1),
    };
  }
  return { ...sums, differences };
}

/** The price history of a catalog. A deployment without own prices has those of its model. */
export function historyOf(models: readonly Model[]): PriceHistory {
  const known = new Map(models.map((model) => [model.id, model]));
  return ({ model: id, provider, region }) => {
    const model = known.get(id);
    const deployment = model?.deployments.find((one) => one.provider === provider && one.region === region);
    return deployment ? (deployment.prices ?? model?.prices) : undefined;
  };
}

/** If the price changed during the request, this is the one that was applied. */
function priceFor({ at, totalMs, priceFrom }: LedgerRecord, prices: readonly DatedPrice[]) {
  const first = priceAt(prices, at / 1000);
  const last = priceAt(prices, (at + totalMs) / 1000);
  return last?.from === priceFrom ? last : first;
}
