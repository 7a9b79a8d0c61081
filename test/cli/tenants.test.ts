/** The tenant commands. */
import { expect, test } from 'vitest';
import { useCommand } from './use-command.ts';

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
    monthly_budget_usd: '50.00',
    credit_usd: null,
    models: ['openai/*'],
    operations: null,
  };
  expect(await json('tenants list')).toEqual([acme]);
  expect(await json('tenants show acme')).toEqual(acme);
  const { output } = await run('tenants list');
  expect(output[0]).toMatch(/^TENANT +STATUS +CREATED AT .* MONTHLY BUDGET USD +CREDIT USD$/);
  expect(output[1]).toMatch(/^acme +active +\d{4}-\d\d-\d\d +100 .* 50\.00$/);
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

test('limits and permissions are changed one by one, and removed', async () => {
  await run('tenants create acme');
  await run('tenants set-limits acme --concurrent 4 --budget 7.25');
  await run('tenants set-limits acme --budget 8');
  await run('tenants set-models acme anthropic/*,openai/gpt-5.5');
  await run('tenants set-operations acme responses');
  expect(await json('tenants show acme')).toMatchObject({
    concurrent_requests: 4,
    monthly_budget_usd: '8.00',
    models: ['anthropic/*', 'openai/gpt-5.5'],
    operations: ['responses'],
  });
  await run('tenants set-limits acme --concurrent none');
  await run('tenants set-models acme all');
  expect(await json('tenants show acme')).toMatchObject({
    concurrent_requests: null,
    monthly_budget_usd: '8.00',
    models: null,
  });
});

test('credit that several operators add at the same time is all added', async () => {
  await run('tenants create acme --credit 10');
  await Promise.all(['0.000000001', '5', '2.5'].map((usd) => run(`tenants add-credit acme ${usd}`)));
  expect(await json('tenants show acme')).toMatchObject({ credit_usd: '17.500000001' });
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
