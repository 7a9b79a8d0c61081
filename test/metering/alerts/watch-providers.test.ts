/** Providers whose calls fail: when that is an alert, and when it is over, from the sums that the aggregator keeps. */
import { beforeEach, expect, test } from 'vitest';
import { hourOf } from '../../../lib/core/accounting/sums.ts';
import type { ProviderAlert } from '../../../lib/core/ports/alerts.ts';
import { createWatchProviders } from '../../../lib/metering/alerts/watch-providers.ts';
import { createAggregateStore } from '../../../lib/stores/usage/aggregate.ts';
import { createWatchStore } from '../../../lib/stores/usage/alert-log.ts';
import { createDeploymentSums } from '../../../lib/stores/usage/deployment-sums.ts';
import { useTestDatabase } from '../../stores/database.ts';

const minute = 60_000;
const database = useTestDatabase('usage');
/** Each test is a day later than the one before, so that it finds nothing of that. */
let time = Date.UTC(2026, 10, 20, 12, 50);
let alerts: ProviderAlert[];

const options = { call: database.call, table: 'usage', now: () => time };

/** A process of its own. */
const open = () =>
  createWatchProviders({
    store: createWatchStore(options),
    sums: createDeploymentSums(options),
    send: async (alert) => void alerts.push(alert),
    now: () => time,
  });

let sequence = 0;
async function count(provider: string, attempts: number, failures: number, code = 'provider_error') {
  const key = { of: 'deployment', period: hourOf(time), provider, region: 'global', model: 'a/b' } as const;
  const counts = { attempts, [`failed#${code}`]: failures };
  const change = { sequence: `${++sequence}`, at: time, counts };
  await createAggregateStore(options).addToSum(key, [change], { shard: 'one', now: time });
}

/** What five minutes with these calls lead to. */
async function after(...calls: readonly Parameters<typeof count>[]) {
  alerts = [];
  for (const call of calls) await count(...call);
  time += 5 * minute;
  await open()();
  return alerts;
}

beforeEach(async () => {
  time += 86_400_000;
  alerts = [];
  await open()();
});

test('where half of at least five calls fail, and once until it is over, across the hour', async () => {
  const since = time;
  expect(await after(['openai', 4, 4])).toEqual([]);
  const began = time;
  const id = `alert_openai_${began}`;
  expect(await after(['openai', 10, 5], ['other', 10, 4])).toEqual([
    { id, at: time, provider: 'openai', since: began, attempts: 10, failures: 5 },
  ]);
  expect(began).toBe(since + 5 * minute);
  // The next hour begins.
  expect(await after(['openai', 3, 2])).toEqual([]);
  expect(await after()).toEqual([]);
  expect(await after(['openai', 3, 1])).toEqual([
    { id: `${id}_over`, at: time, provider: 'openai', since: began, until: time, attempts: 3, failures: 1 },
  ]);
  expect(await after(['openai', 4, 4])).toEqual([]);
});

test('requests that are wrong do not fail by the fault of their provider', async () => {
  expect(await after(['openai', 10, 10, 'invalid_request'])).toEqual([]);
});

test('a provider that is called no longer is failing for three hours', async () => {
  const [alert] = await after(['openai', 5, 5]);
  for (const _ of Array.from({ length: 36 })) expect(await after(['other', 1, 0])).toEqual([]);
  expect(await after(['other', 1, 0])).toMatchObject([{ since: alert?.since, until: time, attempts: 0 }]);
});

test('what was counted before a long pause is not compared', async () => {
  await after(['openai', 5, 0]);
  await count('openai', 9, 9);
  time += 240 * minute;
  expect(await after()).toEqual([]);
});

test('of all processes, one looks in five minutes', async () => {
  const watch = open();
  await count('openai', 5, 5);
  time += 5 * minute - 1;
  await watch();
  await open()();
  expect(alerts).toEqual([]);
  time += 1;
  await Promise.all([open()(), open()(), open()()]);
  expect(alerts).toHaveLength(1);
});
