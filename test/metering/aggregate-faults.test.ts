/** What keeps the aggregator from counting: one damaged item of the sums or limits is reported, and an alert that hangs is left. */
import { expect, test } from 'vitest';
import { dayOf } from '../../lib/core/accounting/counters.ts';
import type { LedgerChange } from '../../lib/core/accounting/journal.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { LimitScope } from '../../lib/core/accounting/limits.ts';
import { createAggregate } from '../../lib/metering/aggregate/aggregate.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { poolName } from '../../lib/stores/limits/pool/pool.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { counterKey } from '../../lib/stores/usage/keys.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord } from '../harness/ledger.ts';
import { useTestDatabase } from '../stores/database.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const now = () => noon;
const database = useTestDatabase('usage');

const scopeOf = (tenant: string): LimitScope => ({ kind: 'tenant', id: tenant });

function recordOf(tenant: string): LedgerRecord {
  const period = { minute: Math.floor(noon / 60_000), day: Math.floor(noon / 86_400_000) };
  const hold = { ...scopeOf(tenant), ...period, tokens: 0, amount: 0, running: 0 as const };
  return { ...testRecord({ tenant, at: noon, cost: 700, model: 'acme/one', key: 'key_1' }), holds: [hold] };
}

test('the others are counted, each once', async () => {
  const options = { call: database.call, table: 'usage', now };
  const items = openTable(options);
  await items.put([poolName(scopeOf('bad-limits')), 'now'], { minute: 'never' });
  const key = { tenant: 'bad-sums', day: dayOf(noon), key: 'key_1', model: 'acme/one' };
  await items.put(counterKey(key), { requests: 'many' });
  const limits = createLimitStore(options);
  const logged: unknown[] = [];
  const aggregate = createAggregate({
    store: createAggregateStore(options),
    limits,
    now,
    log: {
      info: () => {},
      warn: () => {},
      error: (message, { reason }) => logged.push([message, reason]),
    },
  });
  const tenants = ['bad-limits', 'bad-sums', 'good'];
  const changes = tenants.map(
    (tenant, index): LedgerChange => ({
      sequence: `${100 + index}`,
      at: noon,
      after: { state: 'done', record: recordOf(tenant) },
    }),
  );
  await aggregate('shard', changes);
  await aggregate('shard', changes);

  for (const tenant of ['bad-sums', 'good']) {
    expect(await limits.read(scopeOf(tenant))).toMatchObject({ committed: 700 });
  }
  for (const tenant of ['bad-limits', 'good']) {
    const [sum] = await createUsageStore(options).counters(tenant, { from: dayOf(noon), to: dayOf(noon) });
    expect(sum?.counts).toMatchObject({ requests: 1, charge: 700 });
  }
  expect(logged.slice(0, 2)).toEqual([
    ['ledger items unreadable', 'ValidationException'],
    ['ledger items unreadable', 'DamagedItem'],
  ]);
});

test('an alert that hangs keeps no batch waiting', async () => {
  const options = { call: database.call, table: 'usage', now };
  const limits = createLimitStore(options);
  const aggregate = createAggregate({
    store: createAggregateStore(options),
    limits,
    raiseAlerts: () => new Promise(() => {}),
    now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  await aggregate('shard', [{ sequence: '1', at: noon, after: { state: 'done', record: recordOf('slow') } }]);
  expect(await limits.read(scopeOf('slow'))).toMatchObject({ committed: 700 });
}, 10_000);
