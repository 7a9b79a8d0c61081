/** The headers that an error is answered with. */
import { describe, expect, test } from 'vitest';
import { type ErrorDetails, type ErrorKind, GatewayError } from '../../lib/core/errors.ts';
import { respondWithError } from '../../lib/http/respond.ts';

async function headersOf(kind: ErrorKind, details: ErrorDetails = {}) {
  const error = new GatewayError(kind, 'A message.', details);
  const options = { requestId: 'request-1', finished: async () => {} };
  return (await respondWithError(error, ['GET', 'DELETE'], options)).headers;
}

describe('Retry-After', () => {
  test.each<[ErrorKind, number | undefined, string | undefined]>([
    ['rate_limited', 7_000, '7'],
    ['rate_limited', 6_001, '7'],
    ['rate_limited', 0, '1'],
    ['rate_limited', undefined, '1'],
    ['upstream_quota', undefined, '60'],
    ['upstream_overloaded', 7_000, '7'],
    ['upstream_overloaded', 200, '1'],
    ['upstream_overloaded', undefined, undefined],
    ['upstream_failed', 7_000, undefined],
    ['invalid_request', 7_000, undefined],
  ])('of %s with a wait of %s ms is %s', async (kind, retryAfterMs, expected) => {
    expect((await headersOf(kind, { retryAfterMs }))['retry-after']).toBe(expected);
  });
});

test.each<[ErrorKind, string | undefined]>([
  ['invalid_api_key', 'Bearer'],
  ['permission_denied', undefined],
])('%s asks for authentication: %s', async (kind, expected) => {
  expect((await headersOf(kind))['www-authenticate']).toBe(expected);
});

test.each<[ErrorKind, string | undefined]>([
  ['method_not_allowed', 'GET, DELETE'],
  ['not_found', undefined],
])('%s lists the allowed methods: %s', async (kind, expected) => {
  expect((await headersOf(kind)).allow).toBe(expected);
});

test('an error is JSON, has the id of its request, and keeps headers that are passed on', async () => {
  const seen: unknown[] = [];
  const error = new GatewayError('not_found', 'A message.');
  const answer = await respondWithError(
    error,
    ['GET'],
    { requestId: 'request-1', finished: async (outcome) => void seen.push(outcome) },
    { 'x-ratelimit-limit-requests': '5' },
  );
  expect(answer).toEqual({
    statusCode: 404,
    headers: {
      'content-type': 'application/json',
      'x-request-id': 'request-1',
      'x-ratelimit-limit-requests': '5',
    },
    body: '{"error":{"message":"A message.","type":"not_found_error","param":null,"code":null}}',
  });
  expect(seen).toEqual([{ status: 404, error }]);
});
