/** What failures of all protocols share: waiting times, statuses, and what is shown of them. */
import { describe, expect, test } from 'vitest';
import {
  beginsWith,
  kindOfStatus,
  maxRetryAfterMs,
  readRetryAfter,
  upstreamError,
} from '../../lib/protocols/failure.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

describe('the wait that a provider asks for', () => {
  test.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['decimal seconds', { 'retry-after': '0.25' }, 250],
    ['a date', { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, 30_000],
    ['a date that has passed', { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
    ['milliseconds, which win', { 'retry-after': '7', 'retry-after-ms': '120' }, 120],
    ['broken milliseconds', { 'retry-after': '7', 'retry-after-ms': 'soon' }, 7000],
    ['nothing', {}, undefined],
    ['a negative number', { 'retry-after': '-5' }, undefined],
    ['something unknown', { 'retry-after': 'later' }, undefined],
  ])('%s', (_name, headers, expected) => {
    expect(readRetryAfter(headers, now)).toBe(expected);
  });
});

describe('a failure', () => {
  test('shows the provider’s message only if the caller can fix the error', () => {
    const details = { providerMessage: 'top_p: too high', upstreamStatus: 400 };
    expect(upstreamError('upstream_bad_request', details).message).toBe('top_p: too high');
    expect(upstreamError('upstream_credentials', details).message).not.toContain('top_p');
    expect(upstreamError('upstream_failed', details).message).not.toContain('top_p');
  });

  test('names the field only if the caller can fix the error', () => {
    expect(upstreamError('upstream_bad_request', { param: 'messages' }).upstreamParam).toBe('messages');
    expect(upstreamError('upstream_credentials', { param: 'messages' }).upstreamParam).toBeUndefined();
  });

  test.each([
    ['upstream_rate_limited', 7000],
    ['upstream_overloaded', 7000],
    // Headers about limits come with all kinds of failures, but waiting does not help with these.
    ['upstream_failed', undefined],
    ['upstream_bad_request', undefined],
    ['upstream_credentials', undefined],
    ['upstream_quota', 60_000],
  ] as const)('%s has a wait of %s if the provider asks for 7 s', (kind, wait) => {
    expect(upstreamError(kind, { retryAfterMs: 7000 }).retryAfterMs).toBe(wait);
  });

  test('has a wait of at most a day', () => {
    const error = upstreamError('upstream_rate_limited', { retryAfterMs: 999_999_999_000 });
    expect(error.retryAfterMs).toBe(maxRetryAfterMs);
  });

  test('has its own message if the provider sent none', () => {
    expect(upstreamError('upstream_bad_request', {}).message).not.toBe('');
  });

  test.each([
    [400, 'upstream_bad_request'],
    [401, 'upstream_credentials'],
    [402, 'upstream_credentials'],
    [403, 'upstream_credentials'],
    [404, 'upstream_model_missing'],
    [408, 'upstream_overloaded'],
    [409, 'upstream_failed'],
    [413, 'upstream_bad_request'],
    [422, 'upstream_bad_request'],
    [424, 'upstream_failed'],
    [425, 'upstream_overloaded'],
    [429, 'upstream_rate_limited'],
    [500, 'upstream_failed'],
    [502, 'upstream_failed'],
    [503, 'upstream_overloaded'],
    [504, 'upstream_overloaded'],
    [529, 'upstream_overloaded'],
    [530, 'upstream_failed'],
    [302, 'upstream_failed'],
  ] as const)('with status %i is %s if the body has no further information', (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind);
  });
});

describe('a message begins with a phrase', () => {
  test.each([
    ['as it is', 'Too many tokens.', true],
    ['behind white space, and in lines', '\n  Too\n\tmany tokens.', true],
    ['behind the words of the model’s own server', 'Bad request: too many tokens.', true],
    ['not in the middle', 'You sent too many tokens.', false],
    ['not as a validator names a field', 'too many tokens: Extra inputs are not permitted', false],
  ])('%s', (_name, message, expected) => {
    expect(beginsWith(message, /^too many tokens/i)).toBe(expected);
  });
});
