/** A grant of credit expires while requests run: what was left of it is lost, and nothing of another grant is. */
import { beforeEach, expect, test } from 'vitest';
import { type CreditGrant, creditAt } from '../../lib/core/accounting/credit.ts';
import type { LedgerChange, LedgerItem } from '../../lib/core/accounting/journal.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { Hold } from '../../lib/core/accounting/limits.ts';
import type { Aggregate } from '../../lib/metering/aggregate/aggregate.ts';
import { createFollowCredit, maxFollowedTenants } from '../../lib/metering/credit/follow-credit.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore, type TenantStore } from '../../lib/stores/access/tenants.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord } from '../harness/ledger.ts';
import { useTestDatabase } from '../stores/database.ts';
import { openAggregate } from './aggregator.ts';

const evening = Date.parse('2026-11-20T23:00:00Z');
const midnight = Date.parse('2026-11-21T00:00:00Z');

const database = useTestDatabase('usage', 'access');
let tenants: TenantStore;
let aggregate: Aggregate;
let time = evening;
let sequence = 100;
let names = 0;
let tenant = '';
const now = () => time;
const limits = () => createLimitStore({ call: database.call, table: 'usage', now });

const grant = (id: string, amount: number, changes: Partial<CreditGrant> = {}): CreditGrant => ({
  id,
  amount,
  at: evening / 1000 - 86_400,
  priority: 100,
  by: 'ann',
  ...changes,
});

beforeEach(async () => {
  names += 1;
  tenant = `tenant-${names}`;
  time = evening;
  const options = { call: database.call, table: 'usage', now };
  tenants = createTenantStore({ call: database.call, table: 'access', now });
  const followCredit = createFollowCredit({ tenants, usage: createUsageStore(options), now });
  aggregate = openAggregate(options, { followCredit });
  await tenants.create(tenant, { limits: { credit: 150 } });
  const grants = [grant('promotion', 100, { priority: 1, expires: midnight / 1000 }), grant('paid', 50)];
  const unallocated = { day: '2026-11-19', used: 0 };
  await tenants.replaceGrants(tenant, { limits: { credit: 150 } }, { grants, unallocated });
});

async function change(parts: { before?: LedgerItem; after?: LedgerItem }): Promise<LedgerChange> {
  sequence += 1;
  return { sequence: String(sequence), at: time, ...parts };
}

const done = (record: LedgerRecord): LedgerItem => ({ state: 'done', record });

async function credit(): Promise<number> {
  const found = await tenants.find(tenant);
  return creditAt(150, found?.grants, time / 1000);
}

async function left(): Promise<number> {
  const usage = await limits().read({ kind: 'tenant', id: tenant });
  return (await credit()) - (usage?.usedCredit ?? 0);
}

async function admit(amount: number): Promise<LedgerRecord> {
  const wanted = { id: crypto.randomUUID(), at: time, perOutputToken: { tokens: 0, amount: 0 } };
  const { hold } = await limits().reserve(
    { kind: 'tenant', id: tenant },
    { credit: await credit() },
    { ...wanted, fixed: { tokens: 1, amount }, output: { max: 1, min: 1 } },
  );
  return testRecord({ tenant, at: time, cost: amount, holds: [hold as Hold] });
}

const at = (record: LedgerRecord, charge: number): LedgerRecord => ({
  ...record,
  cost: charge,
  charge,
  attempts: record.attempts.map((attempt) => ({ ...attempt, cost: charge, charge })),
});

async function use(amount: number): Promise<LedgerRecord> {
  const record = await admit(amount);
  await aggregate('shard', [await change({ after: done(record) })]);
  return record;
}

test('a request that was admitted before the expiry is paid from the grant that was valid then', async () => {
  await use(30);
  time = midnight - 10_000;
  await use(10);
  const running = await admit(10);
  expect(await left()).toBe(100);

  time = midnight + 1;
  expect(await left()).toBe(40);
  await aggregate('shard', [await change({ after: done(at(running, 8)) })]);
  // 48 of the promotion were used, and nothing of what was paid.
  expect(await left()).toBe(50);
  await expect(admit(51)).resolves.toMatchObject({ holds: [undefined] });

  time = midnight + 60_000;
  await use(5);
  expect(await left()).toBe(45);
  expect((await tenants.find(tenant))?.grants).toMatchObject([{ used: 48 }, { used: 5 }]);
});

test('a tenant that used all but the last of its credit gets back what is allocated to the expired grant', async () => {
  time = midnight - 30_000;
  await use(90);
  const running = await admit(10);
  time = midnight + 20_000;
  await use(40);
  expect(await left()).toBe(0);
  await aggregate('shard', [await change({ after: done(running) })]);
  expect(await left()).toBe(10);
});

test('a cost that changes afterwards, and an interrupted request, belong to the day of the request', async () => {
  time = midnight - 60_000;
  const record = await use(20);
  const killed = await admit(10);
  const store = createUsageStore({ call: database.call, table: 'usage', now });
  await store.open(at(killed, 6));
  time = midnight + 5_000;
  await aggregate('shard', [await change({ before: done(record), after: done(at(record, 15)) })]);
  // It still holds 10.
  expect(await left()).toBe(40);

  // The next look finishes the killed request, of which only the prompt is known; then its change arrives.
  time = midnight + 30 * 60_000;
  await use(1);
  const records = await store.records(tenant, { from: evening, to: time, limit: 9 });
  const ended = records.records.find(({ requestId }) => requestId === killed.requestId);
  if (ended?.status !== 499) throw new Error('It was not finished.');
  const open: LedgerItem = { state: 'open', record: at(killed, 6) };
  await aggregate('shard', [await change({ before: open, after: done(ended) })]);
  expect((await tenants.find(tenant))?.grants).toMatchObject([{ used: 21 }, { used: 1 }]);
  expect(await left()).toBe(49);
});

test('what is given at the same time is kept', async () => {
  time = midnight - 30_000;
  const running = await admit(10);
  const real = tenants.replaceGrants;
  let tries = 0;
  tenants.replaceGrants = async (...all) => {
    tries += 1;
    if (tries === 1)
      await createTenantEdits({ call: database.call, table: 'access', now }).addCredit(
        tenant,
        grant('late', 7),
      );
    return await real(...all);
  };
  await aggregate('shard', [await change({ after: done(running) })]);
  expect(tries).toBe(2);
  expect((await tenants.find(tenant))?.grants).toMatchObject([
    { id: 'promotion', used: 10 },
    { id: 'paid', used: 0 },
    { id: 'late', amount: 7 },
  ]);
});

test('days are closed once their use no longer changes', async () => {
  await use(30);
  expect((await tenants.find(tenant))?.unallocated?.day).toBe('2026-11-19');
  time = midnight + 4 * 86_400_000;
  await use(2);
  const { grants, unallocated } = (await tenants.find(tenant)) ?? {};
  expect(unallocated).toEqual({ day: '2026-11-23', used: 0, version: expect.any(Number) });
  expect(grants).toMatchObject([
    { used: 30, settled: 30 },
    { used: 2, settled: 0 },
  ]);
});

test('only so many tenants are remembered', async () => {
  const read: string[] = [];
  const find = async (name: string) => {
    read.push(name);
    return undefined;
  };
  const usage = createUsageStore({ call: database.call, table: 'usage', now });
  const follow = createFollowCredit({ tenants: { ...tenants, find }, usage, now });
  for (let number = 0; number < maxFollowedTenants; number += 1) await follow(`one-of-many-${number}`);
  await follow('one-of-many-0');
  expect(read).toHaveLength(maxFollowedTenants);
  await follow('one-more');
  await follow('one-of-many-0');
  expect(read.slice(maxFollowedTenants)).toEqual(['one-more', 'one-of-many-0']);
});
