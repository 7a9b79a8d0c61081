/** The error that a caller gets when every target has failed. */
import { expect, test } from 'vitest';
import type { ErrorKind } from '../../lib/core/errors/error-kinds.ts';
import { type ErrorDetails, GatewayError } from '../../lib/core/errors/errors.ts';
import { combineFailures } from '../../lib/routing/combine-failures.ts';
import { testTarget } from '../harness/matrix/model.ts';

type Failure = readonly [ErrorKind, ErrorDetails?];

const combined = (...failures: readonly Failure[]) =>
  combineFailures(
    failures.map(([kind, details], index) => ({
      target: testTarget({ id: `acme/${index + 1}` }),
      error: new GatewayError(kind, `It failed: ${kind}.`, details),
    })),
  );

test.each<[string, readonly Failure[], object]>([
  [
    'one failure is reported unchanged',
    [['upstream_failed']],
    { status: 500, code: 'provider_error', message: 'It failed: upstream_failed.' },
  ],
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
    'unreachable targets are a 503',
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
    'a provider without credentials says nothing beside one that lacks the model',
    [['upstream_model_missing'], ['upstream_credentials']],
    { status: 503, code: 'provider_model' },
  ],
  [
    'wherever the real failure stands',
    [['upstream_credentials'], ['upstream_rate_limited', { retryAfterMs: 2_000 }]],
    { status: 429, retryAfterMs: 2_000 },
  ],
  [
    'a fallback that refuses the request says nothing about the primary',
    [['upstream_rate_limited', { retryAfterMs: 3_000 }], ['invalid_request'], ['upstream_context_length']],
    { status: 429, code: 'provider_rate_limit', retryAfterMs: 3_000 },
  ],
  [
    "an invalid call of the primary's model is told with its reason",
    [['upstream_invalid_call'], ['upstream_overloaded']],
    {
      status: 400,
      code: 'tool_use_failed',
      message:
        'It failed: upstream_invalid_call. All 2 targets failed: acme/1 (invalid tool call), acme/2 (overloaded).',
    },
  ],
  ['our own set-up alone is our fault', [['upstream_credentials']], { status: 500, type: 'api_error' }],
])('%s', (_name, failures, expected) => {
  expect(combined(...failures)).toMatchObject(expected);
});

test('the message names every target and its failure', () => {
  const { message } = combined(['upstream_timeout'], ['upstream_credentials'], ['upstream_overloaded']);
  expect(message).toBe(
    'All 3 targets failed: acme/1 (timeout), acme/2 (no valid credentials), acme/3 (overloaded).',
  );
});

test('deployments at one provider are distinguished by their region', () => {
  const failures = ['us-east-1', 'eu-west-1'].map((region) => {
    const deployments = [{ provider: 'bedrock', region, upstreamId: 'one' }];
    return { target: testTarget({ deployments }), error: new GatewayError('upstream_timeout', 'Late.') };
  });
  expect(combineFailures(failures).message).toBe(
    'All 2 targets failed: acme/one on bedrock us-east-1 (timeout), acme/one on bedrock eu-west-1 (timeout).',
  );
});

test('deployments of one model are distinguished by their provider', () => {
  const [east, west] = ['east', 'west'].map((provider) => {
    const deployments = [{ provider, region: 'global', upstreamId: 'one' }];
    return { target: testTarget({ deployments }), error: new GatewayError('upstream_timeout', 'Late.') };
  });
  if (!east || !west) throw new Error('There are two.');
  expect(combineFailures([east, west]).message).toBe(
    'All 2 targets failed: acme/one on east (timeout), acme/one on west (timeout).',
  );
});
