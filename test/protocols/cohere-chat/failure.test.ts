/** Cohere's errors. */
import { expect, test } from 'vitest';
import { readFailure } from '../../../lib/protocols/cohere-chat/failure.ts';

const read = (status: number, message: string, headers: Record<string, string> = {}) =>
  readFailure({ status, headers, body: JSON.stringify({ id: 'one', message }) });

test.each([
  [400, 'invalid request: prompt must be at least 1 token long.', 'upstream_bad_request'],
  [
    400,
    'too many tokens: total number of tokens in the prompt cannot exceed 4081',
    'upstream_context_length',
  ],
  [401, 'invalid api token', 'upstream_credentials'],
  [402, 'Please add a payment method.', 'upstream_quota'],
  [404, "model 'nothing' not found", 'upstream_model_missing'],
  [429, 'You are past the per minute request limit', 'upstream_rate_limited'],
  [429, 'You are using a Trial key, which is limited to 1000 API calls / month.', 'upstream_quota'],
  [498, 'blocked input', 'upstream_content_policy'],
  [499, 'request cancelled', 'upstream_failed'],
  [500, 'internal server error', 'upstream_failed'],
  [503, 'no capacity', 'upstream_overloaded'],
])('%s "%s" is %s', (status, message, kind) => {
  expect(read(status, message)).toMatchObject({ kind, upstreamStatus: status });
});

test('the field has its public name', () => {
  const unknown = read(422, "unknown field: parameter 'logit_bias' is not a valid field");
  expect(unknown).toMatchObject({ status: 400, upstreamParam: 'logit_bias' });
  expect(read(400, "invalid request: parameter 'p' must be between 0.01 and 0.99").upstreamParam).toBe(
    'top_p',
  );
  expect(read(400, 'invalid request: something else').upstreamParam).toBeUndefined();
});

test('the requested wait is used for temporary failures', () => {
  expect(read(429, 'slow down', { 'retry-after': '3' }).retryAfterMs).toBe(3000);
  expect(read(400, 'invalid request', { 'retry-after': '3' }).retryAfterMs).toBeUndefined();
});

test('a body that is not JSON is classified by its status', () => {
  expect(readFailure({ status: 502, headers: {}, body: '<html>' }).kind).toBe('upstream_failed');
});
