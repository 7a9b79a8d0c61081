/** What failures of all protocols share: waiting times, and messages that are safe to show. */
import { describe, expect, test } from 'vitest';
import {
  kindOfStatus,
  readRetryAfter,
  scrubProviderMessage,
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

test('a field that a provider names is kept only up to the length of a path', () => {
  const named = (param: string) => upstreamError('upstream_bad_request', { param }).upstreamParam;
  expect(named('messages.3.content')).toBe('messages.3.content');
  expect(named('a.'.repeat(200))).toBeUndefined();
});

describe("a provider's message that a caller may see", () => {
  test.each([
    ['a key', 'Incorrect API key provided: sk-ant-api03-abcDEF123*****xyz.', /abcDEF|xyz/],
    ['a bearer token', 'Header was Bearer abcdef.ghijkl-mnop', /ghijkl/],
    ['an AWS key', 'The key AKIAIOSFODNN7EXAMPLE is unknown', /AKIA/],
    ['an account id', 'User 123456789012 may not do this', /123456789012/],
    ['an ARN', 'User: arn:aws:sts::123456789012:assumed-role/gateway/x is not allowed', /arn:|assumed|1234/],
    ['an address', 'See https://internal.example.com/path?key=1 for more', /https|internal|path/],
    ['a host', 'Cannot reach db.prod.internal:5432 or 10.0.0.12:80', /prod|5432|10\.0/],
    ['an IPv6 address', 'Connect to [2001:db8:0:1::a]:443 or fe80::1 failed', /2001|db8|fe80/],
    ['an organisation id', 'Limit reached in organization org-AbC123xyz on tokens', /AbC123/],
    ['an organisation in quotes', "The organization 'Acme Rockets' has no access", /Acme|Rockets/],
    ['an organisation by its name', 'The organization Acme Rockets cannot do this', /Acme|Rockets/],
    [
      'an organisation id of another form',
      'Workspace 0190fbd2-7b6e-7c3a-9c61-3d6a1f0b2c4d is full',
      /0190fbd2/,
    ],
    ['a project', 'Project projects/my-shop-4711 is off', /my-shop/],
    ['an e-mail address', 'Ask ops.team@example.com', /ops|@/],
    ['a long random text', 'Got wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY12 here', /wJalr|EXAMPLEKEY/],
  ])('contains no %s', (_name, message, secret) => {
    expect(message).toMatch(secret);
    const shown = scrubProviderMessage(message);
    expect(shown).not.toMatch(secret);
    expect(shown).toContain('[removed]');
  });

  test.each([
    'prompt is too long: 210000 tokens > 200000 maximum',
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
    'messages.1.content.0.thinking.signature: Field required',
    'frequency_penalty: Extra inputs are not permitted',
    '`temperature` is deprecated for this model.',
    'tools.0.custom.input_schema.type: Field required',
    'Your organization must be verified to use the model.',
    'Limits open again at 10:30:05 UTC; call std::move or a::b to go on.',
    'The model claude-opus-4-5-20251101 does not take image_url parts.',
  ])('is unchanged if it contains no secret: %s', (message) => {
    expect(scrubProviderMessage(message)).toBe(message);
  });

  test('is at most 500 characters long', () => {
    expect(scrubProviderMessage('word '.repeat(2000))).toHaveLength(500);
  });

  test('is scrubbed quickly, whatever the text', () => {
    const started = process.cpuUsage();
    for (const piece of ['a', 'a.', 'a-', 'Organization A ', '=', '@a', '1.']) {
      scrubProviderMessage(piece.repeat(1_000_000 / piece.length));
    }
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
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
