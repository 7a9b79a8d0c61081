/** What an operator is told of the bill of a request: a metric of the stack counts some of these lines. */
import { type FinishedRequest, type LedgerRecord, tokensOf } from '../../core/accounting/ledger.ts';
import type { Log } from '../../core/ports/log.ts';
import { differenceMessage, statedDifference } from '../cost/stated-cost.ts';

/** Where a provider states another cost than the computed one. */
export function reportDifferences(
  log: Log,
  requestId: string,
  { attempts }: Pick<FinishedRequest, 'attempts'>,
): void {
  for (const difference of attempts.flatMap(statedDifference)) {
    log.warn(differenceMessage, { request_id: requestId, ...difference });
  }
}

/** Without a price, an operator must add it. What a client secret is used for is always unknown. */
export function reportUnpriced(log: Log, record: LedgerRecord): void {
  const { requestId: request_id, model, provider, operation, cost, charge } = record;
  if (operation === 'realtime-client-secrets') return;
  if (cost !== null && charge !== null) return;
  const reason = tokensOf(record) === null ? 'uncounted' : 'no_price';
  log.error('usage unpriced', { request_id, model, provider, reason });
}
