/** How a deployment did, from the sums of its calls: which failures are its own, and from which share it is degraded or failing. */
import { expect, test } from 'vitest';
import { healthOf, readRecent, withoutCounts } from '../../lib/admin/health.ts';
import type { DeploymentSum } from '../../lib/core/ports/deployment-sums.ts';

const sum = (changes: Partial<DeploymentSum> = {}): DeploymentSum => ({
  provider: 'acme',
  region: 'global',
  model: 'acme/one',
  attempts: 100,
  failures: {},
  ...changes,
});

const health = (...sums: readonly DeploymentSum[]) => healthOf({ since: 7_200, sums }, () => true);

test.each([
  ['healthy', 100, {}],
  ['healthy', 100, { provider_error: 4 }],
  ['degraded', 100, { provider_error: 5 }],
  ['degraded', 100, { provider_error: 30, provider_timeout: 19 }],
  ['failing', 100, { provider_error: 30, provider_timeout: 20 }],
  ['failing', 2, { provider_rate_limit: 1 }],
  ['failing', 1, { provider_quota: 1 }],
  ['failing', 1, { provider_credentials: 1 }],
  ['unknown', 0, {}],
  // The same request fails everywhere.
  ['healthy', 1, { invalid_request: 1 }],
  ['healthy', 1, { context_length_exceeded: 1 }],
  ['healthy', 1, { tool_use_failed: 1 }],
  ['healthy', 1, { internal_error: 1 }],
])('%s: %i calls with the failures %j', (state, attempts, failures) => {
  expect(health(sum({ attempts, failures })).state).toBe(state);
});

test('calls and failures of several models are added up, the most frequent code first', () => {
  expect(
    health(
      sum({ failures: { provider_error: 2, invalid_request: 1, provider_cut: 0 }, lastFailureAt: 900 }),
      sum({ failures: { provider_timeout: 5, provider_error: 1 }, lastFailureAt: 800 }),
      sum({ attempts: 50 }),
    ),
  ).toEqual({
    state: 'healthy',
    since: 7_200,
    attempts: 250,
    failures: 9,
    failures_by_code: [
      { code: 'provider_timeout', count: 5 },
      { code: 'provider_error', count: 3 },
      { code: 'invalid_request', count: 1 },
    ],
    last_failure_at: 900,
  });
});

test('ten codes are listed, and all are counted', () => {
  const failures = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`code_${index}`, 1]));
  const { failures: count, failures_by_code: listed } = health(sum({ failures }));
  expect([count, listed.length]).toEqual([12, 10]);
});

test('it is that of the chosen deployment', () => {
  const sums = [sum({ attempts: 1 }), sum({ provider: 'other', attempts: 2 })];
  expect(healthOf({ since: 0, sums }, ({ provider }) => provider === 'other').attempts).toBe(2);
  expect(health()).toMatchObject({ state: 'unknown', attempts: 0, failures: 0, last_failure_at: null });
});

test('for tenants it has no counts', () => {
  expect(withoutCounts(health(sum({ failures: { provider_error: 5 }, lastFailureAt: 1 })))).toEqual({
    state: 'degraded',
    since: 7_200,
    attempts: null,
    failures: null,
    failures_by_code: [],
    last_failure_at: null,
  });
});

test('the hour that runs is read with the two before it', async () => {
  const now = Date.parse('2026-03-10T12:34:56Z');
  const since = Date.parse('2026-03-10T10:00:00Z') / 1000;
  const warned: unknown[] = [];
  const read = (sums?: Parameters<typeof readRecent>[0]) =>
    readRecent(sums, now, (cause) => warned.push(cause));
  const asked: number[] = [];
  const sums = async (seconds: number) => {
    asked.push(seconds);
    return [sum()];
  };
  expect(await read({ since: sums })).toEqual({ since, sums: [sum()] });
  expect(asked).toEqual([since]);
  expect(await read(undefined)).toBeUndefined();
  expect(warned).toEqual([]);
  expect(await read({ since: () => Promise.reject('down') })).toBeUndefined();
  expect(warned).toEqual(['down']);
  expect(healthOf(undefined, () => true)).toMatchObject({ state: 'unknown', since: null, attempts: null });
});
