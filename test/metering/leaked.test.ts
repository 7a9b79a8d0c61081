/** While a tenant is active, the aggregator frees by itself what crashes have leaked in its limits. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Hold, LimitScope, LimitStore } from '../../lib/core/accounting/limits.ts';
import type { Aggregate } from '../../lib/metering/aggregate/aggregate.ts';
import { createRepairLimits, maxRecordsRead } from '../../lib/metering/leaked/repair-limits.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { unknownUsage } from '../../lib/stores/limits/pool/pool.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord } from '../harness/ledger.ts';
import { useTestDatabase } from '../stores/database.ts';
import { wantedAt } from '../stores/limit-items.ts';
import { openAggregate, silent } from './aggregator.ts';

const hourMs = 3_600_000;
const unused = unknownUsage(0);
const database = useTestDatabase('usage');
let time = 0;
let tenant = '';
let reads = 0;
let logged: Record<string, unknown>[] = [];
let sequence = 0;
const now = () => time;

beforeEach(() => {
  time = Date.UTC(2026, 10, 20, 12);
  tenant = randomUUID();
  reads = 0;
  logged = [];
});

const scope = (): LimitScope => ({ kind: 'tenant', id: tenant });
const options = () => ({ call: database.call, table: 'usage', now });
const limits = () => createLimitStore(options());

function startAggregator(perPage = 1): Aggregate {
  const usage = createUsageStore(options());
  const log = {
    ...silent,
    warn: (message: string, fields: object) => void logged.push({ message, ...fields }),
  };
  const counted: typeof usage = {
    ...usage,
    async records(name, span) {
      reads += 1;
      const page = await usage.records(name, span);
      return { ...page, records: page.records.flatMap((record) => Array(perPage).fill(record)) };
    },
  };
  const repairLimits = createRepairLimits({
    limits: limits(),
    usage: counted,
    running: createAggregateStore(options()),
    log,
    now,
  });
  return openAggregate(options(), { repairLimits, log });
}

async function admit(amount: number): Promise<Hold> {
  const { hold } = await limits().reserve(scope(), { totalBudget: 1_000_000 }, wantedAt(time, amount));
  if (!hold) throw new Error('It was not admitted.');
  return hold;
}

/** A request from its admission to the change of the ledger that the aggregator gets. */
async function request(aggregate: Aggregate) {
  const record = testRecord({
    requestId: randomUUID(),
    tenant,
    at: time,
    cost: 10,
    holds: [await admit(100)],
  });
  await createUsageStore(options()).record(record, `write_${record.requestId}`);
  sequence += 1;
  await aggregate('shard', [{ sequence: `${sequence}`, at: time, after: { state: 'done', record } }]);
}

const used = async () => (await limits().read(scope()))?.totalCommitted;

test('what a crash has left is free again the day after, and the ledger is read only for that', async () => {
  const aggregate = startAggregator();
  await request(aggregate);
  await admit(5_000);
  await request(aggregate);
  time += 12 * hourMs;
  await request(aggregate);
  expect({ used: await used(), reads }).toEqual({ used: 5_030, reads: 0 });
  time += hourMs;
  await request(aggregate);
  expect({ used: await used(), reads, logged }).toEqual({
    used: 40,
    reads: 1,
    logged: [
      {
        message: 'limits checked',
        tenant,
        scope: 'tenant',
        scope_id: tenant,
        state: 'freed',
        nano_dollars: 5_000,
      },
    ],
  });
  for (let count = 0; count < 3; count += 1) {
    time += hourMs;
    await request(aggregate);
  }
  expect({ used: await used(), reads }).toEqual({ used: 70, reads: 1 });
});

test('a tenant with too many records is left to the operator, and looked at once an hour', async () => {
  const aggregate = startAggregator(maxRecordsRead + 1);
  await request(aggregate);
  await admit(5_000);
  time += 13 * hourMs;
  for (let count = 0; count < 3; count += 1) {
    time += 20 * 60_000;
    await request(aggregate);
  }
  expect(await used()).toBe(5_040);
  expect(logged).toMatchObject([{ message: 'limits checked', state: 'unknown', nano_dollars: 5_000 }]);
});

test('one batch reads so many records at most, however many tenants and days are affected; the next one goes on', async () => {
  const pageOf = 500;
  const asked: string[] = [];
  const usage = {
    oldestDay: () => '2020-01-01',
    async records(name: string) {
      asked.push(name);
      return { records: Array.from({ length: pageOf }, () => testRecord({ requestId: '1' })), after: 'more' };
    },
  };
  const freeLeaked: LimitStore['freeLeaked'] = async ({ id }, countRecorded) => {
    const day = 20_000 + Number(id.at(-1));
    await countRecorded({ from: day, to: day });
    return { state: 'unknown', amount: 1 };
  };
  const repair = createRepairLimits({
    limits: { freeLeaked },
    usage,
    running: { opened: async () => [] },
    log: silent,
    now,
  });
  const settled = ['a', 'b'].flatMap((name) =>
    [1, 2, 3].map((number) => ({
      tenant: name,
      scope: { kind: 'key' as const, id: `${name}${number}` },
      mayHaveLeaked: true,
      usage: unused,
      limits: {},
    })),
  );
  const mostPages = maxRecordsRead / pageOf + 1;
  await repair(settled);
  expect([new Set(asked), asked.length <= mostPages]).toEqual([new Set(['a']), true]);
  asked.length = 0;
  await repair(settled);
  expect([new Set(asked), asked.length <= mostPages]).toEqual([new Set(['b']), true]);
});
