/** The sums of the dashboard at their edges: new prices, expired hours, many users, names of any text, and the ends of months. */
import { expect, test } from 'vitest';
import type { LedgerChange } from '../../lib/core/accounting/journal.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { createDeploymentSums } from '../../lib/stores/usage/deployment-sums.ts';
import { createLedgerSearch } from '../../lib/stores/usage/ledger-search.ts';
import { createSumsStore } from '../../lib/stores/usage/read-sums.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord } from '../harness/ledger.ts';
import { useTestDatabase } from '../stores/database.ts';
import { openAggregate } from './aggregator.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const dayMs = 86_400_000;

const database = useTestDatabase('usage');
let time = noon;
let sequence = 0;
const options = () => ({ call: database.call, table: 'usage', now: () => time });
const sums = () => createSumsStore(options());

const aggregator = (keepsSums = true) => openAggregate(options(), { keepsSums });

function change(record: LedgerRecord, before?: LedgerRecord): LedgerChange {
  sequence += 1;
  return {
    sequence: String(sequence).padStart(9, '0'),
    at: time,
    ...(before && { before: { state: 'done', record: before } }),
    after: { state: 'done', record },
  };
}

test('a request with two new prices has the last one, and one whose price is unknown counts as unpriced', async () => {
  time = noon;
  const first = testRecord({ tenant: 'prices', provider: 'prices', user: 'ann', at: noon, cost: null });
  const { attempts: _, ...fields } = first;
  const second = testRecord({ ...fields, cost: 5, charge: 5 });
  const third = testRecord({ ...fields, cost: 9, charge: 9 });
  const run = aggregator();
  const changes = [change(first), change(second, first), change(third, second)];
  await run('prices', changes.slice(0, 1));
  const day = { from: '2026-11-20', to: '2026-11-20' };
  const read = async () => [
    ...(await sums().tenantsIn(['prices'], ['2026-11-20', '2026-11'])),
    ...(await sums().users('prices', day, 10)).sums,
    ...(await sums().days('prices', day)),
    ...(await sums().hours('prices', { from: '2026-11-20T12', to: '2026-11-20T12' })),
    ...(await sums().deploymentDays(day)).filter(({ provider }) => provider === 'prices'),
  ];
  for (const { numbers } of await read()) expect(numbers).toMatchObject({ requests: 1, uncharged: 1 });
  await run('prices', changes.slice(1));
  await run('prices', changes);
  const all = await read();
  expect(all).toHaveLength(6);
  for (const { numbers } of all) expect(numbers).toMatchObject({ requests: 1, uncharged: 0, charge: 9 });
});

test('a new price after the hour has expired begins no sum of it', async () => {
  const record = testRecord({ tenant: 'late', provider: 'late', user: 'ann', at: noon, cost: 5, charge: 5 });
  const { attempts: _, ...fields } = record;
  time = noon + 37 * dayMs;
  await aggregator()('late', [change(testRecord({ ...fields, cost: 9, charge: 9 }), record)]);
  const hours = { from: '2026-11-20T00', to: '2026-11-20T23' };
  expect(await sums().hours('late', hours)).toEqual([]);
  expect((await sums().deploymentHours(hours)).filter(({ provider }) => provider === 'late')).toEqual([]);
  time = noon + 402 * dayMs;
  await aggregator()('late', [change(testRecord({ ...fields, cost: 20, charge: 20 }), record)]);
  expect(await sums().tenantsIn(['late'], ['2026-11-20'])).toMatchObject([{ numbers: { charge: 4 } }]);
  time = noon;
});

test('names may have any characters', async () => {
  time = noon;
  const model = 'a#b/c#ü';
  const user = `${'🙂'.repeat(63)}#é`;
  await aggregator()('names', [
    change(testRecord({ tenant: 'names', provider: 'names', model, user, at: noon })),
  ]);
  const day = { from: '2026-11-20', to: '2026-11-20' };
  expect((await sums().users('names', day, 10)).sums).toMatchObject([{ user, numbers: { requests: 1 } }]);
  expect(await sums().usersIn('names', user, ['2026-11-20'])).toHaveLength(1);
  expect(await sums().days('names', day)).toMatchObject([{ model, numbers: { requests: 1 } }]);
  expect((await sums().deploymentDays(day)).filter(({ provider }) => provider === 'names')).toMatchObject([
    { model },
  ]);
});

test('the last moment of a year and the first of the next are of their own sums', async () => {
  const end = Date.UTC(2027, 0, 1);
  time = end + 1_000;
  const of = (at: number) => testRecord({ tenant: 'year', provider: 'year', at });
  await aggregator()('year', [change(of(end - 1)), change(of(end))]);
  const found = await sums().days('year', { from: '2026-12-31', to: '2027-01-01' });
  expect(found.map(({ period, numbers }) => [period, numbers.requests])).toEqual([
    ['2026-12-31', 1],
    ['2027-01-01', 1],
  ]);
  const hours = await sums().hours('year', { from: '2026-12-31T23', to: '2027-01-01T00' });
  expect(hours.map(({ period }) => period)).toEqual(['2026-12-31T23', '2027-01-01T00']);
  expect(await sums().tenantsIn(['year'], ['2026-12', '2027-01'])).toHaveLength(2);
  time = noon;
});

test('two thousand users in one batch are all counted', async () => {
  time = noon;
  const changes = Array.from({ length: 2_000 }, (_, index) =>
    change(testRecord({ tenant: 'crowd', provider: 'crowd', user: `user-${index}`, at: noon })),
  );
  await aggregator()('crowd', changes);
  const { sums: users, isComplete } = await sums().users(
    'crowd',
    { from: '2026-11-20', to: '2026-11-20' },
    2_000,
  );
  expect([users.length, isComplete]).toEqual([2_000, true]);
  expect(await sums().tenantsIn(['crowd'], ['2026-11-20'])).toMatchObject([{ numbers: { requests: 2_000 } }]);
}, 30_000);

test('sums that were off for a time begin again when they are on', async () => {
  time = noon;
  await aggregator(true)('switch', [change(testRecord({ tenant: 'switch', at: noon }))]);
  await aggregator(false)('switch', []);
  expect(await sums().since()).toBeUndefined();
  time = noon + 3_600_000;
  await aggregator(true)('switch', []);
  expect(await sums().since()).toBe(time);
  time = noon;
});

test('the calls of places have those of the asked hours, with what failed and when', async () => {
  time = noon;
  const failed = testRecord({
    tenant: 'places',
    provider: 'places',
    at: noon - 5_000,
    status: 500,
    error: 'timeout',
  });
  const old = testRecord({ tenant: 'places', provider: 'places', at: noon - dayMs });
  await aggregator()('places', [change(failed), change(testRecord({ ...old, at: noon })), change(old)]);
  const found = (await createDeploymentSums(options()).since(noon / 1000 - 3_600)).filter(
    ({ provider }) => provider === 'places',
  );
  expect(found).toMatchObject([
    { attempts: 2, failures: { timeout: 1 }, lastFailureAt: Math.floor((noon - 5_000) / 1000) },
  ]);
});

test('pages of a ledger with 64 partitions have each record once, newest first, also those of the future', async () => {
  time = noon;
  const parted = { ...options(), partitionsOf: async () => 64 };
  const usage = createUsageStore(parted);
  const records = Array.from({ length: 100 }, (_, index) =>
    testRecord({ tenant: 'wide', at: noon + 60_000 - Math.floor(index / 3) * 1_000 }),
  );
  await Promise.all(records.map((record) => usage.record(record, record.requestId)));
  const search = createLedgerSearch(parted);
  const found: LedgerRecord[] = [];
  let after: string | undefined;
  do {
    const page = await search.newest({
      from: noon - dayMs,
      to: noon + dayMs,
      tenants: ['wide'],
      matches: () => true,
      limit: 7,
      maxRead: 500,
      after,
      signal: new AbortController().signal,
    });
    found.push(...page.records);
    after = page.next;
  } while (after !== undefined && found.length <= 200);
  expect(new Set(found.map(({ requestId }) => requestId)).size).toBe(100);
  expect(found).toHaveLength(100);
  expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).toSorted((one, other) => other - one));
});
