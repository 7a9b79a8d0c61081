/** What the dashboard's sums add to the writes of a request: figures of `cli/cost/table-calls.ts` and of docs/operate/dashboard-data.md. */
import { expect, test } from 'vitest';
import { readTraffic } from '../../cli/cost/options.ts';
import { tableCalls } from '../../cli/cost/table-calls.ts';
import type { LedgerChange } from '../../lib/core/accounting/journal.ts';
import { testRecord } from '../harness/ledger.ts';
import { useTestDatabase } from '../stores/database.ts';
import { openAggregate } from './aggregator.ts';

const database = useTestDatabase('usage');
const now = () => Date.UTC(2026, 10, 20, 12);

/** Write calls of the second batch of a process: the first notes since when there are sums. */
async function writesOf(keepsSums: boolean, requests: number, prefix: string): Promise<number> {
  const aggregate = openAggregate({ call: database.call, now }, { keepsSums });
  const changes = (batch: number) =>
    Array.from({ length: requests }, (_, index): LedgerChange => {
      const [tenant, model] = [index % 10, index % 3];
      const record = testRecord({
        tenant: `${prefix}-${tenant}`,
        key: `key_${tenant}`,
        model: `acme/${model}`,
        provider: prefix,
        user: `user-${index}`,
        at: now(),
      });
      return {
        sequence: `${batch}${String(index).padStart(5, '0')}`,
        at: now(),
        after: { state: 'done', record },
      };
    });
  await aggregate(prefix, changes(1));
  const before = database.actions.length;
  await aggregate(prefix, changes(2));
  return database.actions.slice(before).filter((action) => action === 'UpdateItem').length;
}

test('eight more for a request alone in its batch, and less than two for each of a hundred', async () => {
  expect((await writesOf(true, 1, 'one')) - (await writesOf(false, 1, 'two'))).toBe(8);
  // 30 of hours, 10 of keys, 100 of users, 20 of tenants, 6 of places, and how far the stream is counted.
  expect((await writesOf(true, 100, 'many')) - (await writesOf(false, 100, 'few'))).toBe(167);
});

test('the cost model has as many', () => {
  const sums = (options: Record<string, string>) =>
    tableCalls(readTraffic({ tenants: '10', keys: '10', models: '3', ...options }, new Set(['dashboard'])))
      .filter(({ what }) => what.startsWith('dashboard'))
      .reduce((sum, { times, units }) => sum + times * units, 0);
  expect(sums({ rps: '0.1' })).toBe(8);
  // A batch in two seconds has a hundred requests.
  expect(sums({ rps: '50' })).toBeCloseTo(1.67);
});
