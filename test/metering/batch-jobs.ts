/** What the tests of jobs of batches share: a tenant for each test, its jobs, and what the stream of the ledger delivers. */
import { randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import type { LedgerChange } from '../../lib/core/accounting/journal.ts';
import type { FinishedRequest, LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { LimitScope } from '../../lib/core/accounting/limits.ts';
import { lineRequestId } from '../../lib/core/names/request-id.ts';
import type { ApiKey } from '../../lib/core/ports/api-keys.ts';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import type { MeteredRequest } from '../../lib/core/ports/metering.ts';
import type { Limits, TenantTerms } from '../../lib/core/tenancy.ts';
import { dayMs, minuteMs } from '../../lib/core/time.ts';
import { settlementsOf } from '../../lib/metering/aggregate/settlements.ts';
import { createSweep } from '../../lib/metering/aggregate/sweep.ts';
import { createJobMeter, type JobMeter } from '../../lib/metering/batches/job-meter.ts';
import type { JobToReserve, LineShare } from '../../lib/metering/batches/job-records.ts';
import { createCountRecorded } from '../../lib/metering/leaked/count-recorded.ts';
import { openTable, type StoredItem } from '../../lib/stores/dynamodb/table.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { readStreamEvent } from '../../lib/stores/usage/stream.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { useTestDatabase } from '../stores/database.ts';
import { silent } from './aggregator.ts';
import { usageOf } from './usages.ts';

export const hourMs = 60 * minuteMs;
export const noon = Date.UTC(2026, 10, 20, 12);

/** Whether a write fails, and if so, whether it was done. */
export type Fails = () => 'before' | 'after' | undefined;

/** A token costs two nano-dollars, and one in a batch. */
const tokens = { cachedInput: null, cacheWrite: null };
const price = {
  from: 0,
  price: { input: 2, output: 2, ...tokens, serviceTiers: { batch: { input: 1, output: 1, ...tokens } } },
};

/** A line as it is written: what its answer is charged at cost, and its share of what is held. */
interface WrittenLine {
  readonly line: number;
  readonly charge: number;
  readonly share: LineShare;
}

export function useBatchJobs() {
  const database = useTestDatabase('usage');
  let sequence = 0;
  const state = {
    time: noon,
    tenant: '',
    /** What the stream of the ledger has delivered. */
    changes: [] as LedgerChange[],
    /** How many writes of the ledger there were. */
    writes: 0,
  };
  const now = () => state.time;
  beforeEach(() => {
    Object.assign(state, { time: noon, tenant: randomUUID(), changes: [], writes: 0 });
  });

  const readItem = async ({ pk, sk }: Readonly<Record<'pk' | 'sk', object>>) => {
    const asked = { TableName: 'usage', Key: { pk, sk }, ConsistentRead: true };
    return (await database.call('DynamoDB_20120810.GetItem', asked)).Item as object | undefined;
  };

  /** The database as a process sees it. */
  const connect =
    (fails: Fails = () => undefined): AwsCall =>
    async (action, input, ...rest) => {
      const failure = /PutItem|UpdateItem/.test(action) ? fails() : undefined;
      const fault = new AwsError('InternalServerError', 'fault', 500);
      if (failure === 'before') throw fault;
      const { Item: item } = input as { readonly Item?: Readonly<Record<'pk' | 'sk', { S: string }>> };
      const written = item && /^(ledger|running)#/.test(item.pk.S) ? item : undefined;
      const before = written && (await readItem(written));
      const answer = await database.call(action, input, ...rest);
      if (written) {
        sequence += 1;
        state.writes += 1;
        const images = { OldImage: before, NewImage: await readItem(written) };
        const dynamodb = { ...images, SequenceNumber: `${sequence}` };
        state.changes.push(...readStreamEvent({ shardId: 'a-shard', Records: [{ dynamodb }] }).changes);
      }
      if (failure === 'after') throw fault;
      return answer;
    };

  const options = (fails?: Fails) => ({ call: connect(fails), table: 'usage', now });
  const usage = () => createUsageStore(options());
  const limits = () => createLimitStore(options());
  const requestOf = (requestId: string, charge: number): FinishedRequest => ({
    requestId,
    at: state.time,
    tenant: state.tenant,
    key: `key-${state.tenant}`,
    operation: 'chat-completions',
    requestedModel: 'acme/one',
    model: 'acme/one',
    provider: 'acme',
    region: 'global',
    attempts: [
      {
        provider: 'acme',
        model: 'acme/one',
        region: 'global',
        at: state.time,
        tier: 'default',
        inputTokens: 3,
        output: { reserved: 5, isHidden: false, isInputUnknown: false },
        usage: usageOf({ promptTokens: charge }),
        price,
      },
    ],
    status: 200,
    streamed: false,
    totalMs: 5,
    normalizations: 0,
  });

  return {
    database,
    state,
    now,
    options,
    usage,
    limits,
    requestOf,

    openMeter: (fails?: Fails, more: object = {}): JobMeter =>
      createJobMeter({
        usage: createUsageStore(options(fails)),
        limits: createLimitStore(options(fails)),
        log: silent,
        now,
        newId: (prefix) => prefix + randomUUID(),
        pausesMs: [],
        ...more,
      }),

    keyOf: (ofKey: Limits, ofTenant: Limits = {}, terms: TenantTerms = {}): ApiKey => ({
      id: `key-${state.tenant}`,
      tenant: state.tenant,
      keyPolicy: { limits: ofKey },
      tenantPolicy: { limits: ofTenant, ...terms },
    }),

    scopeOfTenant: (): LimitScope => ({ kind: 'tenant', id: state.tenant }),
    scopeOfKey: (): LimitScope => ({ kind: 'key', id: `key-${state.tenant}` }),

    async used(scope: LimitScope) {
      const { totalCommitted, held, requests, tokens } = (await limits().read(scope)) ?? {};
      return { totalCommitted, held, requests, tokens };
    },

    /** A job of lines that cost these amounts at most. */
    jobOf: (amounts: readonly (number | null)[], more: Partial<JobToReserve> = {}): JobToReserve => ({
      batch: `batch_${state.tenant}`,
      first: requestOf('noted', 0),
      line: 0,
      at: state.time,
      amounts,
      until: state.time + 26 * hourMs,
      ...more,
    }),

    /** The record of a line, as a process writes it. */
    async writeLine(
      meter: JobMeter,
      key: ApiKey,
      hold: MeteredRequest,
      { line, charge, share }: WrittenLine,
    ) {
      const { batch = '', requestId, at } = hold.record;
      const isFirst = 'inParts' in share;
      const id = isFirst ? requestId : lineRequestId({ batch, line, attempt: 0 }, state.time);
      const one = meter.line(hold, share);
      await one.openMeter(key, id).finish({ ...requestOf(id, charge), ...(isFirst && { at }) });
      return await one.recorded();
    },

    /** Gives the changes of the stream to the limits: by default all at once. */
    async settle(batches: readonly (readonly LedgerChange[])[] = [state.changes]) {
      for (const batch of batches) await limits().settle('a-shard', settlementsOf(batch));
    },

    /** The stored open record of a job. */
    async openItem({ record: { requestId, at } }: MeteredRequest): Promise<StoredItem> {
      const time = new Date(at).toISOString();
      const key = [`running#${state.tenant}#${time.slice(0, 10)}`, `${time}#${requestId}`] as const;
      return (await openTable(options()).get(key)) ?? {};
    },

    async sweep() {
      const store = createAggregateStore(options());
      await createSweep({ store, now }).tenant(state.tenant);
      await createSweep({ store, now }).all();
    },

    async freeLeaked(scope: LimitScope) {
      const running = createAggregateStore(options());
      const counting = createCountRecorded({ usage: usage(), running }, state.tenant, 1_000);
      return (await limits().freeLeaked(scope, counting(scope), true)).state;
    },

    async records(): Promise<readonly LedgerRecord[]> {
      const span = { from: noon - dayMs, to: state.time + dayMs, limit: 100 };
      return (await usage().records(state.tenant, span)).records;
    },
  };
}
