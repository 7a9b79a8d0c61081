/** The audit log: written once, read newest first over months, filtered, and never read without a bound. */
import { beforeEach, expect, test } from 'vitest';
import type { AuditRecord } from '../../lib/core/accounting/audit.ts';
import { createAuditLog, maxSearchedRecords } from '../../lib/stores/usage/audit.ts';
import { emptyTable, useTestDatabase } from './database.ts';

const now = Date.UTC(2027, 0, 2, 12);
const dayMs = 86_400_000;
const database = useTestDatabase('usage');

const open = () => createAuditLog({ call: database.call, table: 'usage', now: () => now });

const record = (number: number, given: Partial<AuditRecord> = {}): AuditRecord => ({
  id: `id-${number}`,
  at: now - number * dayMs,
  by: { id: 'ann', name: 'Ann', role: 'operator', via: 'address' },
  action: 'keys.create',
  tenant: 'acme',
  target: `key_${number}`,
  after: { name: `key ${number}` },
  ...given,
});

beforeEach(async () => {
  await emptyTable(database.call, 'usage', true);
});

const targets = (records: readonly AuditRecord[]) => records.map(({ target }) => target);

test('records come newest first, page after page, over the ends of months', async () => {
  const log = open();
  // From 2 January back to 24 November.
  for (let number = 0; number < 40; number += 3) await log.write(record(number));
  const found: string[] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    const page = await log.list({ limit: 4, after });
    found.push(...targets(page.records));
    after = page.next;
    pages += 1;
  } while (after !== undefined);
  expect(found).toEqual(Array.from({ length: 14 }, (_, index) => `key_${index * 3}`));
  expect(pages).toBe(4);
});

test('the last page says that there is no more, also when it is full', async () => {
  const log = open();
  for (const number of [0, 1, 40]) await log.write(record(number));
  const page = await log.list({ limit: 3 });
  expect(page).toEqual({ records: [record(0), record(1), record(40)] });
  expect(await log.list({ limit: 2 })).toMatchObject({ next: expect.any(String), searchedTo: now - dayMs });
});

test('filters are exact, and may be combined', async () => {
  const log = open();
  const bob = { id: 'bob', name: 'Bob', role: 'member', via: 'oidc' };
  await log.write(record(0));
  await log.write(record(1, { tenant: 'umbrella' }));
  await log.write(record(2, { by: bob }));
  await log.write(record(3, { by: bob, action: 'keys.disable' }));
  const { tenant: _, ...ofNone } = record(4);
  await log.write(ofNone);
  const list = async (filter: object) => targets((await log.list({ limit: 10, ...filter })).records);
  expect(await list({ tenant: 'acme' })).toEqual(['key_0', 'key_2', 'key_3']);
  expect(await list({ person: 'bob' })).toEqual(['key_2', 'key_3']);
  expect(await list({ person: 'bob', action: 'keys.disable' })).toEqual(['key_3']);
  expect(await list({ tenant: 'acm' })).toEqual([]);
  expect(await list({ before: now - dayMs })).toEqual(['key_2', 'key_3', 'key_4']);
});

test('a record that is written twice is there once, as it was first', async () => {
  const log = open();
  await log.write(record(0));
  await log.write(record(0, { action: 'keys.disable' }));
  expect(await log.list({ limit: 10 })).toEqual({ records: [record(0)] });
});

test('a search that finds little stops, and goes on where it stopped', async () => {
  const log = open();
  const many = maxSearchedRecords + 5;
  const write = async (number: number) =>
    await log.write(record(0, { id: `id-${number}`, at: now - number }));
  for (let start = 0; start < many; start += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, many - start) }, (_, index) => write(start + index)),
    );
  }
  await log.write(record(1, { tenant: 'umbrella' }));
  const first = await log.list({ limit: 10, tenant: 'umbrella' });
  expect(first).toEqual({ records: [], next: expect.any(String), searchedTo: now - maxSearchedRecords + 1 });
  const second = await log.list({ limit: 10, tenant: 'umbrella', after: first.next });
  expect(second).toEqual({ records: [record(1, { tenant: 'umbrella' })] });
});

test.each(['x', 'x2026-12-01T00:00:00.000Z#a', '2026-13-01T00:00:00.000Z#a', '2026-12-01T00:00:00.000Z#a b'])(
  'a wrong position is refused: %s',
  async (after) => {
    await expect(open().list({ limit: 1, after })).rejects.toMatchObject({
      kind: 'invalid_request',
      param: 'after',
    });
  },
);
