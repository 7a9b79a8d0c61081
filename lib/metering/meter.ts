/**
 * Meters each request: reserves its maximum use before a provider is called; when the request ends, writes its record and
 * releases the unused part of the reservation.
 *
 * Metering never fails an answer and delays it by at most `timeoutMs`. A record that could not be written by then is
 * logged in full, for `replay`.
 */
import { type FinishedRequest, type LedgerRecord, usageOf } from '../core/accounting/ledger.ts';
import { totalTokens } from '../core/generation/usage.ts';
import type { ApiKey } from '../core/ports/api-keys.ts';
import type { Log } from '../core/ports/log.ts';
import type { MaxUse, OpenMeter } from '../core/ports/metering.ts';
import type { UsageStore } from '../core/ports/usage-store.ts';
import { billOf } from './bill.ts';
import { outcomeWithin } from './deadline.ts';
import { type Loss, lossMessage, openedMessage } from './log-lines.ts';
import { recordUsage } from './record-usage.ts';

/** The actual use of a request; `cost` is what its tenant is charged. */
export interface ActualUse {
  readonly tokens: number;
  /** In nano-dollars; null if unknown. */
  readonly cost: number | null;
}

/** The limits of one request's key and tenant. */
export interface LimitedRequest {
  /** Rejects with GatewayError `rate_limited`, `insufficient_quota` or `permission_denied`. */
  admit(max: MaxUse): Promise<void>;
  headers(): Readonly<Record<string, string>>;
  /** Releases the unused part of the reservation; `undefined` if no provider was called. May reject. */
  release(actual: ActualUse | undefined): Promise<void>;
}

/** Undefined if key and tenant have no limits. */
export type OpenLimits = (key: ApiKey, requestId: string) => LimitedRequest | undefined;

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
  return (key, requestId) => {
    const limits = openLimits?.(key, requestId);
    let unrecorded: ActualUse | undefined;
    const release = async (record: LedgerRecord | undefined) => {
      const use = record ? actualUse(record) : unrecorded;
      const outcome = await outcomeWithin(timeoutMs, limits?.release(use));
      if (outcome !== 'done') log.warn('limits not released', { request_id: requestId });
    };
    return {
      async admit(max) {
        if (!limits) return undefined;
        const most = max();
        await limits.admit(most);
        if (most.isFree) unrecorded = { tokens: 0, cost: 0 };
        return undefined;
      },
      headers: () => limits?.headers() ?? {},
      begin(request) {
        if (request) log.info(openedMessage, { request_id: requestId, record: opened(request) });
      },
      async finish(request) {
        const record = request && billOf(request, key.tenantPolicy?.pricing);
        await Promise.all([release(record), record && write(record, options, timeoutMs)]);
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

function actualUse(record: LedgerRecord): ActualUse {
  const usage = usageOf(record);
  return { tokens: usage ? totalTokens(usage) : 0, cost: record.charge };
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
