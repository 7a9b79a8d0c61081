/** What an overview reads: days of deployments once, and of the rest the sums that have what is asked for. */
import { expect, test } from 'vitest';
import type { OverviewQuestion } from '../../../lib/admin/usage/overview-question.ts';
import { readBoth, readSpans, withDeploymentsOnce } from '../../../lib/admin/usage/read-overview.ts';
import type { Scope } from '../../../lib/admin/usage/scope.ts';
import type { Periods, SumsStore } from '../../../lib/core/ports/sums-store.ts';

const now = Date.parse('2026-03-10T12:34:56Z');
const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const everyone: Scope = { seesCost: true };
const acme: Scope = { tenant: 'acme', seesCost: false };

const row = (period: string, changes = {}) => ({
  period,
  key: 'key_one',
  model: 'a/b',
  provider: 'acme',
  region: 'global',
  numbers: { requests: 1 },
  ...changes,
});

/** Of one request each day. `asked` is what was read. */
function store() {
  const asked: unknown[] = [];
  const daily = (name: string) => async (tenant: string | Periods, days?: Periods) => {
    asked.push([name, tenant, ...(days ? [days] : [])]);
    const { from, to } = days ?? (tenant as Periods);
    const all = [row('2026-02-15'), row('2026-03-08'), row('2026-03-09'), row('2026-03-10')];
    return all.filter(({ period }) => from <= period && period <= to);
  };
  const listed =
    (name: string) =>
    async (...question: readonly unknown[]) => {
      asked.push([name, ...question]);
      const days = question.at(-1) as readonly string[];
      return days.map((period) => ({
        period,
        tenant: 'acme',
        user: 'ann',
        numbers: { requests: 1 },
        lastAt: 0,
      }));
    };
  const sums = {
    deploymentDays: daily('deploymentDays'),
    deploymentHours: daily('deploymentHours'),
    days: daily('days'),
    hours: daily('hours'),
    usersIn: listed('usersIn'),
    tenantsIn: listed('tenantsIn'),
    async users(...question: readonly unknown[]) {
      asked.push(['users', ...question]);
      return { sums: [{ period: '2026-03-10', user: 'ann', numbers: { requests: 1 } }], isComplete: false };
    },
    async tenants(period: string) {
      asked.push(['tenants', period]);
      return [{ period, tenant: 'acme', numbers: { requests: 1 }, lastAt: 0 }];
    },
  } as unknown as SumsStore;
  return { sums, asked };
}

const week: OverviewQuestion = {
  span: { from: at('2026-03-04'), to: at('2026-03-11') },
  grain: 'day',
  groupBy: 'model',
};

const spanOf = async (sums: SumsStore, scope: Scope, question: OverviewQuestion, since?: number) => {
  const found = await readSpans(sums, scope, question, { now, since });
  return Object.values(found).map(({ requests = 0 }) => requests);
};

test('days of deployments are read once for the span and for this month and the last one', async () => {
  const { sums, asked } = store();
  const once = withDeploymentsOnce(sums, week, now);
  const { totals } = await readBoth(once, everyone, week);
  expect(totals.map(({ period }) => period)).toEqual(['2026-03-08', '2026-03-09', '2026-03-10']);
  // Of today, of yesterday, of this month, and of as many days of the last month.
  expect(await spanOf(once, everyone, week)).toEqual([1, 1, 3, 0]);
  expect(asked).toEqual([['deploymentDays', { from: '2026-02-01', to: '2026-03-10' }]]);
});

test.each<[string, Partial<OverviewQuestion>]>([
  ['hours', { grain: 'hour' }],
  ['long ago', { span: { from: at('2025-11-01'), to: at('2025-12-01') } }],
  ['to come', { span: { from: at('2026-08-01'), to: at('2026-09-01') } }],
])('a span of %s is read by itself', (_, changes) => {
  const { sums } = store();
  expect(withDeploymentsOnce(sums, { ...week, ...changes }, now)).toBe(sums);
});

test.each([
  ['2026-01-18', '2026-02-01', { from: '2026-01-04', to: '2026-03-10' }],
  ['2026-03-25', '2026-04-08', { from: '2026-02-01', to: '2026-04-07' }],
])('a span from %s to %s is read with them', async (from, to, days) => {
  const { sums, asked } = store();
  const question = { ...week, span: { from: at(from), to: at(to) } };
  await readBoth(withDeploymentsOnce(sums, question, now), everyone, question);
  expect(asked).toEqual([['deploymentDays', days]]);
});

test('hours are those of the span and of the one before', async () => {
  const { sums, asked } = store();
  const question = {
    ...week,
    span: { from: at('2026-03-09'), to: at('2026-03-10') },
    grain: 'hour' as const,
  };
  await readBoth(sums, everyone, question);
  await readBoth(sums, acme, question);
  const hours = { from: '2026-03-08T00', to: '2026-03-09T23' };
  expect(asked).toEqual([
    ['deploymentHours', hours],
    ['hours', 'acme', hours],
  ]);
});

test.each<[Partial<OverviewQuestion>, Scope, string | null]>([
  [{}, everyone, 'a/b'],
  [{ groupBy: 'provider' }, everyone, 'acme'],
  [{}, acme, 'a/b'],
  [{ groupBy: 'key' }, acme, 'key_one'],
  [{ groupBy: 'tenant' }, acme, 'acme'],
])('%j has its groups', async (changes, scope, id) => {
  const { groups, totals, isExact } = await readBoth(store().sums, scope, { ...week, ...changes });
  expect(new Set(groups.map((group) => group.id))).toEqual(new Set([id]));
  expect([totals.length, isExact]).toEqual([3, true]);
});

test.each<[Partial<OverviewQuestion>, Scope, number]>([
  [{ model: 'c/d' }, everyone, 0],
  [{ model: 'a/b' }, everyone, 3],
  [{ model: 'c/d' }, acme, 0],
  [{ key: 'key_two' }, acme, 0],
  [{ key: 'key_one' }, acme, 3],
  [{}, { ...acme, keys: new Set(['key_two']) }, 0],
  [{}, { ...acme, keys: new Set(['key_one']) }, 3],
])('%j has its rows only', async (changes, scope, rows) => {
  expect((await readBoth(store().sums, scope, { ...week, ...changes })).totals).toHaveLength(rows);
});

test('deployments without a request that ended are in no sum', async () => {
  const { sums } = store();
  const idle = { ...sums, deploymentDays: async () => [{ ...row('2026-03-10'), numbers: { attempts: 1 } }] };
  expect((await readBoth(idle as SumsStore, everyone, week)).totals).toEqual([]);
});

test('users have the whole of the tenant as their total, and one user its own', async () => {
  const { sums, asked } = store();
  const users = await readBoth(sums, acme, { ...week, groupBy: 'user' });
  expect(users).toMatchObject({ groups: [{ id: 'ann' }], isExact: false });
  expect(users.totals).toHaveLength(14);
  expect(asked.map((question) => (question as string[])[0])).toEqual(['tenantsIn', 'users']);
  const one = await readBoth(sums, acme, { ...week, groupBy: 'user', user: 'ann' });
  expect([one.totals.length, one.isExact]).toEqual([14, true]);
});

test('tenants are ranked, and their total is that of the deployments', async () => {
  const { sums } = store();
  const question = {
    ...week,
    groupBy: 'tenant' as const,
    span: { from: at('2026-03-09'), to: at('2026-03-11') },
  };
  const read = await readBoth(sums, everyone, question);
  expect(read).toMatchObject({ ranked: { count: 1, bound: 0 } });
  expect([read.groups.length, read.totals.length]).toEqual([4, 3]);
});

test('today and this month come from the sums of the tenant, where these go back far enough', async () => {
  const from = at('2026-02-01');
  for (const [question, scope, since, name] of [
    [week, acme, from, 'tenantsIn'],
    [week, acme, from + 1, 'days'],
    [week, acme, undefined, 'days'],
    [{ ...week, model: 'a/b' }, acme, from, 'days'],
    [{ ...week, key: 'key_one' }, acme, from, 'days'],
    [week, { ...acme, keys: new Set(['key_one']) }, from, 'days'],
    [{ ...week, user: 'ann' }, acme, from, 'usersIn'],
    [week, everyone, from, 'deploymentDays'],
  ] as const) {
    const { sums, asked } = store();
    const requests = await spanOf(sums, scope, question, since);
    expect(asked.map((one) => (one as string[])[0])).toEqual([name]);
    expect(requests).toEqual(name === 'tenantsIn' || name === 'usersIn' ? [1, 1, 10, 10] : [1, 1, 3, 0]);
  }
});
