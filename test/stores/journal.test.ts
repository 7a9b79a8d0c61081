/** Adjustments and closed months, which are written once and never changed. */
import { expect, test } from 'vitest';
import { toCounts } from '../../lib/core/accounting/counters.ts';
import type { Adjustment, MonthClose } from '../../lib/core/accounting/journal.ts';
import { createJournal } from '../../lib/stores/usage/journal.ts';
import { useTestDatabase } from './database.ts';

const database = useTestDatabase('usage');
const journal = createJournal({ call: database.call, table: 'usage' });

const adjustment = (id: string, given: Partial<Adjustment> = {}): Adjustment => ({
  id,
  tenant: 'acme',
  month: '2026-11',
  at: 1,
  amount: -5,
  reason: 'a fault',
  by: 'ann',
  ...given,
});

test('adjustments of a month are found by the time at which they were made', async () => {
  const [first, last] = [adjustment('b', { at: 1, requestId: 'request-1' }), adjustment('a', { at: 2 })];
  for (const one of [last, first]) expect(await journal.adjust(one)).toBe(true);
  await journal.adjust(adjustment('c', { month: '2026-12' }));
  await journal.adjust(adjustment('d', { tenant: 'other' }));
  expect(await journal.adjustments('acme', '2026-11')).toStrictEqual([first, last]);
});

test('an adjustment is made once', async () => {
  expect(await journal.adjust(adjustment('one', { tenant: 'once' }))).toBe(true);
  expect(await journal.adjust(adjustment('one', { tenant: 'once', amount: 7 }))).toBe(false);
  expect(await journal.adjustments('once', '2026-11')).toMatchObject([{ amount: -5 }]);
});

const closed = (given: Partial<MonthClose> = {}): MonthClose => ({
  tenant: 'acme',
  month: '2026-11',
  at: 5,
  by: 'ann',
  models: [{ model: 'acme/one', counts: toCounts({ requests: 3, cost: 9 }) }],
  hash: 'ab',
  pricing: ['p1'],
  prices: ['c1', 'c2'],
  ...given,
});

test('a month is closed once, and is then as it was', async () => {
  expect(await journal.closed('acme', '2026-11')).toBeUndefined();
  expect(await journal.close(closed())).toBe(true);
  expect(await journal.close(closed({ at: 6 }))).toBe(false);
  expect(await journal.closed('acme', '2026-11')).toStrictEqual(closed());
  expect(await journal.closed('acme', '2026-12')).toBeUndefined();
});

test('counts of zero are not stored', async () => {
  await journal.close(closed({ tenant: 'small' }));
  const { Item } = await database.call('DynamoDB_20120810.GetItem', {
    TableName: 'usage',
    Key: { pk: { S: 'close#small' }, sk: { S: '2026-11' } },
  });
  expect(Item).toMatchObject({
    models: { L: [{ M: { counts: { M: { requests: { N: '3' }, cost: { N: '9' } } } } }] },
  });
  expect(JSON.stringify(Item)).not.toContain('"0"');
});
