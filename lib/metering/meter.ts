/**
 * Meters each request: reserves its maximum use before a provider is called; when the request ends, writes its record and
 * releases the unused part of the reservation.
 *
 * Metering never fails an answer and delays it by at most `timeoutMs`. A record that could not be written by then is
 * logged in full, for `replay`.
 */
import type { FinishedRequest, LedgerRecord } from '../core/accounting/ledger.ts';
import type { Hold } from '../core/accounting/limits.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import type { Log } from '../core/ports/log.ts';
import type { MaxUse, OpenMeter } from '../core/ports/metering.ts';
import type { UsageStore } from '../core/ports/usage-store.ts';
import { billOf } from './bill.ts';
import { outcomeWithin } from './deadline.ts';
import { type Loss, lossMessage, openedMessage } from './log-lines.ts';
import { recordUsage } from './record-usage.ts';

export interface LimitedRequest {
  /**
   * Resolves with the output tokens that they grant. Rejects with GatewayError `rate_limited`, `budget_used_up`,
   * `insufficient_quota`, `limits_unavailable` or `permission_denied`.
   */
  admit(max: MaxUse): Promise<number>;
  /** What they hold until the actual use is known. */
  holds(): readonly Hold[];
  headers(): Readonly<Record<string, string>>;
  /** The request has ended. If it was not served, because no provider was called, nothing of it counts. May reject. */
  release(wasServed: boolean): Promise<void>;
}

/** Undefined if key, user and tenant have no limits. */
export type OpenLimits = (key: ApiKey, requestId: string, user?: string) => LimitedRequest | undefined;

export interface MeterOptions {
  readonly usage: Pick<UsageStore, 'record' | 'addToCounter'>;
  /** Absent if there are no limits at all. */
  readonly openLimits?: OpenLimits;
  readonly log: Log;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
  /** How long an answer waits for its record. The time limit of the Lambda function leaves three seconds for it. */
  readonly timeoutMs?: number;
}

export function createOpenMeter(options: MeterOptions): OpenMeter {
  const { log, openLimits, timeoutMs = 2_000 } = options;
  return (key, requestId, user) => {
    const limits = openLimits?.(key, requestId, user);
    let isFree = false;
    const withHolds = (request: FinishedRequest) => {
      const holds = limits?.holds() ?? [];
      return holds.length > 0 ? { ...request, holds } : request;
    };
    const release = async (wasServed: boolean) => {
      const outcome = await outcomeWithin(timeoutMs, limits?.release(wasServed));
      if (outcome !== 'done') log.warn('limits not released', { request_id: requestId });
    };
    return {
      async admit(max) {
        if (!limits) return undefined;
        const most = max();
        const output = await limits.admit(most);
        isFree = most.isFree === true;
        return isFree ? undefined : output;
      },
      headers: () => limits?.headers() ?? {},
      begin(request) {
        if (request) log.info(openedMessage, { request_id: requestId, record: opened(withHolds(request)) });
      },
      async finish(request) {
        const record = request && billOf(withHolds(request), key.tenantPolicy?.pricing);
        await Promise.all([
          release(record !== undefined || isFree),
          record && write(record, options, timeoutMs),
        ]);
      },
    };
  };
}

/** The record of a request before its answer is known. */
function opened({ attempts, ...request }: FinishedRequest): LedgerRecord {
  const unknown = { cost: null, charge: null };
  return {
    ...request,
    attempts: attempts.map(({ price, usage: _, rawUsage: __, ...attempt }) => ({
      ...attempt,
      priceFrom: price?.from ?? null,
      ...unknown,
    })),
    ...unknown,
  };
}

/** Writes the record and adds it to the counters. Logs which of the two failed or has an unknown outcome. */
async function write(
  record: LedgerRecord,
  { usage, log, newId }: MeterOptions,
  timeoutMs: number,
): Promise<void> {
  const { requestId, model, provider } = record;
  // An alarm of the stack counts these lines: an operator must add the price.
  if (record.cost === null || record.charge === null)
    log.error('usage unpriced', { request_id: requestId, model, provider });
  let missing: Loss['missing'] = 'record';
  const written = recordUsage(record, { usage, write: newId('write_'), timeoutMs }, () => {
    missing = 'counter';
  });
  const outcome = await outcomeWithin(timeoutMs, written);
  if (outcome !== 'done') log.error(lossMessage, { request_id: requestId, missing, reason: outcome, record });
}
