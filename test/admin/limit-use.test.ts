/** How much of each limit is used, and what a change of limits leaves. */
import { expect, test } from 'vitest';
import { limitsAfter, limitsRow, readLimits, tenancyOf } from '../../lib/admin/limit-fields.ts';
import { useOfKey, useOfTenant } from '../../lib/admin/limit-use.ts';
import type { LimitUsage } from '../../lib/core/accounting/limits.ts';
import type { StoredApiKey } from '../../lib/stores/access/keys.ts';
import type { StoredTenant } from '../../lib/stores/access/tenants.ts';

const now = Date.parse('2026-03-10T12:34:56Z');
const endOfDay = Date.parse('2026-03-11T00:00:00Z') / 1000;
const dollar = 1_000_000_000;

const usage: LimitUsage = {
  requests: 3,
  tokens: 40,
  minuteEnds: now,
  dayCommitted: dollar,
  weekCommitted: 2 * dollar,
  committed: 3 * dollar,
  totalCommitted: 4 * dollar,
  usedCredit: 5 * dollar,
  running: 6,
  held: dollar / 2,
};

/** `asked` is what was read. */
function partsWith(found: LimitUsage | undefined) {
  const asked: unknown[] = [];
  const limits = {
    async read(...question: readonly unknown[]) {
      asked.push(question);
      return found;
    },
  };
  return { asked, limits, now: () => now };
}

const key = (limits?: StoredApiKey['limits']): StoredApiKey => ({
  id: 'key_two',
  family: 'key_one',
  tenant: 'acme',
  createdAt: 1,
  ...(limits && { limits }),
});
const tenant = (more: Partial<StoredTenant>): StoredTenant => ({ name: 'acme', createdAt: 1, ...more });

test('each limit that is set has its use', async () => {
  const parts = partsWith(usage);
  const limits = {
    requestsPerMinute: 4,
    tokensPerMinute: 40,
    concurrentRequests: 12,
    dailyBudget: 4 * dollar,
    weeklyBudget: dollar,
    monthlyBudget: 0,
    totalBudget: 8 * dollar,
  };
  const minute = { held: null, resets_at: Date.parse('2026-03-10T12:35:00Z') / 1000 };
  expect(await useOfKey(parts, key(limits), tenant({ throughput: 1_000 }))).toEqual([
    { limit: 'requests_per_minute', set: 4, used: 3, left: 1, share: 0.75, ...minute },
    { limit: 'tokens_per_minute', set: 40, used: 40, left: 0, share: 1, ...minute },
    { limit: 'concurrent_requests', set: 12, used: 6, left: 6, share: 0.5, held: null, resets_at: null },
    {
      limit: 'daily_budget_usd',
      set: '4.00',
      used: '1.00',
      held: '0.50',
      left: '3.00',
      share: 0.25,
      resets_at: endOfDay,
    },
    {
      limit: 'weekly_budget_usd',
      set: '1.00',
      used: '2.00',
      held: '0.50',
      left: '0.00',
      share: 1,
      resets_at: Date.parse('2026-03-16T00:00:00Z') / 1000,
    },
    {
      limit: 'monthly_budget_usd',
      set: '0.00',
      used: '3.00',
      held: '0.50',
      left: '0.00',
      share: 1,
      resets_at: Date.parse('2026-04-01T00:00:00Z') / 1000,
    },
    {
      limit: 'total_budget_usd',
      set: '8.00',
      used: '4.00',
      held: '0.50',
      left: '4.00',
      share: 0.5,
      resets_at: null,
    },
  ]);
  expect(parts.asked).toEqual([[{ kind: 'key', id: 'key_one' }, { shards: 2 }]]);
});

test('without limits nothing is read, and without use nothing is used', async () => {
  const parts = partsWith(undefined);
  expect(await useOfKey(parts, key(), undefined)).toEqual([]);
  expect(await useOfTenant(parts, tenant({}))).toEqual([]);
  expect(parts.asked).toEqual([]);
  expect(await useOfKey(parts, key({ dailyBudget: dollar }), undefined)).toMatchObject([
    { used: '0.00', held: '0.00', left: '1.00', share: 0 },
  ]);
});

test('the credit of a tenant is without what expired', async () => {
  const grant = { priority: 1, by: 'Olga', at: 1, amount: 10 * dollar };
  const grants = [
    { ...grant, id: 'old', expires: 86_400, used: dollar },
    { ...grant, id: 'new' },
  ];
  const parts = partsWith(usage);
  const use = await useOfTenant(
    parts,
    tenant({ limits: { credit: 20 * dollar, requestsPerMinute: 6 }, grants }),
  );
  expect(use).toMatchObject([
    { limit: 'requests_per_minute', set: 6, used: 3 },
    { limit: 'credit_usd', set: '11.00', used: '5.00', left: '6.00' },
  ]);
  expect(parts.asked).toEqual([[{ kind: 'tenant', id: 'acme' }, {}]]);
});

test('limits are shown, and null where there are none', () => {
  const shown = limitsRow({ requestsPerMinute: 5, dailyBudget: dollar });
  expect(shown).toMatchObject({ requests_per_minute: 5, daily_budget_usd: '1.00', tokens_per_minute: null });
  expect(Object.values(limitsRow()).every((limit) => limit === null)).toBe(true);
});

test('a change of limits sets, removes and leaves', () => {
  const change = readLimits({ daily_budget_usd: '2.5', tokens_per_minute: null, requests_per_minute: 7 });
  expect(change).toEqual({ dailyBudget: 2.5 * dollar, tokensPerMinute: null, requestsPerMinute: 7 });
  expect(limitsAfter({ dailyBudget: 1, tokensPerMinute: 2, credit: 3 }, change)).toEqual({
    dailyBudget: 2.5 * dollar,
    requestsPerMinute: 7,
    credit: 3,
  });
  expect([readLimits(), limitsAfter()]).toEqual([{}, {}]);
});

test('permissions are given once each, and null removes them', () => {
  expect(tenancyOf({ models: ['a/*', 'b/c', 'a/*'], operations: ['models', 'models', 'unknown'] })).toEqual({
    models: ['a/*', 'b/c'],
    operations: ['models'],
  });
  expect(tenancyOf({ limits: {}, models: null, operations: null })).toEqual({
    limits: {},
    models: null,
    operations: null,
  });
  expect(tenancyOf({})).toEqual({});
});
