/**
 * Counts each request: what it may come to is set aside before a provider is asked, and when it is over its record is
 * written and what was not used is given back.
 *
 * Metering never fails an answer and never keeps it waiting for longer than `timeoutMs`. What could not be written by
 * then is a line of the log that holds the whole record, for `replay`.
 */
import type { FinishedRequest, LedgerRecord } from '../core/accounting/ledger.ts';
import { totalTokens } from '../core/generation/usage.ts';
import type { ApiKey, Log, MaxUse, OpenMeter, UsageStore } from '../core/ports.ts';
import { billOf } from './bill.ts';
import { type Loss, lossMessage, openedMessage } from './log-lines.ts';
import { within } from './within.ts';
import { writeDown } from './write-down.ts';

/** What a request came to in the end. */
export interface ActualUse {
  readonly tokens: number;
  /** In nano-dollars; null: not known. */
  readonly cost: number | null;
}

/** One request against the limits of its key and tenant. */
export interface LimitedRequest {
  /** Rejects with GatewayError `rate_limited`, `insufficient_quota` or `permission_denied`. */
  admit(most: MaxUse): Promise<void>;
  headers(): Readonly<Record<string, string>>;
  /** Gives back what was set aside and not used; undefined: no provider was asked. May reject. */
  settle(actual: ActualUse | undefined): Promise<void>;
}

/** Undefined for those without limits. */
export type OpenLimits = (key: ApiKey, requestId: string) => LimitedRequest | undefined;

export interface MeterOptions {
  readonly usage: Pick<UsageStore, 'record' | 'addToCounter'>;
  /** Absent: nobody is limited. */
  readonly openLimits?: OpenLimits;
  readonly log: Log;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
  /** How long an answer waits for its record; Lambda's time limit leaves three seconds for it. */
  readonly timeoutMs?: number;
}

export function createOpenMeter(options: MeterOptions): OpenMeter {
  const { log, openLimits, timeoutMs = 2_000 } = options;
  return (key, requestId) => {
    const limits = openLimits?.(key, requestId);
    const giveBack = async (record: LedgerRecord | undefined) => {
      const isOver = await within(timeoutMs, limits?.settle(record && actualUse(record)));
      if (isOver !== 'done') log.warn('limits not settled', { request_id: requestId });
    };
    return {
      admit: async (most) => await limits?.admit(most()),
      headers: () => limits?.headers() ?? {},
      begin(request) {
        if (request) log.info(openedMessage, { request_id: requestId, record: opened(request) });
      },
      async settle(request) {
        const record = request && billOf(request);
        await Promise.all([giveBack(record), record && keep(record, options, timeoutMs)]);
      },
    };
  };
}

/** What is known of a request before its answer. */
const opened = ({ price, usage: _, rawUsage: __, ...request }: FinishedRequest): LedgerRecord => ({
  ...request,
  priceFrom: price?.from ?? null,
  cost: null,
});

const actualUse = ({ usage, cost }: LedgerRecord): ActualUse => ({
  tokens: usage ? totalTokens(usage) : 0,
  cost,
});

/** Writes the record and adds it to the sums, or says in the log which of the two is not known to be done. */
async function keep(
  record: LedgerRecord,
  { usage, log, newId }: MeterOptions,
  timeoutMs: number,
): Promise<void> {
  const { requestId, model, provider } = record;
  // The stack counts these lines: somebody has to look after the price.
  if (record.cost === null) log.error('usage unpriced', { request_id: requestId, model, provider });
  let missing: Loss['missing'] = 'record';
  const written = writeDown(record, { usage, write: newId('write_'), timeoutMs }, () => {
    missing = 'counter';
  });
  const outcome = await within(timeoutMs, written);
  if (outcome !== 'done') log.error(lossMessage, { request_id: requestId, missing, reason: outcome, record });
}
