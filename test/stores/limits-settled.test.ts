/** What the item of a limited scope keeps: it stays small, and those of users expire. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Hold, LimitScope } from '../../lib/core/accounting/limits.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { poolName } from '../../lib/stores/limits/pool/pool.ts';
import { useTestDatabase } from './database.ts';

const dayMs = 86_400_000;
const database = useTestDatabase('usage');
let time = Date.UTC(2026, 10, 20, 12);

const openStore = () => createLimitStore({ call: database.call, table: 'usage', now: () => time });
const items = () => openTable({ call: database.call, table: 'usage' });
const newScope = (): LimitScope => ({ kind: 'tenant', id: randomUUID() });
const itemOf = (scope: LimitScope) => items().get([poolName(scope), 'now'], { consistent: true });

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

test('the counts of a user expire when no period needs them, unless there is a total budget', async () => {
  const scope: LimitScope = { kind: 'user', id: `acme/${randomUUID()}` };
  const none = { tokens: 0, amount: 0 };
  const admit = async (limits: Limits) => {
    const wanted = {
      id: randomUUID(),
      at: time,
      fixed: none,
      perOutputToken: none,
      output: { max: 0, min: 0 },
    };
    await openStore().reserve(scope, limits, wanted);
    return await itemOf(scope);
  };
  const inDays = (days: number) => Math.floor((time + days * dayMs) / 1000);
  expect(await admit({ dailyBudget: 1_000 })).toMatchObject({ expires_at: inDays(40) });
  time += dayMs;
  expect(await admit({ dailyBudget: 1_000 })).toMatchObject({ expires_at: inDays(40) });
  expect(await admit({ totalBudget: 1_000 })).not.toHaveProperty('expires_at');
  expect(await admit({ monthlyBudget: 1_000 })).toMatchObject({ expires_at: inDays(40), requests: 3 });
});
