/** The daily export, from a real table to a bucket on loopback. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { Log } from '../../lib/core/ports/log.ts';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createExporter, type ExportEvent } from '../../lib/runtime/records/export-runtime.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createJournal } from '../../lib/stores/usage/journal.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { testRecord } from '../harness/ledger.ts';
import { type ObjectStore, startObjectStore } from '../harness/object-store.ts';
import { startTestDatabase, type TestDatabase } from '../stores/database.ts';

const day = '2026-11-20';
const start = Date.parse(day);
const dayMs = 86_400_000;
const scheduled = { time: '2026-11-21T02:15:00Z' };
let time = Date.parse(scheduled.time);
const now = () => time;

let database: TestDatabase;
let bucket: ObjectStore;
let client: ReturnType<typeof createNodeClient>;
let logged: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];

beforeEach(async () => {
  database = await startTestDatabase(['access', 'usage']);
  bucket = await startObjectStore();
  client = createNodeClient();
  logged = [];
  time = Date.parse(scheduled.time);
});
afterEach(async () => {
  await client.close();
  await bucket.close();
  await database.close();
});

const note = (message: string, fields: Readonly<Record<string, unknown>>) =>
  void logged.push({ message, fields });
const log: Log = { info: note, warn: note, error: note };

function exporter(format = 'csv', variables: Record<string, string> = {}) {
  const foundation = createFoundation(
    { ...client, preconnect: async () => undefined },
    {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      DYNAMODB_ENDPOINT: database.endpoint,
      ACCESS_TABLE: 'access',
      USAGE_TABLE: 'usage',
      GATEWAY_EXPORT_BUCKET: 'acme-exports',
      GATEWAY_EXPORT_FORMAT: format,
      ...variables,
    },
  );
  return createExporter({ ...foundation, log, now, endpoint: bucket.url, partLines: 3 });
}

const run = (format?: string, event: ExportEvent = scheduled) => exporter(format)(event);

async function createTenants(...names: readonly string[]) {
  const tenants = createTenantStore({ call: database.call, table: 'access' });
  for (const name of names) await tenants.create(name);
}

async function write(...records: readonly Partial<LedgerRecord>[]): Promise<readonly string[]> {
  const usage = createUsageStore({ call: database.call, table: 'usage', now });
  const written = records.map((record) => testRecord({ at: start + 1_000, cost: 5, charge: 6, ...record }));
  for (const record of written) await usage.record(record, `write_${record.requestId}`);
  return written.map(({ requestId }) => requestId);
}

const keys = () => [...bucket.objects.keys()].sort();
const linesOf = (key: string) => (bucket.objects.get(key) ?? '').split('\n').slice(0, -1);

describe('a night', () => {
  test('writes yesterday of every tenant, in parts with a head each, every request once', async () => {
    await createTenants('umbrella', 'acme', 'idle');
    const ids = await write(...Array.from({ length: 7 }, (_, index) => ({ at: start + index })));
    await write({ tenant: 'umbrella' });
    const exported = await run();
    expect(exported).toEqual({ day, tenants: 3, objects: 5, lines: 8, skipped: 0 });
    expect(keys()).toEqual([
      `usage/${day}/acme/part-0001.csv`,
      `usage/${day}/acme/part-0002.csv`,
      `usage/${day}/acme/part-0003.csv`,
      `usage/${day}/idle/part-0001.csv`,
      `usage/${day}/umbrella/part-0001.csv`,
    ]);
    const parts = keys().slice(0, 3).map(linesOf);
    expect(parts.map((lines) => lines.length)).toEqual([4, 4, 2]);
    for (const [head] of parts) expect(head).toMatch(/^request_id,time,tenant,/);
    const written = parts.flatMap((lines) => lines.slice(1).map((line) => line.split(',')[0]));
    expect(written.toSorted()).toEqual(ids.toSorted());
    expect(logged).toContainEqual({ message: 'ledger exported', fields: exported });
  });

  test('has the requests from its first to its last millisecond', async () => {
    await createTenants('acme');
    const at = [start - 1, start, start + dayMs - 1, start + dayMs];
    const [, first, last] = await write(...at.map((each) => ({ at: each })));
    await run('jsonl');
    const rows = linesOf(`usage/${day}/acme/part-0001.jsonl`).map((line) => JSON.parse(line).request_id);
    expect(rows).toEqual([first, last]);
  });

  test('that is run late writes the day for which it was due', async () => {
    await createTenants('acme');
    time += dayMs;
    expect(await run()).toMatchObject({ day });
    expect(await run('csv', {})).toMatchObject({ day: '2026-11-21' });
  });

  test('without a request writes one object with the head only', async () => {
    await createTenants('acme');
    await run();
    await run('jsonl');
    expect(linesOf(`usage/${day}/acme/part-0001.csv`)).toHaveLength(1);
    expect(bucket.objects.get(`usage/${day}/acme/part-0001.jsonl`)).toBe('');
  });

  test('without a tenant writes nothing', async () => {
    expect(await run()).toEqual({ day, tenants: 0, objects: 0, lines: 0, skipped: 0 });
    expect(bucket.requested).toEqual([]);
  });
});

test('the same day again replaces the same objects by the same', async () => {
  await createTenants('acme');
  await write(...Array.from({ length: 7 }, (_, index) => ({ at: start + index })));
  await run();
  const first = [...bucket.objects].toSorted();
  time += 5 * dayMs;
  expect(await run('csv', { day })).toMatchObject({ objects: 3 });
  expect([...bucket.objects].toSorted()).toEqual(first);
  expect(bucket.requested).toHaveLength(6);
});

describe('focus', () => {
  test('has the adjustments that were made on the day, for whatever month, and counts unknown charges', async () => {
    await createTenants('acme');
    await write({ charge: null, cost: null }, { charge: 6 });
    const journal = createJournal({ call: database.call, table: 'usage' });
    const made = [
      { reason: 'for October', month: '2026-10', at: start + 5 },
      { reason: 'for November', month: '2026-11', at: start + 6 },
      { reason: 'a day later', month: '2026-11', at: start + dayMs },
    ];
    for (const [index, one] of made.entries())
      await journal.adjust({ ...one, id: `${index}`, tenant: 'acme', amount: -100, by: 'ops' });
    expect(await run('focus')).toMatchObject({ lines: 3, skipped: 1 });
    const [head, ...rows] = linesOf(`usage/${day}/acme/part-0001.focus.csv`);
    expect(head).toMatch(/^BilledCost,/);
    expect(rows.map((row) => /refund|for \w+|a day later|chat/.exec(row)?.[0])).toEqual([
      'chat',
      'for October',
      'for November',
    ]);
  });
});

describe('a failing bucket', () => {
  test('that fails once is asked again', async () => {
    await createTenants('acme');
    await write({});
    let failures = 1;
    bucket.failWith(() => (failures-- > 0 ? 500 : undefined));
    expect(await run()).toMatchObject({ objects: 1 });
    expect(bucket.requested).toHaveLength(2);
  });

  test.each([
    [503, 3],
    [403, 1],
  ])(
    'that answers %d for one tenant fails the night, after %d attempts and all other tenants',
    async (status, attempts) => {
      await createTenants('acme', 'bad', 'umbrella');
      bucket.failWith((key) => (key.includes('/bad/') ? status : undefined));
      await expect(run()).rejects.toThrow('1 of 3 tenants');
      expect(bucket.requested.filter((key) => key.includes('/bad/'))).toHaveLength(attempts);
      expect(keys()).toHaveLength(2);
      expect(logged.map(({ message }) => message)).toEqual(['tenant not exported', 'export failed']);
      bucket.failWith(() => undefined);
      expect(await run()).toMatchObject({ objects: 3 });
    },
  );
});

test.each([
  [{ day: '2026-11-21' }, 'is not over'],
  [{ day: '2026-08-01' }, 'no longer has'],
  [{ day: '2026-11-31' }, 'must be a date'],
  [{ day: 5 }, 'must be a date'],
  [{ time: 'soon' }, 'must be a date'],
])('%j is refused', async (event, words) => {
  await expect(run('csv', event)).rejects.toThrow(words);
  expect(bucket.requested).toEqual([]);
});

test('a database that cannot be read fails the night', async () => {
  await createTenants('acme');
  const broken = exporter('csv', { USAGE_TABLE: 'nowhere' });
  await expect(broken(scheduled)).rejects.toThrow('1 of 1 tenants');
  expect(bucket.requested).toEqual([]);
});

test('a format that does not exist fails the night', async () => {
  await expect(run('parquet')).rejects.toThrow('not configured');
});
