/** The provider's name in the message of a failed call. */
import { expect, test } from 'vitest';
import type { ErrorKind } from '../../lib/core/errors/error-kinds.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { withProviderName } from '../../lib/core/names/provider-name.ts';
import { upstreamError } from '../../lib/protocols/failure.ts';

test.each<[ErrorKind, string, string]>([
  [
    'upstream_timeout',
    'The provider did not respond within 30 s.',
    "Provider 'acme' did not respond within 30 s.",
  ],
  [
    'upstream_credentials',
    "The gateway's credentials for the provider were rejected.",
    "The gateway's credentials for provider 'acme' were rejected.",
  ],
  ['upstream_bad_request', 'The provider rejected this request.', "Provider 'acme' rejected this request."],
  ['upstream_bad_request', 'Ask the provider for access.', 'Ask the provider for access.'],
  ['invalid_request', 'The provider is wrong.', 'The provider is wrong.'],
])('%s: %s', (kind, message, expected) => {
  expect(withProviderName(new GatewayError(kind, message), 'acme').message).toBe(expected);
});

test('everything else of the error stays', () => {
  const error = upstreamError('upstream_rate_limited', { upstreamStatus: 429, retryAfterMs: 2_000 });
  const named = withProviderName(error, 'acme');
  expect(named.message).toBe("Provider 'acme' is rate limiting requests. Try again later.");
  const { kind, status, code, param, retryAfterMs, upstreamStatus } = error;
  expect(named).toMatchObject({ kind, status, code, param, retryAfterMs, upstreamStatus });
});

test.each([
  'upstream_credentials',
  'upstream_quota',
  'upstream_model_missing',
  'upstream_rate_limited',
  'upstream_failed',
  'upstream_overloaded',
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_invalid_answer',
  'upstream_cut',
] as const)('the message of %s names the provider', (kind) => {
  expect(withProviderName(upstreamError(kind), 'acme').message).toContain("provider 'acme'".slice(1));
});
