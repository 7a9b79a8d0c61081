/** What a caller is told when every target has failed. */
import { expect, test } from 'vitest';
import { type ErrorDetails, type ErrorKind, GatewayError } from '../../lib/core/errors.ts';
import { verdict } from '../../lib/routing/verdict.ts';

type Failure = readonly [ErrorKind, ErrorDetails?];

const verdictOn = (...failures: readonly Failure[]) =>
  verdict(failures.map(([kind, details]) => new GatewayError(kind, `It failed: ${kind}.`, details)));

test.each<[string, readonly Failure[], object]>([
  ['one failure is told as it is', [['upstream_failed']], { status: 500, code: 'provider_error' }],
  [
    'limits everywhere are a 429 with the shortest wait',
    [
      ['upstream_rate_limited', { retryAfterMs: 9_000 }],
      ['upstream_rate_limited', { retryAfterMs: 4_000 }],
    ],
    { status: 429, code: 'provider_rate_limit', retryAfterMs: 4_000 },
  ],
  [
    'a quota beside a limit is a 429 too',
    [['upstream_quota'], ['upstream_rate_limited', { retryAfterMs: 4_000 }]],
    { status: 429, code: 'provider_quota', retryAfterMs: 4_000 },
  ],
  ['a quota alone names a long wait', [['upstream_quota']], { status: 429, retryAfterMs: 60_000 }],
  [
    'targets out of reach are a 503',
    [['upstream_unreachable'], ['upstream_timeout'], ['upstream_overloaded']],
    { status: 503, code: 'provider_unreachable' },
  ],
  [
    'a limit at one of them is no 429',
    [['upstream_rate_limited', { retryAfterMs: 4_000 }], ['upstream_overloaded']],
    { status: 500, type: 'api_error', code: 'all_targets_failed' },
  ],
  [
    'our own set-up says nothing beside a real failure',
    [['upstream_overloaded'], ['upstream_credentials'], ['upstream_model_missing']],
    { status: 503, code: 'provider_overloaded' },
  ],
  [
    'wherever the real failure stands',
    [['upstream_credentials'], ['upstream_rate_limited', { retryAfterMs: 2_000 }]],
    { status: 429, retryAfterMs: 2_000 },
  ],
  ['our own set-up alone is our fault', [['upstream_credentials']], { status: 500, type: 'api_error' }],
])('%s', (_name, failures, expected) => {
  expect(verdictOn(...failures)).toMatchObject(expected);
});
