/** An overview from sums: its greatest groups and the others, what is known of each slot, and what changed most. */
import { expect, test } from 'vitest';
import { maxMovers, maxOverviewGroups, overviewAnswer } from '../../../lib/admin/usage/schema.ts';
import type { Scope } from '../../../lib/admin/usage/scope.ts';
import { writeOverview } from '../../../lib/admin/usage/write-overview.ts';

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const span = { from: at('2026-03-09'), to: at('2026-03-11') };
const now = at('2026-03-10') + 3_600_000;
const acme: Scope = { tenant: 'acme', seesCost: false };
const everyone: Scope = { seesCost: true };

type Facts = Parameters<typeof writeOverview>[0];
type Row = Facts['read']['groups'][number];

const row = (id: string | null, period: string, charge: number, requests = 1): Row => ({
  id,
  period,
  numbers: { requests, charge },
});

function overview(groups: readonly Row[], changes: Partial<Facts> = {}, more: Partial<Facts['read']> = {}) {
  return overviewAnswer.parse(
    writeOverview({
      question: { span, grain: 'day', groupBy: 'model' },
      scope: acme,
      now,
      since: 1,
      asOf: now - 1,
      read: { totals: groups, groups, isExact: true, ...more },
      standard: { today: { requests: 1 }, yesterday: {}, month: { requests: 3 }, lastMonthSameDays: {} },
      budgets: [],
      names: new Map([['key_one', 'laptop']]),
      ...changes,
    }),
  );
}

const [today, yesterday, before] = ['2026-03-10', '2026-03-09', '2026-03-08'];

test('nothing is shown as nothing', () => {
  expect(overview([])).toMatchObject({
    object: 'overview',
    tenant: 'acme',
    grain: 'day',
    from: span.from / 1000,
    to: span.to / 1000,
    before: { from: at('2026-03-07') / 1000, to: span.from / 1000 },
    complete_from: span.from / 1000,
    total: { requests: 0 },
    before_total: { requests: 0 },
    today: { requests: 1 },
    month: { requests: 3 },
    times: [span.from / 1000, at('2026-03-10') / 1000],
    series: [{ requests: 0 }, { requests: 0 }],
    group_by: 'model',
    groups: [],
    others: null,
    groups_are_exact: true,
    movers: [],
  });
});

test('each group has its slots, and its sums of now and before', () => {
  const { groups, total } = overview([row('a/b', yesterday, 5), row('a/b', today, 7), row('a/b', before, 3)]);
  expect(groups).toMatchObject([
    {
      id: 'a/b',
      name: 'a/b',
      total: { requests: 2, cost_nano_usd: 12 },
      before: { requests: 1, cost_nano_usd: 3 },
      slots: [{ cost_nano_usd: 5 }, { cost_nano_usd: 7 }],
    },
  ]);
  expect(total).toMatchObject({ requests: 2, cost_nano_usd: 12 });
});

test('keys have their names, and those that are gone their ids', () => {
  const question = { span, grain: 'day', groupBy: 'key' } as const;
  const { groups } = overview([row('key_one', today, 2), row('key_two', today, 1)], { question });
  expect(groups.map(({ name }) => name)).toEqual(['laptop', 'key_two']);
});

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => row(`a/${index}`, today, 100 - index));

test('the groups that are not shown are the others', () => {
  expect(overview(many(maxOverviewGroups)).others).toBeNull();
  const { groups, others } = overview(many(maxOverviewGroups + 2));
  expect(groups).toHaveLength(maxOverviewGroups);
  const rest = 100 - maxOverviewGroups + (99 - maxOverviewGroups);
  expect(others).toMatchObject({
    groups: 2,
    total: { requests: 2, cost_nano_usd: rest },
    before: { requests: 0 },
    slots: [{ requests: 0 }, { requests: 2, cost_nano_usd: rest }],
  });
  // Of users that were not all read it is not known how many there are.
  const inexact = overview(many(1), {}, { isExact: false });
  expect([inexact.others?.groups, inexact.groups_are_exact]).toEqual([null, false]);
});

test('tenants are exact where no other can have been charged more', () => {
  const question = { span, grain: 'day', groupBy: 'tenant' } as const;
  const ranked = (bound: number, count: number) => {
    const groups = many(maxOverviewGroups + 1);
    const read = { totals: groups, groups, isExact: true, ranked: { groups, bound, count } };
    return overview(groups, { question, scope: everyone, read });
  };
  expect(ranked(1, 20)).toMatchObject({ groups_are_exact: true, others: { groups: 20 - maxOverviewGroups } });
  expect(ranked(99, 20).groups_are_exact).toBe(false);
});

test('where sums began later, what was before has no figures', () => {
  const rows = [row('a/b', today, 7), row('a/b', yesterday, 1), row('a/b', before, 3)];
  const late = (since: number | undefined, changes: Partial<Facts> = {}) =>
    overview(rows, { scope: everyone, since, ...changes });
  const began = late(at('2026-03-10'));
  expect(began).toMatchObject({ before_total: null, series: [null, { cost_nano_usd: 7 }], movers: [] });
  expect(began.groups[0]).toMatchObject({ before: null, slots: [null, { cost_nano_usd: 7 }] });
  expect(began.complete_from).toBe(at('2026-03-10') / 1000);
  expect(late(at('2026-03-07')).before_total).toMatchObject({ cost_nano_usd: 3 });
  expect(late(at('2026-03-07') + 1).before_total).toBeNull();
  expect(late(undefined).complete_from).toBe(now / 1000);
  // The daily counters of a tenant are older, but not its hours and users.
  expect(late(at('2026-03-10'), { scope: acme }).before_total).toMatchObject({ requests: 1 });
  for (const groupBy of ['user', 'key'] as const) {
    const question = { span, grain: 'day', groupBy } as const;
    expect(late(at('2026-03-10'), { scope: acme, question }).before_total === null).toBe(groupBy === 'user');
  }
  const hours = { span: { from: at('2026-03-10'), to: span.to }, grain: 'hour', groupBy: 'model' } as const;
  const { series } = late(at('2026-03-10') + 1, { scope: acme, question: hours });
  // The first hour had begun, the second begins now, and the others are to come.
  expect(series.map((slot) => slot !== null)).toEqual([true, true, ...Array(22).fill(false)]);
});

test('the groups whose cost changed most come first', () => {
  const { movers } = overview([
    row('a/same', today, 5),
    row('a/same', before, 5),
    row('a/more', today, 5),
    row('a/more', before, 1),
    row('a/less', today, 1),
    row('a/less', before, 9),
    row('a/new', today, 6),
    { id: 'a/unknown', period: today, numbers: { requests: 1, uncharged: 1 } },
  ]);
  expect(movers).toEqual([
    { id: 'a/less', name: 'a/less', cost_nano_usd: 1, before_nano_usd: 9, change_nano_usd: -8 },
    { id: 'a/new', name: 'a/new', cost_nano_usd: 6, before_nano_usd: 0, change_nano_usd: 6 },
    { id: 'a/more', name: 'a/more', cost_nano_usd: 5, before_nano_usd: 1, change_nano_usd: 4 },
  ]);
  expect(overview(many(maxMovers + 1)).movers).toHaveLength(maxMovers);
});

test('only operators see what providers take', () => {
  expect(overview(many(1), { scope: everyone }).total).toHaveProperty('provider_cost');
  expect(JSON.stringify(overview(many(9)))).not.toContain('provider_cost');
});
