/** The audit record of a change: only what differs, never more than fits. */
import { expect, test } from 'vitest';
import { recordChange } from '../../lib/admin/audit/record-change.ts';
import type { AuditRecord } from '../../lib/core/accounting/audit.ts';

const olga = { id: 'olga', name: 'Olga', role: 'operator', via: 'oidc' };

type Change = Parameters<typeof recordChange>[3];

async function recordsOf(change: Partial<Change>, by = olga): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  const audit = { write: async (record: AuditRecord) => void records.push(record) };
  await recordChange({ audit, now: () => 1_234 }, by, 'keys.change', { target: 'key_one', ...change });
  return records;
}

test('it has the fields that differ, those of members by both names', async () => {
  const before = { name: 'old', owner: 'ann', limits: { credit_usd: '1.00', daily_budget_usd: null } };
  const after = { name: 'old', models: ['a/*'], limits: { credit_usd: '2.00', daily_budget_usd: undefined } };
  expect(await recordsOf({ tenant: 'acme', before, after })).toEqual([
    {
      id: expect.any(String),
      at: 1_234,
      by: olga,
      action: 'keys.change',
      tenant: 'acme',
      target: 'key_one',
      before: { owner: 'ann', 'limits.credit_usd': '1.00', models: null },
      after: { owner: null, 'limits.credit_usd': '2.00', models: ['a/*'] },
    },
  ]);
});

test('of what is new, and of what is gone, it has one side', async () => {
  const [made] = await recordsOf({ after: { name: 'new', owner: null } });
  expect(made).toMatchObject({ after: { name: 'new' } });
  expect(made).not.toHaveProperty('before');
  expect(made).not.toHaveProperty('tenant');
  expect(made?.after).toEqual({ name: 'new' });
  const [gone] = await recordsOf({ before: { name: 'old' } });
  expect(gone).toMatchObject({ before: { name: 'old' } });
  expect(gone).not.toHaveProperty('after');
});

test.each<Partial<Change>>([
  {},
  { before: {}, after: { name: null } },
  {
    before: { models: ['a/b'], limits: { credit_usd: '1.00' } },
    after: { models: ['a/b'], limits: { credit_usd: '1.00' } },
  },
])('what does not differ has none: %j', async (change) => {
  expect(await recordsOf(change)).toEqual([]);
});

test('a change that may be repeated has its own id and time', async () => {
  const [record] = await recordsOf({ after: { amount: 1 }, once: { id: 'credit.acme.one', at: 5 } });
  expect(record).toMatchObject({ id: 'credit.acme.one', at: 5 });
});

test('long values and names are cut', async () => {
  const whole = 'x'.repeat(998);
  const [record] = await recordsOf(
    { after: { whole, long: `${whole}y` } },
    { ...olga, id: 'i'.repeat(201), name: 'n'.repeat(200) },
  );
  expect(record?.after).toEqual({ whole, long: `"${whole}y… (1001 characters)` });
  expect(record?.by).toEqual({ ...olga, id: 'i'.repeat(200), name: 'n'.repeat(200) });
});

test('a record that cannot be written is an error that says so', async () => {
  const cause = new Error('down');
  const audit = { write: () => Promise.reject(cause) };
  const change = { target: 'key_one', after: { name: 'new' } };
  await expect(recordChange({ audit, now: Date.now }, olga, 'keys.change', change)).rejects.toMatchObject({
    status: 500,
    cause,
  });
});
