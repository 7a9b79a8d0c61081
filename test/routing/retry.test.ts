/** Whether a failed target is called again, and after which wait. */
import { expect, test } from 'vitest';
import type { ErrorKind } from '../../lib/core/errors/error-kinds.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { retryWaitMs } from '../../lib/routing/retry.ts';

const waitOf = (
  { kind = 'upstream_failed', ...details }: { kind?: ErrorKind; retryAfterMs?: number; mayRetry?: boolean },
  state: { tries?: number; remainingMs?: number; jitter?: number } = {},
) =>
  retryWaitMs(new GatewayError(kind, 'It failed.', details), {
    tries: 1,
    remainingMs: 60_000,
    jitter: 0,
    ...state,
  });

test.each([
  ['half a second where the provider names no wait', undefined, 500],
  ['half a second where the provider names less', 499, 500],
  ['what the provider names', 501, 501],
  ['ten seconds at most', 10_000, 10_000],
  ['never, where the provider names more', 10_001, undefined],
])('the wait is %s', (_, retryAfterMs, expected) => {
  const error = retryAfterMs === undefined ? {} : { retryAfterMs };
  expect(waitOf({ kind: 'upstream_rate_limited', ...error })).toBe(expected);
});

test.each([
  [0, 1_000],
  [0.5, 1_125],
  [1, 1_250],
])('jitter of %d makes a second %d ms', (jitter, expected) => {
  expect(waitOf({ retryAfterMs: 1_000 }, { jitter })).toBe(expected);
});

test('jitter differs from call to call, within a quarter', () => {
  const error = new GatewayError('upstream_failed', 'It failed.', { retryAfterMs: 1_000 });
  const waits = Array.from({ length: 100 }, () => retryWaitMs(error, { tries: 1, remainingMs: 60_000 }) ?? 0);
  expect(new Set(waits).size).toBeGreaterThan(90);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...waits)).toBeLessThan(1_250);
});

test.each([
  [500, undefined],
  [501, 500],
])('with %d ms left the wait is %s', (remainingMs, expected) => {
  expect(waitOf({}, { remainingMs })).toBe(expected);
});

test('a target is called twice at most', () => {
  expect(waitOf({}, { tries: 2 })).toBeUndefined();
  expect(waitOf({}, { tries: 3 })).toBeUndefined();
});

test.each<[ErrorKind, boolean | undefined, boolean]>([
  ['upstream_overloaded', undefined, true],
  ['upstream_timeout', undefined, false],
  ['upstream_timeout', true, true],
  ['upstream_overloaded', false, false],
  ['invalid_request', true, false],
])('%s, where the provider says %s, is repeated: %s', (kind, mayRetry, expected) => {
  const wait = waitOf({ kind, ...(mayRetry !== undefined && { mayRetry }) });
  expect(wait !== undefined).toBe(expected);
});
