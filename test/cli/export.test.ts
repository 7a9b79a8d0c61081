/** Exports: every request once, in lines that other programs read. */
import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { testRecord } from '../harness/ledger.ts';
import { useOperator } from './operator.ts';

const at = Date.now() - 86_400_000;
const day = new Date(at).toISOString().slice(0, 10);
const month = day.slice(0, 7);
const span = `--from ${day} --to ${day}`;

const operator = useOperator('acme', 'umbrella');

const record = (changes: Partial<LedgerRecord> = {}) => testRecord({ at, totalMs: 2_500, ...changes });

async function lines(options: string) {
  const { code, output, stderr } = await operator.run(`usage export ${span} ${options}`);
  expect(code).toBe(0);
  return { lines: output, stderr };
}

describe('jsonl', () => {
  test('has an object for each request of all tenants, with cost, charge and tags', async () => {
    const known = record({ cost: 100, charge: 120, tags: { team: 'blue' }, pricing: '20 %' });
    await operator.ledger.write(known, record({ cost: null, charge: null }), record({ tenant: 'umbrella' }));
    const rows = (await lines('')).lines.map((line) => JSON.parse(line));
    expect(rows).toHaveLength(3);
    expect(rows.find(({ request_id }) => request_id === known.requestId)).toMatchObject({
      tenant: 'acme',
      cost_usd: '0.0000001',
      charge_usd: '0.00000012',
      tags: { team: 'blue' },
      pricing: '20 %',
      prompt_tokens: 100,
      completion_tokens: 50,
    });
    expect(rows.filter(({ cost_usd, charge_usd }) => cost_usd === null && charge_usd === null)).toHaveLength(
      1,
    );
  });

  test('of more requests than a page is complete and in order of time', async () => {
    await operator.ledger.write(...Array.from({ length: 1_203 }, (_, index) => record({ at: at + index })));
    const rows = (await lines('--tenant acme')).lines.map((line) => JSON.parse(line));
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(1_203);
    expect(rows.map(({ time }) => time)).toEqual(rows.map(({ time }) => time).sort());
  });
});

test('csv has one head, and no value is a formula', async () => {
  await operator.ledger.write(record({ user: '=1+1' }), record({ tenant: 'umbrella', user: 'a,"b"' }));
  const { lines: all } = await lines('--format csv');
  expect(all.filter((line) => line.startsWith('request_id,time,tenant'))).toHaveLength(1);
  expect(all).toHaveLength(3);
  expect(all.join('\n')).toContain(",'=1+1,");
  expect(all.join('\n')).toContain(',"a,""b""",');
});

describe('focus', () => {
  /** Mandatory in FOCUS 1.2, and whether null is allowed. Source: FOCUS_Spec v1.2, specification/columns. */
  const mandatory: Readonly<Record<string, boolean>> = {
    BilledCost: false,
    BillingAccountId: false,
    BillingAccountName: true,
    BillingCurrency: false,
    BillingPeriodEnd: false,
    BillingPeriodStart: false,
    ChargeCategory: false,
    ChargeClass: true,
    ChargeDescription: true,
    ChargePeriodEnd: false,
    ChargePeriodStart: false,
    ContractedCost: false,
    EffectiveCost: false,
    InvoiceIssuerName: false,
    ListCost: false,
    PricingQuantity: true,
    PricingUnit: true,
    ProviderName: false,
    PublisherName: false,
    ServiceCategory: false,
    ServiceName: false,
  };

  const cells = (line: string) =>
    Array.from(line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,\r]*)/g), ([, cell = '']) => cell);

  async function rows(options = '') {
    const { lines: all, stderr } = await lines(`--format focus --tenant acme ${options}`);
    const [head = '', ...others] = all;
    const names = cells(head);
    const read = others.map((line) => {
      const values = cells(line);
      return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
    });
    return { names, rows: read, stderr };
  }

  test('has every mandatory column, with a value where null is not allowed', async () => {
    await operator.ledger.write(record({ cost: 100, charge: 120, tags: { team: 'blue' } }));
    await operator.run(`tenants adjust acme -1.50 --reason refund --month ${month}`);
    const { names, rows: all } = await rows('--issuer Example');
    expect(Object.keys(mandatory).filter((name) => !names.includes(name))).toEqual([]);
    for (const row of all) {
      const empty = Object.entries(mandatory).filter(([name, mayBeNull]) => !mayBeNull && row[name] === '');
      expect(empty).toEqual([]);
    }
    expect(all).toMatchObject([
      {
        BilledCost: '0.00000012',
        ListCost: '0.00000012',
        BillingAccountId: 'acme',
        BillingPeriodStart: `${month}-01T00:00:00Z`,
        ChargeCategory: 'Usage',
        ChargeClass: '',
        ChargeFrequency: 'Usage-Based',
        ConsumedQuantity: '150',
        InvoiceIssuerName: 'Example',
        ServiceSubcategory: 'Generative AI',
        Tags: '"{""team"":""blue""}"',
      },
      { BilledCost: '-1.50', ChargeCategory: 'Adjustment', ChargeDescription: 'refund', PricingQuantity: '' },
    ]);
    const [{ ChargePeriodStart = '', ChargePeriodEnd = '' } = {}] = all;
    expect(Date.parse(ChargePeriodEnd)).toBeGreaterThan(Date.parse(ChargePeriodStart));
    // The provider's price is the operator's business.
    expect(JSON.stringify(all)).not.toContain('0.0000001"');
  });

  test('leaves out requests without a known charge, and says how many', async () => {
    await operator.ledger.write(record({ cost: null, charge: null }), record({ charge: 5 }));
    const { rows: all, stderr } = await rows();
    expect(all).toHaveLength(1);
    expect(stderr).toContain('1 requests have no known charge');
  });
});

test('an unknown format is refused', async () => {
  expect(await operator.run('usage export --format parquet')).toMatchObject({ code: 2 });
});
