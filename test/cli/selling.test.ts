/** What tenants are charged, their credit and their adjustments, on the command line. */
import { describe, expect, test } from 'vitest';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createJournal } from '../../lib/stores/usage/journal.ts';
import { useCommand } from './operator.ts';

const { run, json, at } = useCommand();

const tenants = createTenantStore(at('access'));

const shown = async () => (await json('tenants show acme')) as Record<string, readonly unknown[]>;

describe('pricing', () => {
  test('is a markup from a date on, and fixed prices of models', async () => {
    await run('tenants create acme');
    expect(await run('tenants set-pricing acme --markup 20 --from 2098-12-01')).toMatchObject({ code: 0 });
    const fixed = '--model openai/gpt-5.5 --input 6 --output 36 --cached 0.6 --from 2099-01-01';
    const { output, stderr } = await run(`tenants set-pricing acme ${fixed}`);
    expect(stderr).toBe('');
    expect(output.join()).toContain('the cost plus 20 %, and fixed prices of openai/gpt-5.5');
    expect((await tenants.find('acme'))?.pricing).toEqual([
      { from: Date.parse('2098-12-01') / 1000, markup: 2_000 },
      {
        from: Date.parse('2099-01-01') / 1000,
        markup: 2_000,
        models: {
          'openai/gpt-5.5': expect.objectContaining({ input: 6_000, output: 36_000, cachedInput: 600 }),
        },
      },
    ]);
    expect(await shown()).toMatchObject({
      pricing: [
        { charged_from: '2098-12-01T00:00:00Z', markup_percent: '20', fixed_prices: [] },
        { charged_from: '2099-01-01T00:00:00Z', markup_percent: '20', fixed_prices: ['openai/gpt-5.5'] },
      ],
    });
    const less = await run(
      'tenants set-pricing acme --model openai/gpt-5.5 --at-cost --markup=-2.5 --from 2099-01-01',
    );
    expect(less.output.join()).toContain('the cost less 2.5 %.');
    expect(await shown()).toMatchObject({ pricing: [{}, { markup_percent: '-2.5', fixed_prices: [] }] });
  });

  test.each([
    ['', '--markup, --model'],
    ['--markup 1e3', 'percentage'],
    ['--markup=-100.01', 'at least -100'],
    ['--markup 1.234', 'percentage'],
    ['--input 3 --output 15', '--model'],
    ['--model gpt-5.5 --input 3 --output 15', 'owner/model'],
    ['--model openai/* --input 3 --output 15', 'owner/model'],
    ['--model openai/gpt-5.5 --input 3', '--output'],
    ['--markup 20 --from 2026-02-30', 'date'],
  ])('%s is refused', async (options, problem) => {
    await run('tenants create acme');
    const { code, stderr } = await run(`tenants set-pricing acme ${options}`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
    expect((await tenants.find('acme'))?.pricing).toBeUndefined();
  });
});

describe('credit', () => {
  test('is shown as grants in the order they were given, with what is left', async () => {
    await run('tenants create acme');
    await run('tenants add-credit acme 100 --by ann');
    await run('tenants add-credit acme 20 --expires 2099-01-31 --priority 1 --note promotion --by ben');
    expect(await shown()).toMatchObject({
      credit_usd: '120.00',
      grants: [
        { amount_usd: '100.00', left_usd: '100.00', priority: 100, expires_at: null, by: 'ann', note: null },
        {
          amount_usd: '20.00',
          left_usd: '20.00',
          priority: 1,
          expires_at: '2099-01-31T00:00:00Z',
          by: 'ben',
          note: 'promotion',
        },
      ],
    });
    const { output } = await run('tenants show acme');
    expect(output.join('\n')).toMatch(/GRANT +AMOUNT USD +LEFT USD/);
  });

  test('from before there were grants is the first grant', async () => {
    await run('tenants create acme --credit 5');
    await run('tenants add-credit acme 2');
    expect(await shown()).toMatchObject({
      credit_usd: '7.00',
      grants: [{ grant: 'earlier', amount_usd: '5.00' }, { amount_usd: '2.00' }],
    });
  });

  test('that is set replaces all grants', async () => {
    await run('tenants create acme');
    await run('tenants add-credit acme 2');
    await run('tenants set-limits acme --credit 5');
    const tenant = await shown();
    expect(tenant.credit_usd).toBe('5.00');
    expect(tenant).not.toHaveProperty('grants');
  });

  test('that no number can hold exactly is refused in words, and nothing is added', async () => {
    await run('tenants create acme');
    expect((await run('tenants add-credit acme 9000000')).code).toBe(0);
    const { code, stderr } = await run('tenants add-credit acme 9000000');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('9007199.254740991 USD') });
    const tenant = await shown();
    expect(tenant).toMatchObject({ credit_usd: '9000000.00' });
    expect(tenant.grants).toHaveLength(1);
  });

  test.each([
    ['5 --expires 2020-01-01', 'after today'],
    ['5 --expires tomorrow', 'a date'],
    ['5 --priority 1001', '--priority must be at most 1000'],
    ['0', 'more than 0'],
    ['-5', 'more than 0'],
  ])('%s is refused', async (words, problem) => {
    await run('tenants create acme');
    const { code, stderr } = await run(`tenants add-credit acme ${words}`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
  });
});

describe('adjustments', () => {
  const journal = createJournal(at('usage'));

  test('are kept with their reason, their month and who made them', async () => {
    await run('tenants create acme');
    const line = 'tenants adjust acme -5.00 --reason outage --month 2026-10 --request request-1 --by ann';
    const { code, output } = await run(line);
    expect({ code, text: output.join() }).toEqual({ code: 0, text: expect.stringContaining('by -5.00 USD') });
    await run('tenants adjust acme 0.25 --reason support --month 2026-10 --by ben');
    expect(await journal.adjustments('acme', '2026-10')).toMatchObject([
      { amount: -5_000_000_000, reason: 'outage', by: 'ann', requestId: 'request-1', tenant: 'acme' },
      { amount: 250_000_000, reason: 'support', by: 'ben' },
    ]);
    expect(await journal.adjustments('acme', '2026-11')).toEqual([]);
  });

  test.each([
    ['acme 0 --reason x', 2, 'amount'],
    ['acme five --reason x', 2, 'amount'],
    ['acme -5', 2, '--reason'],
    ['acme -5 --reason x --month 2026-13', 2, 'month'],
    ['missing -5 --reason x', 1, 'Tenant not found'],
  ])('%s is refused', async (words, expected, problem) => {
    await run('tenants create acme');
    const { code, stderr } = await run(`tenants adjust ${words}`);
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(problem) });
  });
});
