/** Credit that expires: what was used of it counts, what was left is lost. */
import { expect, test } from 'vitest';
import { creditAt } from '../../lib/core/accounting/credit.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { testRecord } from '../harness/ledger.ts';
import { useOperator } from './operator.ts';

const dayMs = 86_400_000;
const today = Date.parse(new Date().toISOString().slice(0, 10));
const dayBefore = (days: number) => new Date(today - days * dayMs).toISOString().slice(0, 10);

const operator = useOperator();

test('use of past days is allocated to grants, once, and an expired grant counts with its use', async () => {
  const used = (days: number, charge: number) =>
    testRecord({ at: today - days * dayMs + 1, totalMs: 1, cost: charge, charge });
  // Of the first day, 2 were used before there was credit. The last one is after the expiry.
  await operator.ledger.write(used(9, 5), used(4, 3), used(3, 20));

  const tenants = createTenantStore(operator.at('access'));
  await tenants.create('acme', { limits: { credit: 110 } });
  const grant = { at: (today - 9 * dayMs) / 1000, by: 'ann' };
  const grants = [
    { ...grant, id: 'promotion', amount: 10, priority: 1, expires: (today - 3 * dayMs) / 1000 },
    { ...grant, id: 'paid', amount: 100, priority: 100 },
  ];
  await tenants.replaceGrants(
    'acme',
    { limits: { credit: 110 } },
    { grants, unallocated: { day: dayBefore(9), used: 2 } },
  );

  for (const count of [1, 0]) {
    const command = await operator.run('tenants settle-credit');
    expect(command).toMatchObject({ code: 0, output: [`Settled the credit of ${count} tenants.`] });
  }
  const after = await tenants.find('acme');
  expect(after?.grants).toMatchObject([
    { id: 'promotion', used: 6 },
    { id: 'paid', used: 20 },
  ]);
  expect(creditAt(110, after?.grants, today / 1000)).toBe(106);
});
