/** The tenant commands. */
import { describe, expect, test } from 'vitest';
import { useCommand } from './operator.ts';

const { run, json } = useCommand();

test('a tenant is created and shown with its limits', async () => {
  const made = await run('tenants create acme --budget 50 --requests 100 --models openai/*');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.output.join('\n')).toContain('100 requests per minute, 50.00 USD per month');
  const acme = {
    tenant: 'acme',
    status: 'active',
    created_at: expect.stringMatching(/Z$/),
    suspended_at: null,
    requests_per_minute: 100,
    tokens_per_minute: null,
    concurrent_requests: null,
    daily_budget_usd: null,
    weekly_budget_usd: null,
    monthly_budget_usd: '50.00',
    total_budget_usd: null,
    credit_usd: null,
    include_own_keys: null,
    models: ['openai/*'],
    operations: null,
    throughput: null,
    data_policy: null,
    cache: null,
    database_policy: null,
    alerts_at: null,
    webhook: null,
    // No sums are kept here.
    month_requests: null,
    month_spend_usd: null,
    month_unpriced_requests: null,
    month_estimated_requests: null,
    budget_used: 0,
  };
  expect(await json('tenants list')).toEqual([acme]);
  expect(await json('tenants show acme')).toEqual(acme);
  const { output } = await run('tenants list');
  expect(output[0]).toMatch(
    /^TENANT +STATUS +CREATED AT .* MONTHLY BUDGET USD +CREDIT USD +MONTH SPEND USD +BUDGET USED$/,
  );
  expect(output[1]).toMatch(/^acme +active +\d{4}-\d\d-\d\d +100 .* 50\.00 +0%$/);
});

test('an existing tenant is not created again, and keeps its limits', async () => {
  await run('tenants create acme --budget 50');
  const again = await run('tenants create acme');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('tenants set-limits') });
  expect(await json('tenants show acme')).toMatchObject({ monthly_budget_usd: '50.00' });
});

test('a new tenant as JSON has its limits', async () => {
  expect(await json('tenants create acme --credit 5')).toMatchObject({ tenant: 'acme', credit_usd: '5.00' });
});

test('credit that several operators add at the same time is all added', async () => {
  await run('tenants create acme --credit 10');
  await Promise.all(['0.000000001', '5', '2.5'].map((usd) => run(`tenants add-credit acme ${usd}`)));
  expect(await json('tenants show acme')).toMatchObject({ credit_usd: '17.500000001' });
});

test('cached answers of a tenant are set, removed and purged', async () => {
  await run('tenants create acme');
  const set = await run('tenants set-cache acme --default yes --ttl 600 --max-ttl 3600');
  expect(set.output.join()).toContain('on by default, for 600 s, at most 3600 s');
  expect(await json('tenants show acme')).toMatchObject({
    cache: 'on by default, for 600 s, at most 3600 s',
  });
  expect((await run('tenants purge-cache acme')).output.join()).toContain('within ten seconds');
  expect((await run('tenants set-cache acme --none')).output.join()).toContain('no settings');
  for (const wrong of ['', ' --none --off', ' --default maybe', ' --ttl 0'])
    expect(await run(`tenants set-cache acme${wrong}`)).toMatchObject({ code: 2 });
});

test('a tenant is suspended and activated again', async () => {
  await run('tenants create acme');
  expect((await run('tenants suspend acme')).output.join()).toContain('within ten seconds');
  const suspended_at = expect.stringMatching(/Z$/);
  expect(await json('tenants show acme')).toMatchObject({ status: 'suspended', suspended_at });
  expect((await run('tenants activate acme')).code).toBe(0);
  expect(await json('tenants show acme')).toMatchObject({ status: 'active', suspended_at: null });
});

test('an empty list says how to create a tenant', async () => {
  const stderr = expect.stringContaining('tenants create');
  expect(await run('tenants list')).toMatchObject({ code: 0, output: [], stderr });
});

test.each(['show', 'suspend', 'activate', 'set-limits --budget 1', 'add-credit 5', 'set-models all'])(
  'tenants %s fails for an unknown tenant, and creates none',
  async (line) => {
    const [verb = '', ...rest] = line.split(' ');
    const { code, output, stderr } = await run(`tenants ${verb} missing ${rest.join(' ')}`);
    expect({ code, output }).toEqual({ code: 1, output: [] });
    expect(stderr).toContain('Tenant not found: missing');
    expect(await json('tenants list')).toEqual([]);
  },
);

describe('what is agreed with a tenant', () => {
  test('budgets of every period, and the limits of its users, are set and removed', async () => {
    await run('tenants create acme --daily-budget 5 --weekly-budget 20');
    const set = await run('tenants set-limits acme --total-budget 900 --weekly-budget none');
    expect(set.output.join()).toContain('5.00 USD per day, 900.00 USD in total');
    const users = await run('tenants set-user-limits acme --daily-budget 0.5 --requests 20');
    expect(users.output.join()).toContain(
      'Each user of tenant acme has 20 requests per minute, 0.50 USD per day.',
    );
    expect(await json('tenants show acme')).toMatchObject({
      daily_budget_usd: '5.00',
      weekly_budget_usd: null,
      total_budget_usd: '900.00',
      user_daily_budget_usd: '0.50',
      user_requests_per_minute: 20,
    });
    await run('tenants set-user-limits acme --daily-budget none');
    expect(await json('tenants show acme')).not.toHaveProperty('user_daily_budget_usd');
    expect(await run('tenants set-user-limits acme --credit 5')).toMatchObject({ code: 2 });
    expect(await run('tenants set-user-limits acme')).toMatchObject({ code: 2 });
  });

  test('throughput is raised, and never lowered', async () => {
    await run('tenants create acme');
    expect(await run('tenants set-throughput acme 5000')).toMatchObject({ code: 0 });
    expect(await run('tenants set-throughput acme 400')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('at least 5000, which the tenant is prepared for'),
    });
    expect(await run('tenants set-throughput acme 0.5')).toMatchObject({ code: 2 });
    expect(await run('tenants set-throughput missing 400')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Tenant not found'),
    });
    expect(await json('tenants show acme')).toMatchObject({ throughput: 5000 });
  });

  test('a database policy is chosen, and goes back to the default', async () => {
    await run('tenants create acme');
    await run('tenants set-database-policy acme refuse');
    expect(await json('tenants show acme')).toMatchObject({ database_policy: 'refuse' });
    await run('tenants set-database-policy acme default');
    expect(await json('tenants show acme')).toMatchObject({ database_policy: null });
    expect(await run('tenants set-database-policy acme maybe')).toMatchObject({ code: 2 });
  });

  test('alerts have thresholds and a webhook, whose secret is shown once', async () => {
    await run('tenants create acme');
    const set = await run('tenants set-alerts acme --at 90,50,50 --webhook https://hooks.example.com/a');
    expect(set.output.at(-1)).toMatch(/^whsec_[\w+/]{43}=$/);
    const tenant = await json('tenants show acme');
    expect(tenant).toMatchObject({ alerts_at: [50, 90], webhook: 'https://hooks.example.com/a' });
    expect(JSON.stringify(tenant)).not.toContain('whsec_');
    await run('tenants set-alerts acme --at default --webhook none');
    expect(await json('tenants show acme')).toMatchObject({ alerts_at: null, webhook: null });
  });

  test.each(['', '--at 0', '--at 101', '--at 50,,80', '--webhook ftp://a.example', '--webhook acme'])(
    'set-alerts refuses %j',
    async (options) => {
      await run('tenants create acme');
      expect(await run(`tenants set-alerts acme ${options}`.trim())).toMatchObject({ code: 2 });
    },
  );
});
