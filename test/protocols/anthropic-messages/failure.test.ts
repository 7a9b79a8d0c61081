/** Anthropic's error statuses. */
import { expect, test } from 'vitest';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';

const read = (status: number, error: object, headers: Record<string, string> = {}) =>
  anthropicMessages.readFailure({ status, headers, body: JSON.stringify({ type: 'error', error }) });

test.each([
  [401, 'invalid_request_error', 'x-api-key header is required', 'upstream_credentials'],
  [403, 'invalid_request_error', 'Request not allowed', 'upstream_credentials'],
  [400, 'invalid_request_error', 'messages: at least one message is required', 'upstream_bad_request'],
  [
    400,
    'invalid_request_error',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'upstream_context_length',
  ],
  [
    400,
    'invalid_request_error',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    'upstream_context_length',
  ],
  [
    400,
    'invalid_request_error',
    "Your messages, and the model's tools (all of them), exceed the context window.",
    'upstream_context_length',
  ],
  [400, 'invalid_request_error', 'tools: exceed the context window', 'upstream_bad_request'],
  [400, 'invalid_request_error', `${'a'.repeat(90)} context window`, 'upstream_bad_request'],
  [400, 'invalid_request_error', 'This would exceed your monthly spend limit.', 'upstream_quota'],
  [400, 'invalid_request_error', 'Your account is suspended.', 'upstream_credentials'],
  [400, 'invalid_request_error', 'It is against our usage policy.', 'upstream_content_policy'],
  [400, 'invalid_request_error', 'Output blocked by content filtering policy', 'upstream_content_policy'],
  [400, 'invalid_request_error', 'Your credit balance is too low to access the API.', 'upstream_quota'],
  [400, 'invalid_request_error', 'You have reached your specified API usage limits.', 'upstream_quota'],
  [400, 'invalid_request_error', 'This organization has been disabled.', 'upstream_credentials'],
  [401, 'authentication_error', 'invalid x-api-key', 'upstream_credentials'],
  [402, 'billing_error', 'Pay first', 'upstream_credentials'],
  [403, 'permission_error', 'No', 'upstream_credentials'],
  [404, 'not_found_error', 'model: claude-x', 'upstream_model_missing'],
  [413, 'request_too_large', 'Too large', 'upstream_bad_request'],
  [429, 'rate_limit_error', 'Slow down', 'upstream_rate_limited'],
  [500, 'api_error', 'Oops', 'upstream_failed'],
  [504, 'timeout_error', 'Slow', 'upstream_overloaded'],
  [529, 'overloaded_error', 'Overloaded', 'upstream_overloaded'],
])('%i %s (%s) is %s', (status, type, message, kind) => {
  expect(read(status, { type, message })).toMatchObject({ kind, upstreamStatus: status });
});

test('a rate limit has the time to wait', () => {
  expect(read(429, { type: 'rate_limit_error' }, { 'retry-after': '12' }).retryAfterMs).toBe(12_000);
});

test.each(['enforced_spend_limit_reached', 'contract_spend_limit_reached'])(
  '%s is no matter of waiting',
  (code) => {
    const error = { type: 'rate_limit_error', message: 'Spent', details: { error_code: code } };
    expect(read(429, error).kind).toBe('upstream_quota');
  },
);

test('a rejected parameter is named, and the message is shown', () => {
  const message = 'frequency_penalty: Extra inputs are not permitted';
  expect(read(400, { type: 'invalid_request_error', message })).toMatchObject({
    message,
    upstreamParam: 'frequency_penalty',
  });
});

test('what callers of this protocol get has the provider’s type and its code', () => {
  const shown = (error: object) => read(400, error).anthropic;
  const type = 'invalid_request_error';
  expect(shown({ type, details: { error_code: 'too_many_images' } })).toStrictEqual({
    type,
    errorCode: 'too_many_images',
  });
  expect(shown({ type, details: { error_code: 'no plain name' } })).toStrictEqual({
    type,
    errorCode: undefined,
  });
  expect(shown({ type })).toStrictEqual({ type, errorCode: undefined });
  expect(shown({ message: 'No.' })).toBeUndefined();
});

test.each(['', '<html>Bad gateway</html>', 'null'])('a body of %j is classified by its status', (body) => {
  expect(anthropicMessages.readFailure({ status: 502, headers: {}, body }).kind).toBe('upstream_failed');
});
