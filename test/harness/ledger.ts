/** The ledger of the local gateway of this process, and records that no request made. */

import { addCounts, type Counts, dayOf, toCounts } from '../../lib/core/accounting/counters.ts';
import {
  type FinishedRequest,
  type LedgerAttempt,
  type LedgerRecord,
  usageOf,
} from '../../lib/core/accounting/ledger.ts';
import type { DatedPrice } from '../../lib/core/catalog/price.ts';
import type { AttemptFacts } from '../../lib/core/endpoint.ts';
import type { Usage } from '../../lib/core/generation/usage.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import type { Span, UsageStore } from '../../lib/core/ports/usage-store.ts';
import { sumsOf } from '../../lib/metering/cost/bill.ts';
import { countsOf } from '../../lib/metering/cost/counts.ts';
import { recordsOf } from '../../lib/metering/records/records.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from './gateways/environment.ts';
import { settled } from './settled.ts';

export interface Ledger {
  readonly call: AwsCall;
  readonly usage: UsageStore;
  /** Writes final records, as a meter does, and waits for their sums. */
  write(...records: readonly LedgerRecord[]): Promise<void>;
  /** Every record of a tenant; of the last two days by default. */
  recordsOf(tenant: string, span?: Span): Promise<readonly LedgerRecord[]>;
  /** What was counted of a tenant in these days, once the sums have followed the ledger. */
  sums(tenant: string, span?: Span): Promise<Counts>;
  close(): Promise<void>;
}

/** `now`: the time in milliseconds, where the gateway has another clock. */
export function openLedger(endpoint = databaseEndpoint(), now = Date.now): Ledger {
  const { call, close } = connectDatabase(endpoint);
  const usage = createUsageStore({ call, table: 'usage', now });
  return {
    call,
    usage,
    close,
    async write(...records) {
      await Promise.all(records.map((record) => usage.record(record, `write_${record.requestId}`)));
      await settled();
    },
    async recordsOf(tenant, span = lastTwoDays()) {
      return await Array.fromAsync(recordsOf(usage, tenant, span));
    },
    async sums(tenant, { from, to } = lastTwoDays()) {
      await settled();
      const counters = await usage.counters(tenant, { from: dayOf(from), to: dayOf(to) });
      return counters.map(({ counts }) => counts).reduce(addCounts, toCounts());
    },
  };
}

export const lastTwoDays = (): Span => ({ from: Date.now() - 86_400_000, to: Date.now() + 60_000 });

/** The days of a span, as `reconcile` takes them. */
export const daysOf = ({ from, to }: Span): readonly string[] => [...new Set([from, to].map(dayOf))];

/** The totals of these records. */
export const sumOf = (records: readonly LedgerRecord[]): Counts =>
  records.map(countsOf).reduce(addCounts, toCounts());

/** A record with what its attempts used, as one request. */
export interface Summary extends LedgerRecord, Pick<LedgerAttempt, 'rawUsage' | 'estimated' | 'priceFrom'> {
  readonly usage?: Usage;
  /** The number of attempts. */
  readonly calls: number;
}

/** The use of all attempts, and the rest of the last one. */
export function summaryOf(record: LedgerRecord): Summary {
  const usage = usageOf(record);
  const { rawUsage, estimated, priceFrom = null }: Partial<LedgerAttempt> = record.attempts.at(-1) ?? {};
  return {
    ...record,
    ...(usage && { usage }),
    ...(rawUsage && { rawUsage }),
    ...(estimated && { estimated }),
    priceFrom,
    calls: record.attempts.length,
  };
}

/** A record as it was before its cost was computed, with this price for every attempt. */
export function unbilled(
  { attempts, cost: _, charge: __, ...request }: LedgerRecord,
  price: DatedPrice | undefined,
): FinishedRequest {
  return {
    ...request,
    attempts: attempts.map(({ cost: _, charge: __, priceFrom: ___, ...attempt }) => ({
      ...attempt,
      inputTokens: 9,
      ...(price && { price }),
    })),
  };
}

/** An attempt that has just begun. */
export const testAttempt = (changes: Partial<AttemptFacts> = {}): AttemptFacts => ({
  provider: 'acme',
  model: 'acme/one',
  region: 'global',
  at: Date.now(),
  inputTokens: 9,
  ...changes,
});

let made = 0;

type AttemptChanges = Partial<Pick<LedgerAttempt, 'usage' | 'rawUsage' | 'estimated' | 'priceFrom' | 'tier'>>;

/** A record of one attempt, which has the use and the cost; or of `attempts`. */
export function testRecord({
  usage = {
    promptTokens: 100,
    cachedTokens: 40,
    cacheWriteTokens: 10,
    completionTokens: 50,
    reasoningTokens: 20,
  },
  rawUsage,
  estimated,
  priceFrom = 0,
  tier,
  ...changes
}: Partial<LedgerRecord> & AttemptChanges = {}): LedgerRecord {
  made += 1;
  const { at = Date.now(), model = 'acme/one', provider = 'acme', region = 'global', error } = changes;
  const { cost = 1_500, charge = cost } = changes;
  const only: LedgerAttempt = {
    provider,
    model,
    region,
    at,
    ...(tier && { tier }),
    usage,
    ...(rawUsage && { rawUsage }),
    ...(estimated && { estimated }),
    ...(error && { error }),
    priceFrom,
    cost,
    charge,
  };
  const { attempts = [only] } = changes;
  return {
    requestId: `request-${made}`,
    tenant: 'acme',
    key: 'key_0123456789ab',
    operation: 'chat-completions',
    requestedModel: 'acme/one',
    model,
    provider,
    region,
    status: 200,
    streamed: false,
    ...sumsOf(attempts),
    totalMs: 10,
    normalizations: 0,
    ...changes,
    at,
    attempts,
  };
}
