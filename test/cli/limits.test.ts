/** The command `limits show`. */
import { beforeEach, describe, expect, test } from 'vitest';
import { toCounts } from '../../lib/core/accounting/counters.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { parsed, useOperator } from './operator.ts';

const operator = useOperator();
let keyId: string;
beforeEach(async () => {
  const access = operator.at('access');
  await createTenantStore(access).create('acme', {
    limits: { monthlyBudget: 5_000_000_000, concurrentRequests: 3 },
  });
  await createTenantStore(access).create('free');
  const limits = { requestsPerMinute: 60 };
  keyId = (await createKeyStore(access).create({ tenant: 'acme', limits })).id;
});

describe('limits show', () => {
  test('shows what is set and used, running requests included, for a key and its tenant', async () => {
    const store = createLimitStore(operator.at('usage'));
    const fixed = { tokens: 500, amount: 1_250_000_001 };
    const none = { tokens: 0, amount: 0 };
    const wanted = { id: 'one', at: Date.now(), fixed, perOutputToken: none, output: { max: 0, min: 0 } };
    for (const scope of [{ kind: 'key', id: keyId } as const, { kind: 'tenant', id: 'acme' } as const]) {
      await store.reserve(scope, { concurrentRequests: 3 }, wanted);
    }
    const outcome = await operator.run(`limits show ${keyId} --json`);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const rows: readonly { of: string; limit: string }[] = parsed(outcome);
    const row = (of: string, limit: string) => rows.find((one) => one.of === of && one.limit === limit);
    expect(rows).toHaveLength(16);
    expect(row('key', 'requests_per_minute')).toMatchObject({ id: keyId, set: 60, used: 1, left: 59 });
    expect(row('key', 'monthly_budget_usd')).toMatchObject({ set: null, left: null });
    expect(row('tenant', 'monthly_budget_usd')).toMatchObject({
      id: 'acme',
      set: '5.00',
      used: '1.250000001',
      left: '3.749999999',
      resets_at: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00Z$/),
    });
    expect(row('tenant', 'concurrent_requests')).toMatchObject({ set: 3, used: 1, left: 2, resets_at: null });
  });

  test('a budget that is set counts what its period has used before, also for a key', async () => {
    const usage = createUsageStore(operator.at('usage'));
    const day = new Date().toISOString().slice(0, 10);
    const counts = { ...toCounts(), charge: 2_000_000_000 };
    await usage.replaceCounter({ tenant: 'acme', day, key: keyId, model: 'a/b' }, counts, undefined, 0);
    await usage.replaceCounter({ tenant: 'acme', day, key: 'key_other', model: 'a/b' }, counts, undefined, 0);
    await operator.run('tenants set-limits acme --daily-budget 5 --total-budget 9');
    await operator.run(`keys set-limits ${keyId} --budget 3`);
    const rows: readonly Record<string, unknown>[] = parsed(
      await operator.run(`limits show ${keyId} --json`),
    );
    const used = (of: string, limit: string) =>
      rows.find((row) => row.of === of && row.limit === limit)?.used;
    expect(used('tenant', 'daily_budget_usd')).toBe('4.00');
    expect(used('tenant', 'total_budget_usd')).toBe('4.00');
    expect(used('key', 'monthly_budget_usd')).toBe('2.00');
  });

  test('shows a user of a tenant', async () => {
    await operator.run('tenants set-user-limits acme --daily-budget 1');
    const rows: readonly Record<string, unknown>[] = parsed(
      await operator.run('limits show acme --user u1 --json'),
    );
    expect(rows.find(({ limit }) => limit === 'daily_budget_usd')).toMatchObject({
      of: 'user',
      id: 'u1',
      set: '1.00',
      used: '0.00',
    });
    // Credit is that of a tenant.
    expect(rows.map(({ limit }) => limit)).not.toContain('credit_usd');
    expect(await operator.run(`limits show ${keyId} --user u1`)).toMatchObject({ code: 2 });
  });

  test('counts the use of a rotated key together with the key that it replaced', async () => {
    const access = operator.at('access');
    const { made } = (await createKeyEdits(access).rotate(keyId, 60)) ?? {};
    const store = createLimitStore(operator.at('usage'));
    const none = { tokens: 0, amount: 0 };
    const wanted = {
      id: 'one',
      at: Date.now(),
      fixed: none,
      perOutputToken: none,
      output: { max: 0, min: 0 },
    };
    await store.reserve({ kind: 'key', id: keyId }, {}, wanted);
    const rows = parsed(await operator.run(`limits show ${made?.id} --json`));
    expect(rows[0]).toMatchObject({
      of: 'key',
      id: made?.id,
      limit: 'requests_per_minute',
      used: 1,
      left: 59,
    });
  });

  test('shows the credit that counts now: without what has expired, but for what was used of it', async () => {
    const tenants = createTenantStore(operator.at('access'));
    await tenants.create('prepaid', { limits: { credit: 150_000_000_000 } });
    const given = { at: 1_700_000_000, by: 'ann', priority: 100 };
    const gone = {
      ...given,
      id: 'gone',
      amount: 100_000_000_000,
      expires: 1_700_006_400,
      used: 48_000_000_000,
    };
    const grants = [gone, { ...given, id: 'paid', amount: 50_000_000_000 }];
    const unallocated = { day: '2026-01-01', used: 0 };
    await tenants.replaceGrants('prepaid', { limits: { credit: 150_000_000_000 } }, { grants, unallocated });
    const rows: readonly { limit: string }[] = parsed(await operator.run('limits show prepaid --json'));
    expect(rows.find(({ limit }) => limit === 'credit_usd')).toMatchObject({ set: '98.00' });
  });

  test('says that a tenant has no limits', async () => {
    expect(await operator.run('limits show free')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no limits'),
    });
  });

  test.each([
    ['limits show missing', 1, 'Tenant not found: missing'],
    ['limits show key_000000000000', 1, 'Key not found: key_000000000000'],
    ['limits show', 2, 'Missing required argument'],
  ])('"%s" ends with exit code %i', async (typed, code, explanation) => {
    expect(await operator.run(typed)).toMatchObject({
      code,
      output: [],
      stderr: expect.stringContaining(explanation),
    });
  });
});
