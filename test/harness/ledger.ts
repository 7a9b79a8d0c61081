/** The ledger of the local gateway of this process, and records that no request made. */
import { connectDatabase } from '../../infra/local/database-call.ts';
import { addCounts, type Counts, dayOf, toCounts } from '../../lib/core/accounting/counters.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import type { Span, UsageStore } from '../../lib/core/ports/usage-store.ts';
import { counterKeyOf, countsOf } from '../../lib/metering/counts.ts';
import { recordsOf } from '../../lib/metering/records.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';

export interface Ledger {
  readonly call: AwsCall;
  readonly usage: UsageStore;
  /** Writes records down and counts them, as a meter does. */
  write(...records: readonly LedgerRecord[]): Promise<void>;
  /** Every record of a tenant; of the last two days by default. */
  recordsOf(tenant: string, span?: Span): Promise<readonly LedgerRecord[]>;
  /** What was counted of a tenant in these days. */
  sums(tenant: string, span?: Span): Promise<Counts>;
  close(): Promise<void>;
}

export function openLedger(endpoint = process.env.DYNAMODB_ENDPOINT ?? ''): Ledger {
  const { call, close } = connectDatabase(endpoint);
  const usage = createUsageStore({ call, table: 'usage', now: Date.now });
  const writeOne = async (record: LedgerRecord) => {
    await usage.record(record, `write_${record.requestId}`);
    await usage.addToCounter(counterKeyOf(record), countsOf(record));
  };
  return {
    call,
    usage,
    close,
    async write(...records) {
      await Promise.all(records.map(writeOne));
    },
    async recordsOf(tenant, span = lastTwoDays()) {
      return await Array.fromAsync(recordsOf(usage, tenant, span));
    },
    async sums(tenant, { from, to } = lastTwoDays()) {
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

let made = 0;

export function testRecord(changes: Partial<LedgerRecord> = {}): LedgerRecord {
  made += 1;
  return {
    requestId: `request-${made}`,
    at: Date.now(),
    tenant: 'acme',
    key: 'key_0123456789ab',
    operation: 'chat-completions',
    requestedModel: 'acme/one',
    model: 'acme/one',
    provider: 'acme',
    region: 'global',
    attempts: 1,
    status: 200,
    streamed: false,
    usage: {
      promptTokens: 100,
      cachedTokens: 40,
      cacheWriteTokens: 10,
      completionTokens: 50,
      reasoningTokens: 20,
    },
    priceFrom: 0,
    cost: 1_500,
    totalMs: 10,
    normalizations: 0,
    ...changes,
  };
}
