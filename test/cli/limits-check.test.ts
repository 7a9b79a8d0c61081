/** The command `limits check`: what crashes have left in limits is found and freed; what is owed never is. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Hold, type LimitScope, scopeOfUser } from '../../lib/core/accounting/limits.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { testRecord } from '../harness/ledger.ts';
import { settled } from '../harness/settled.ts';
import { wantedAt } from '../stores/limit-items.ts';
import { parsed, useOperator } from './operator.ts';

const minuteMs = 60_000;
const limits = { totalBudget: 1_000_000, credit: 1_000_000 };
const tenantScope: LimitScope = { kind: 'tenant', id: 'acme' };

// What is held is read of one day: no hold of these tests may be of the day before.
beforeEach(() => {
  vi.setSystemTime(new Date().setUTCHours(12));
});
afterEach(() => {
  vi.useRealTimers();
});
const operator = useOperator();
let keyScope: LimitScope;
beforeEach(async () => {
  const access = operator.at('access');
  await createTenantStore(access).create('acme', { limits });
  keyScope = { kind: 'key', id: (await createKeyStore(access).create({ tenant: 'acme' })).id };
});

/** Limits of a process whose time is so many minutes ago. */
const storeBefore = (minutes: number) =>
  createLimitStore({
    ...operator.at('usage'),
    now: () => Date.now() - minutes * minuteMs,
  });

async function admit(scope: LimitScope, amount: number, { minutes = 60, shards = 0 } = {}): Promise<Hold> {
  const at = Date.now() - minutes * minuteMs;
  const { hold } = await storeBefore(minutes).reserve(scope, limits, wantedAt(at, amount), { shards });
  if (!hold) throw new Error('It was not admitted.');
  return hold;
}

const record = (holds: readonly Hold[], charge: number | null, minutes = 60) =>
  testRecord({ requestId: randomUUID(), at: Date.now() - minutes * minuteMs, cost: charge, charge, holds });

const check = async (options = '') => {
  const outcome = await operator.run(`limits check acme --json ${options}`);
  const rows: readonly Record<string, unknown>[] = parsed(outcome);
  return { ...outcome, rows, row: (of: string) => rows.find((one) => one.of === of) };
};

const used = async (scope: LimitScope) => {
  await settled();
  const usage = await storeBefore(0).read(scope);
  return [usage?.totalCommitted, usage?.usedCredit, usage?.held];
};

describe.each([
  ['', 0],
  [' leased to shards', 3],
])('amounts of a budget%s', (_, shards) => {
  test('that a process held when it ended are found, and freed with --write', async () => {
    const holds = await Promise.all([tenantScope, keyScope].map((scope) => admit(scope, 500, { shards })));
    await operator.ledger.write(record(holds, 120));
    await admit(tenantScope, 70_000, { shards });
    expect(await used(tenantScope)).toEqual([70_120, 70_120, 70_000]);

    const found = await check();
    expect(found.code).toBe(1);
    expect(found.row('tenant')).toMatchObject({ id: 'acme', held_usd: '0.00007', state: 'found' });
    expect(found.row('key')).toMatchObject({ id: keyScope.id, state: 'none' });
    expect(await used(tenantScope)).toEqual([70_120, 70_120, 70_000]);

    expect((await check('--write')).row('tenant')).toMatchObject({ state: 'freed' });
    expect(await used(tenantScope)).toEqual([120, 120, 0]);
    expect(await check('--write')).toMatchObject({ code: 0, rows: [{ state: 'none' }, { state: 'none' }] });
  });
});

test('what a record comes to that was lost and is replayed later counts in full', async () => {
  const [hold, other] = [await admit(tenantScope, 500), await admit(tenantScope, 500)];
  expect((await check('--write')).row('tenant')).toMatchObject({ state: 'freed' });
  expect(await used(tenantScope)).toEqual([0, 0, 0]);
  await operator.ledger.write(record([hold], 120));
  expect(await used(tenantScope)).toEqual([120, 120, 0]);
  // And one of which only the reservation is known.
  await operator.ledger.write(record([other], null));
  expect(await used(tenantScope)).toEqual([620, 620, 0]);
  expect((await check('--write')).row('tenant')).toMatchObject({ state: 'none' });
});

test('what a request of unknown cost holds is not freed', async () => {
  await operator.ledger.write(record([await admit(tenantScope, 500)], null));
  expect(await check('--write')).toMatchObject({ code: 0, rows: [{ state: 'none' }, { state: 'none' }] });
  expect(await used(tenantScope)).toEqual([500, 500, 0]);
});

test('what running requests may need is not freed', async () => {
  await admit(tenantScope, 500, { minutes: 20 });
  expect((await check('--write')).row('tenant')).toMatchObject({
    state: 'running',
    held_usd: '0.0000005',
    meaning: expect.stringContaining('may still run'),
  });
  expect(await used(tenantScope)).toEqual([500, 500, 500]);
});

test('what an open record holds is settled as an interrupted request, and not freed', async () => {
  await operator.ledger.usage.open(record([await admit(tenantScope, 500)], 5));
  await admit(tenantScope, 300);
  expect((await check('--write')).row('tenant')).toMatchObject({ state: 'freed', held_usd: '0.0000003' });
  expect(await used(tenantScope)).toEqual([5, 5, 0]);
});

test('credit that was added later keeps what was held before', async () => {
  const scope: LimitScope = tenantScope;
  const at = Date.now() - 60 * minuteMs;
  await storeBefore(60).reserve(scope, { totalBudget: 1_000 }, wantedAt(at, 300));
  await admit(scope, 500, { minutes: 59 });
  expect(await used(scope)).toEqual([800, 500, 800]);
  expect((await check('--write')).row('tenant')).toMatchObject({ state: 'freed' });
  expect(await used(scope)).toEqual([0, 0, 0]);
});

test('a user is checked by name', async () => {
  await admit(scopeOfUser('acme', 'ann'), 400);
  expect((await check('--write')).row('user')).toBeUndefined();
  expect((await check('--user ann --write')).row('user')).toMatchObject({ state: 'freed' });
});

test('a tenant that does not exist is named', async () => {
  expect(await operator.run('limits check missing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Tenant not found: missing'),
  });
});
