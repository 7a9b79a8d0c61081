/** Closing a month and printing its invoice. */
import { beforeEach, describe, expect, test } from 'vitest';
import { toCounts } from '../../lib/core/accounting/counters.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { createJournal } from '../../lib/stores/usage/journal.ts';
import { testRecord } from '../harness/ledger.ts';
import { modelRow, parsed, useOperator } from './operator.ts';

const monthAt = (time: number) => new Date(time).toISOString().slice(0, 7);
/** The month after the last one that is over for more than twenty minutes. */
const next = Date.parse(monthAt(Date.now() - 30 * 60_000));
const past = next - 86_400_000;
const month = monthAt(past);

const operator = useOperator('acme', 'umbrella');
beforeEach(async () => {
  await createCatalogStore(operator.at('catalog')).put(row, { source: 'operator' });
  await operator.ledger.write(
    record({ cost: 100, charge: 120, pricing: '20 % from 2026-01-01T00:00:00Z' }),
    record({ cost: 50, charge: 60, estimated: true }),
    record({ model: 'acme/two', cost: null, charge: null }),
    record({ at: next + 1, cost: 7, charge: 7 }),
  );
});

const record = (changes: Parameters<typeof testRecord>[0]) =>
  testRecord({ at: past, totalMs: 10, provider: 'openai', ...changes });

/** What the records of the tests use costs 10 nano-dollars for each token of input, and 20 of output. */
const row = modelRow('acme/one', { price: { input: 0.01, output: 0.02 } });

const journal = createJournal(operator.at('usage'));

const invoice = async (of = month) => parsed(await operator.run(`usage invoice acme ${of} --json`));

describe('a month', () => {
  test('is a draft until it is closed, and then has its hash and what it was made of', async () => {
    const draft = await invoice();
    expect(draft).toMatchObject({ status: 'draft', hash: null, total_usd: '0.00000018' });
    const { code, output } = await operator.run(`usage close ${month} --tenant acme --by ann`);
    expect({ code, output }).toEqual({
      code: 0,
      output: [`Closed ${month} of tenant acme: 0.00000018 USD.`],
    });
    expect(await invoice()).toMatchObject({
      status: 'closed',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      pricing: ['20 % from 2026-01-01T00:00:00Z', 'at cost'],
      lines: draft.lines,
      total_usd: '0.00000018',
    });
    expect(await journal.closed('acme', month)).toMatchObject({
      by: 'ann',
      prices: expect.arrayContaining([expect.stringContaining('acme/one at openai:global from ')]),
    });
  });

  test('of all tenants is closed at once, and those that are closed already stay as they are', async () => {
    await operator.run(`usage close ${month} --tenant acme`);
    const first = await journal.closed('acme', month);
    const { output } = await operator.run(`usage close ${month}`);
    expect(output).toEqual([`Closed ${month} of tenant umbrella: 0.00 USD.`]);
    expect(await journal.closed('acme', month)).toEqual(first);
    const again = await operator.run(`usage close ${month} --tenant acme`);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('closed already') });
  });

  test('that is not over is not closed', async () => {
    const thisMonth = monthAt(Date.now());
    const { code, stderr } = await operator.run(`usage close ${thisMonth} --tenant acme`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is not over') });
    expect(await journal.closed('acme', thisMonth)).toBeUndefined();
  });

  test('with a request that has not ended is not closed', async () => {
    await operator.ledger.usage.open(record({ cost: null, charge: null }));
    const { code, stderr } = await operator.run(`usage close ${month} --tenant acme`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('have not been finished') });
    expect(await journal.closed('acme', month)).toBeUndefined();
  });

  test('whose sums differ from the ledger is not closed', async () => {
    const usage = toCounts({ requests: 1, charge: 5 });
    const key = { tenant: 'acme', day: `${month}-02`, key: 'key_0123456789ab', model: 'acme/one' };
    await addToSums(key, usage);
    const { code, stderr } = await operator.run(`usage close ${month} --tenant acme`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('usage reconcile') });
  });

  test('that is closed keeps its invoice whatever happens to the sums, and says so', async () => {
    await operator.run(`usage close ${month} --tenant acme`);
    await operator.ledger.write(record({ cost: 9, charge: 9 }));
    const { output, stderr } = await operator.run(`usage invoice acme ${month} --json`);
    expect(JSON.parse(output.join('\n'))).toMatchObject({ total_usd: '0.00000018' });
    expect(stderr).toContain('have changed since');
  });

  test('that is closed is recomputed by adjustments only, once', async () => {
    await operator.run(`usage close ${month} --tenant acme`);
    const before = await operator.ledger.recordsOf('acme', { from: past, to: next });
    const write = `usage recompute --tenant acme --from ${month}-01 --to ${new Date(past).toISOString().slice(0, 10)} --write`;
    const { code, stderr } = await operator.run(write);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('2 adjustments made') });
    expect(await operator.ledger.recordsOf('acme', { from: past, to: next })).toEqual(before);
    expect((await operator.run(write)).stderr).toContain('0 adjustments made');
    const { charges_usd, adjusted_usd, adjustments } = await invoice();
    expect(charges_usd).toBe('0.00000018');
    expect(adjustments).toHaveLength(2);
    expect(adjustments[0]).toMatchObject({ request: expect.stringContaining('request-') });
    // Both requests come to 100 × 10 + 50 × 20.
    expect(adjusted_usd).toBe('0.00000382');
  });
});

describe('an invoice', () => {
  test('as text has the charges by model, the adjustments and the total', async () => {
    await operator.run(`tenants adjust acme -0.00000003 --reason refund --month ${month} --by ann`);
    const { output, stderr } = await operator.run(`usage invoice acme ${month}`);
    const text = output.join('\n');
    expect(text).toContain(`Invoice for acme, ${month} (draft), in USD`);
    expect(text).toMatch(/acme\/one +2 +200 +100 +0.00000018/);
    expect(text).toMatch(/Of these, estimates \(1 requests\) +0.00000006/);
    expect(text).toMatch(/refund +ann +-0.00000003/);
    expect(text).toMatch(/Total +0.00000015/);
    expect(stderr).toContain('1 requests have no known charge');
  });

  test.each([
    ['missing 2026-10', 1],
    ['acme 2026-1', 2],
    ['acme', 2],
  ])('of %s is refused', async (words, code) => {
    expect(await operator.run(`usage invoice ${words}`)).toMatchObject({ code });
  });
});

/** As if an addition had been counted that no record has. */
async function addToSums(
  key: { tenant: string; day: string; key: string; model: string },
  counts: ReturnType<typeof toCounts>,
) {
  expect(await operator.ledger.usage.replaceCounter(key, counts, undefined, Date.now())).toBe(true);
}
