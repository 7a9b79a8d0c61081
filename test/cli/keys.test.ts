/** The operator's commands for keys. */
import { describe, expect, test } from 'vitest';
import { isWellFormedApiKey } from '../../lib/core/api-key.ts';
import { createFindApiKey } from '../../lib/stores/access/find-api-key.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { useCommand } from './use-command.ts';

const { run, json, database } = useCommand();

/** Looks a key up as a request does, with nothing remembered. */
const findKey = (secret: string) => {
  const access = { call: database().call, table: 'access' };
  const [keys, tenants] = [createKeyStore(access), createTenantStore(access)];
  return createFindApiKey({ keys, tenants, now: Date.now })(secret);
};

async function makeKey(options = ''): Promise<{ readonly id: string; readonly secret: string }> {
  const { output } = await run(`keys create --tenant acme ${options}`);
  return { id: /key_[0-9a-f]+/.exec(output.join(' '))?.[0] ?? '', secret: output.at(-1) ?? '' };
}

describe('making and listing', () => {
  test('a made key is the last line of the output, and works', async () => {
    const { code, output } = await run('keys create --tenant acme --name laptop');
    expect(code).toBe(0);
    const secret = output.at(-1) ?? '';
    expect(isWellFormedApiKey(secret)).toBe(true);
    expect(await findKey(secret)).toMatchObject({ tenant: 'acme' });
    expect(output.slice(0, -1).join('\n')).not.toContain(secret);
  });

  test('a tenant that is made on the way is told, for its name may be mistyped', async () => {
    expect((await run('keys create --tenant acme')).output.join('\n')).toContain('acme is new');
    expect((await run('keys create --tenant acme')).output.join('\n')).not.toContain('is new');
  });

  test('the list shows each key with its state and no secret', async () => {
    const { secret } = await makeKey('--name laptop');
    await run('keys create --tenant umbrella --expires 2099-01-01');
    const { code, output } = await run('keys list');
    expect(code).toBe(0);
    expect(output[0]).toMatch(/^ID +TENANT +CREATED AT +LAST USED AT +EXPIRES AT +STATUS +NAME$/);
    expect(output.slice(1)).toHaveLength(2);
    const rows = output.slice(1).join('\n');
    expect(rows).toMatch(/^key_[0-9a-f]{12} +acme +\d{4}-\d\d-\d\d +active +laptop$/m);
    expect(rows).toMatch(/^key_[0-9a-f]{12} +umbrella +\d{4}-\d\d-\d\d +2099-01-01 +active$/m);
    expect(rows).not.toContain(secret);
  });

  test('the list may be of one tenant, and JSON with every field', async () => {
    await makeKey('--budget 12.5 --models openai/*,anthropic/claude-opus-5 --operations embeddings');
    await run('keys create --tenant umbrella');
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
        monthly_budget_usd: '12.50',
        credit_usd: null,
        models: ['openai/*', 'anthropic/claude-opus-5'],
        operations: ['embeddings'],
      },
    ]);
  });

  test('an empty list says how to make the first key, and is an empty array in JSON', async () => {
    const told = expect.stringContaining('keys create');
    expect(await run('keys list')).toMatchObject({ code: 0, output: [], told });
    expect(await json('keys list')).toEqual([]);
  });
});

describe('limits and permissions', () => {
  test('are changed one by one, exactly, and taken away with none and all', async () => {
    const { id, secret } = await makeKey('--requests 60 --budget 50');
    const set = await run(`keys set-limits ${id} --budget 0.000000001 --tokens 100000`);
    expect(set).toMatchObject({ code: 0, told: '' });
    expect(set.output.join('\n')).toContain('0.000000001 USD a month');
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

  test('of one key are shown for people and as JSON', async () => {
    const { id } = await makeKey('--credit 10 --models openai/*');
    const { code, output } = await run(`keys show ${id}`);
    expect(code).toBe(0);
    expect(output.join('\n')).toMatch(/^credit usd +10\.00$/m);
    expect(output.join('\n')).toMatch(/^models +openai\/\*$/m);
    expect(await json(`keys show ${id}`)).toMatchObject({ id, credit_usd: '10.00', status: 'active' });
  });
});

describe('rotating and disabling', () => {
  test('a rotated key and the new one both work until the overlap is over', async () => {
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

  test('a day is the overlap when none is given, and 0 ends the old key at once', async () => {
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

  test('a disabled key does not work any more, is listed as such, and is not rotated', async () => {
    const { id, secret } = await makeKey();
    expect((await run(`keys disable ${id}`)).code).toBe(0);
    expect(await findKey(secret)).toBeUndefined();
    expect((await run('keys list')).output[1]).toContain('disabled');
    const rotated = await run(`keys rotate ${id}`);
    expect(rotated.code).toBe(1);
    expect(rotated.told).toContain('does not work any more');
  });
});

test.each([
  'disable key_000000000000',
  'show key_000000000000',
  'rotate key_000000000000',
  'set-limits key_000000000000 --budget 1',
  'set-models nobody all',
  'set-operations nobody all',
])('keys %s fails and says that there is no such key', async (line) => {
  const { code, output, told } = await run(`keys ${line}`);
  expect({ code, output }).toEqual({ code: 1, output: [] });
  expect(told).toMatch(/no key (key_0+|nobody)\..*keys list/);
});
