/** The tenants that were charged most: all of a few days; of more days the candidates, and whether these are surely the greatest. */
import { expect, test } from 'vitest';
import { areExact, rankTenants } from '../../../lib/admin/usage/rank-tenants.ts';
import { maxOverviewGroups } from '../../../lib/admin/usage/schema.ts';
import type { TenantSum } from '../../../lib/core/ports/sums-store.ts';

const dayMs = 86_400_000;
const to = Date.parse('2026-03-11T00:00:00Z');

const sum = (period: string, tenant: string, charge: number, requests = 1): TenantSum => ({
  period,
  tenant,
  numbers: { charge, requests },
  lastAt: 0,
});

/** Of so many tenants; the first was charged most. `asked` is what was read. */
function store(tenants: number) {
  const asked: unknown[] = [];
  const names = Array.from({ length: tenants }, (_, index) => `tenant-${index}`);
  const all = (period: string) => names.map((name, index) => sum(period, name, 100 - index)).toReversed();
  return {
    asked,
    tenants: async (period: string) => {
      asked.push(period);
      return all(period);
    },
    tenantCharges: async (period: string) => {
      asked.push(period);
      return all(period);
    },
    tenantsIn: async (some: readonly string[], periods: readonly string[]) => {
      asked.push([some, periods]);
      return some.flatMap((name) => periods.map((period) => sum(period, name, 1)));
    },
  };
}

test('of four days all tenants are read', async () => {
  const sums = store(3);
  const ranked = await rankTenants(sums, { from: to - 4 * dayMs, to });
  expect(sums.asked).toEqual(['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10']);
  expect(ranked).toMatchObject({ count: 3, bound: 0 });
  expect(ranked.groups).toHaveLength(12);
  expect(ranked.groups[0]).toEqual({
    period: '2026-03-07',
    id: 'tenant-2',
    numbers: { charge: 98, requests: 1 },
  });
});

test('of more days those with the highest charges of the months are read', async () => {
  const sums = store(14);
  const ranked = await rankTenants(sums, { from: to - 12 * dayMs, to });
  expect(sums.asked.slice(0, 2)).toEqual(['2026-02', '2026-03']);
  const [names, days] = sums.asked[2] as [string[], string[]];
  expect(names).toEqual(Array.from({ length: 12 }, (_, index) => `tenant-${index}`));
  expect([days.length, days[0], days.at(-1)]).toEqual([12, '2026-02-27', '2026-03-10']);
  // The thirteenth was charged 88 in each of two months.
  expect(ranked).toMatchObject({ count: 14, bound: 176 });
  expect(ranked.groups).toHaveLength(144);
});

test('among equal charges those with more requests are read', async () => {
  const rows = Array.from({ length: 13 }, (_, index) => sum('2026-03', `tenant-${index}`, 5, index));
  const read: string[] = [];
  const sums = {
    ...store(0),
    tenantCharges: async () => rows,
    tenantsIn: async (names: readonly string[]) => {
      read.push(...names);
      return [];
    },
  };
  expect(await rankTenants(sums, { from: to - 5 * dayMs, to })).toMatchObject({ count: 13, bound: 5 });
  expect(read).toEqual(Array.from({ length: 12 }, (_, index) => `tenant-${12 - index}`));
});

test('all of few tenants are there', async () => {
  const ranked = await rankTenants(store(2), { from: to - 5 * dayMs, to });
  expect(ranked).toMatchObject({ count: 2, bound: 0 });
});

test.each([
  [12, 1_000, 0, true],
  [13, 0, 0, true],
  [13, 10, 10, true],
  [13, 10, 9, false],
])('of %i tenants with a bound of %i, the least shown of %i is exact: %s', (count, bound, least, exact) => {
  const charges = Array.from({ length: maxOverviewGroups }, (_, index) =>
    index === maxOverviewGroups - 1 ? least : 1_000,
  );
  expect(areExact(charges, { groups: [], bound, count })).toBe(exact);
  expect(areExact([], { groups: [], bound, count })).toBe(count <= 12 || bound === 0);
});
