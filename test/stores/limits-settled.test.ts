/** What the ledger's stream settles: the item of a scope stays small, and one that is damaged keeps no other from being settled. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hold, LimitScope } from '../../lib/core/accounting/limits.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { bankName } from '../../lib/stores/limits/bank.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { startTestDatabase, type TestDatabase } from './database.ts';

const dayMs = 86_400_000;
let database: TestDatabase;
let time = Date.UTC(2026, 10, 20, 12);

beforeAll(async () => {
  database = await startTestDatabase(['usage']);
});
afterAll(() => database.close());

const openStore = () => createLimitStore({ call: database.call, table: 'usage', now: () => time });
const items = () => openTable({ call: database.call, table: 'usage' });
const newScope = (): LimitScope => ({ kind: 'tenant', id: randomUUID() });
const itemOf = (scope: LimitScope) => items().get([bankName(scope), 'now'], { consistent: true });

const holdIn = (scope: LimitScope): Hold => ({
  ...scope,
  minute: Math.floor(time / 60_000),
  day: Math.floor(time / dayMs),
  tokens: 0,
  amount: 0,
  running: 0,
});

const settlement = (scope: LimitScope, sequence = '100') => ({
  hold: holdIn(scope),
  tokens: 10,
  amount: 1_000,
  isEnd: true,
  sequence,
});

test('a scope forgets the shards of the stream that ended', async () => {
  const scope = newScope();
  const store = openStore();
  for (let count = 0; count < 60; count += 1) {
    // A shard of a stream ends after four hours.
    time += dayMs / 6;
    await store.settle(`shard-${count}`, [settlement(scope)]);
  }
  const stored = (await itemOf(scope)) ?? {};
  expect(Object.keys(stored).filter((name) => name.startsWith('seen#')).length).toBeLessThan(12);
  expect(stored).toMatchObject({ totalCommitted: 60_000 });
});
