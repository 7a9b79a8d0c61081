/** The key commands. */
import { describe, expect, test } from 'vitest';
import { listAll } from '../../cli/call-admin.ts';
import { isWellFormedApiKey } from '../../lib/core/names/api-key.ts';
import { createFindApiKey } from '../../lib/stores/access/find-api-key.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { parsed, useCommand } from './operator.ts';

const { run, json, at } = useCommand();

/** Looks a key up as a request does, without a cache. */
const findKey = (secret: string) => {
  const access = at('access');
  const [keys, tenants] = [createKeyStore(access), createTenantStore(access)];
  return createFindApiKey({ keys, tenants, now: Date.now })(secret);
};

async function makeKey(options = ''): Promise<{ readonly id: string; readonly secret: string }> {
  const { output } = await run(`keys create --tenant acme --create-tenant ${options}`);
  return { id: /key_[0-9a-f]+/.exec(output.join(' '))?.[0] ?? '', secret: output.at(-1) ?? '' };
}

describe('create and list', () => {
  test('a new key is the last line of the output, and works', async () => {
    const { code, output } = await run('keys create --tenant acme --create-tenant --name laptop');
    expect(code).toBe(0);
    const secret = output.at(-1) ?? '';
    expect(isWellFormedApiKey(secret)).toBe(true);
    expect(await findKey(secret)).toMatchObject({ tenant: 'acme' });
    expect(output.slice(0, -1).join('\n')).not.toContain(secret);
  });

  test('an unknown tenant is an error: a mistyped name creates no tenant', async () => {
    expect(await run('keys create --tenant acme')).toMatchObject({
      code: 1,
      output: [],
      stderr: 'Error: Tenant not found: acme. To create it with this key, add --create-tenant.',
    });
    expect(await json('tenants list')).toEqual([]);
    const created = await run('keys create --tenant acme --create-tenant');
    expect(created.output[0]).toBe('Created tenant acme, without limits.');
    expect((await run('keys create --tenant acme')).output.join('\n')).not.toContain('Created tenant');
    expect(await run('keys create --tenant acmee')).toMatchObject({
      code: 1,
      stderr:
        "Error: Tenant not found: acmee. Did you mean 'acme'? To create it with this key, add --create-tenant.",
    });
  });

  test('two commands at once that create the tenant both make a key', async () => {
    const command = 'keys create --tenant acme --create-tenant';
    const both = await Promise.all([run(command), run(command)]);
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(
      both.flatMap(({ output }) => output).filter((line) => line.includes('Created tenant')),
    ).toHaveLength(1);
  });

  test('a new key as JSON has the secret as its field "key"', async () => {
    const { code, output } = await run('keys create --tenant acme --create-tenant --name laptop --json');
    expect(code).toBe(0);
    const { key, ...row } = JSON.parse(output.join('\n'));
    expect(await findKey(key)).toMatchObject({ tenant: 'acme', id: row.id });
    expect(row).toMatchObject({ tenant: 'acme', name: 'laptop', status: 'active' });
  });

  test('the list shows each key with its status and no secret', async () => {
    const { secret } = await makeKey('--name laptop');
    await run('keys create --tenant umbrella --create-tenant --expires 2099-01-01');
    const { code, output } = await run('keys list');
    expect(code).toBe(0);
    expect(output[0]).toMatch(
      /^ID +TENANT +CREATED AT +LAST USED AT +MONTH SPEND USD +BUDGET USED +EXPIRES AT +STATUS +NAME$/,
    );
    expect(output.slice(1)).toHaveLength(2);
    const rows = output.slice(1).join('\n');
    expect(rows).toMatch(/^key_[0-9a-f]{12} +acme +\d{4}-\d\d-\d\d +active +laptop$/m);
    expect(rows).toMatch(/^key_[0-9a-f]{12} +umbrella +\d{4}-\d\d-\d\d +2099-01-01 +active$/m);
    expect(rows).not.toContain(secret);
  });

  test('the list can be limited to one tenant, and has every field in JSON', async () => {
    await makeKey('--budget 12.5 --models openai/*,anthropic/claude-opus-5 --operations embeddings');
    await run('keys create --tenant umbrella --create-tenant');
    expect(await json('keys list --tenant acme')).toEqual([
      {
        id: expect.stringMatching(/^key_/),
        tenant: 'acme',
        name: null,
        status: 'active',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        last_used_at: null,
        expires_at: null,
        disabled_at: null,
        requests_per_minute: null,
        tokens_per_minute: null,
        concurrent_requests: null,
        daily_budget_usd: null,
        weekly_budget_usd: null,
        monthly_budget_usd: '12.50',
        total_budget_usd: null,
        credit_usd: null,
        include_own_keys: null,
        models: ['openai/*', 'anthropic/claude-opus-5'],
        operations: ['embeddings'],
        cache: null,
        data_policy: null,
        guardrails: null,
        // No sums are kept here.
        month_requests: null,
        month_spend_usd: null,
        month_unpriced_requests: null,
        month_estimated_requests: null,
        budget_used: 0,
      },
    ]);
  });

  test('an empty list says how to create a key, and is an empty array in JSON', async () => {
    const stderr = expect.stringContaining('keys create');
    expect(await run('keys list')).toMatchObject({ code: 0, output: [], stderr });
    expect(await json('keys list')).toEqual([]);
  });
});

test('a list of more than a page is read to its end', async () => {
  const pages = [
    { data: ['one', 'two'], next_after: '2' },
    { data: ['three'], next_after: null },
  ];
  const read = async ({ after = '0' }) => pages[after === '2' ? 1 : 0] ?? expect.unreachable();
  expect(await listAll(read)).toEqual(['one', 'two', 'three']);
});

describe('limits and permissions', () => {
  test('are changed one by one, exactly, and removed with none and all', async () => {
    const { id, secret } = await makeKey('--requests 60 --budget 50');
    const set = await run(`keys set-limits ${id} --budget 0.000000001 --tokens 100000`);
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(set.output.join('\n')).toContain('0.000000001 USD per month');
    await run(`keys set-models ${id} openai/gpt-5.5`);
    await run(`keys set-operations ${id} chat-completions,embeddings`);
    expect(await findKey(secret)).toMatchObject({
      keyPolicy: {
        limits: { requestsPerMinute: 60, tokensPerMinute: 100_000, monthlyBudget: 1 },
        models: ['openai/gpt-5.5'],
        operations: ['chat-completions', 'embeddings'],
      },
    });
    await run(`keys set-limits ${id} --budget none --tokens none --requests none`);
    await run(`keys set-models ${id} all`);
    await run(`keys set-operations ${id} all`);
    expect(await findKey(secret)).not.toHaveProperty('own');
  });

  test('of one key are shown as lines and as JSON', async () => {
    const { id } = await makeKey('--credit 10 --models openai/*');
    const { code, output } = await run(`keys show ${id}`);
    expect(code).toBe(0);
    expect(output.join('\n')).toMatch(/^credit usd +10\.00$/m);
    expect(output.join('\n')).toMatch(/^models +openai\/\*$/m);
    expect(await json(`keys show ${id}`)).toMatchObject({ id, credit_usd: '10.00', status: 'active' });
  });
});

describe('rotate and disable', () => {
  test('a rotated key and the new one both work until the overlap ends', async () => {
    const { id, secret } = await makeKey('--name laptop --budget 5');
    const before = Date.now();
    const { code, output } = await run(`keys rotate ${id} --overlap 2h`);
    expect(code).toBe(0);
    const made = output.at(-1) ?? '';
    expect(await findKey(secret)).toMatchObject({ id });
    expect(await findKey(made)).toMatchObject({ keyPolicy: { limits: { monthlyBudget: 5_000_000_000 } } });
    const { expires_at } = (await json(`keys show ${id}`)) as { expires_at: string };
    const overlap = Date.parse(expires_at) - before;
    expect(Math.abs(overlap - 7_200_000)).toBeLessThan(5_000);
  });

  test('a rotated key as JSON has the new secret, and when the old one ends', async () => {
    const { id } = await makeKey();
    const rotated = parsed(await run(`keys rotate ${id} --overlap 1h --json`));
    expect(await findKey(rotated.key)).toMatchObject({ id: rotated.id });
    expect(rotated.replaced).toEqual({ id, expires_at: expect.stringMatching(/Z$/) });
  });

  test('the default overlap is a day, and 0 ends the old key at once', async () => {
    const first = await makeKey();
    const before = Date.now();
    await run(`keys rotate ${first.id}`);
    const { expires_at } = (await json(`keys show ${first.id}`)) as { expires_at: string };
    expect(Math.abs(Date.parse(expires_at) - before - 86_400_000)).toBeLessThan(5_000);
    const second = await makeKey();
    const { output } = await run(`keys rotate ${second.id} --overlap 0`);
    expect(await findKey(second.secret)).toBeUndefined();
    expect(await findKey(output.at(-1) ?? '')).toMatchObject({ tenant: 'acme' });
  });

  test('a disabled key no longer works, is listed as disabled, and cannot be rotated', async () => {
    const { id, secret } = await makeKey();
    expect((await run(`keys disable ${id}`)).code).toBe(0);
    expect(await findKey(secret)).toBeUndefined();
    expect((await run('keys list')).output[1]).toContain('disabled');
    const rotated = await run(`keys rotate ${id}`);
    expect(rotated.code).toBe(1);
    expect(rotated.stderr).toContain('no longer works');
    expect((await run(`keys enable ${id}`)).output).toEqual([
      `Enabled key ${id}. It works again within ten seconds.`,
    ]);
    expect(await findKey(secret)).toMatchObject({ id });
  });
});

test.each([
  'disable key_000000000000',
  'show key_000000000000',
  'rotate key_000000000000',
  'set-limits key_000000000000 --budget 1',
  'set-models missing all',
  'set-operations missing all',
])('keys %s fails: the key does not exist', async (line) => {
  const { code, output, stderr } = await run(`keys ${line}`);
  expect({ code, output }).toEqual({ code: 1, output: [] });
  expect(stderr).toMatch(/Key not found: (key_0+|missing)\..*keys list/);
});
