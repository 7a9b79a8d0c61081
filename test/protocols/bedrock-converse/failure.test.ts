/** Bedrock's error statuses. */
import { expect, test } from 'vitest';
import { bedrockConverse } from '../../../lib/protocols/bedrock-converse/protocol.ts';

const read = (status: number, type: string, message: string) =>
  bedrockConverse.readFailure({
    status,
    headers: { 'x-amzn-errortype': `${type}:http://internal.example/` },
    body: JSON.stringify({ message }),
  });

test.each([
  [400, 'ValidationException', 'The value at temperature is too high.', 'upstream_bad_request'],
  [400, 'ValidationException', 'Input is too long for requested model.', 'upstream_context_length'],
  [400, 'ValidationException', 'Output blocked by content filtering policy', 'upstream_content_policy'],
  [400, 'ValidationException', '[content filter] is no field', 'upstream_bad_request'],
  [400, 'ValidationException', `${'a'.repeat(90)} content filter`, 'upstream_bad_request'],
  [400, 'ValidationException', '[context window] is no field', 'upstream_bad_request'],
  [400, 'ValidationException', "The model's context window is exceeded", 'upstream_context_length'],
  [400, 'ValidationException', 'Input length and `max_tokens` exceed it', 'upstream_context_length'],
  [
    400,
    'ValidationException',
    'Invocation of model ID a.b with on-demand throughput',
    'upstream_model_missing',
  ],
  [
    400,
    'ValidationException',
    'This model version has reached the end of its life',
    'upstream_model_missing',
  ],
  [429, 'ThrottlingException', 'Your daily tokens are used up', 'upstream_quota'],
  [400, 'ValidationException', 'A daily report', 'upstream_bad_request'],
  [400, 'ValidationException', 'The provided model identifier is invalid.', 'upstream_model_missing'],
  [400, 'ServiceQuotaExceededException', 'Quota', 'upstream_quota'],
  [403, 'AccessDeniedException', 'No access', 'upstream_credentials'],
  [403, 'ExpiredTokenException', 'Expired', 'upstream_credentials'],
  [404, 'ResourceNotFoundException', 'No such model', 'upstream_model_missing'],
  [408, 'ModelTimeoutException', 'Slow', 'upstream_overloaded'],
  [424, 'ModelErrorException', 'Oops', 'upstream_failed'],
  [429, 'ThrottlingException', 'Too many requests', 'upstream_rate_limited'],
  [429, 'ThrottlingException', 'Too many tokens per day, please wait before trying again.', 'upstream_quota'],
  [429, 'ModelNotReadyException', 'Not ready', 'upstream_overloaded'],
  [500, 'InternalServerException', 'Oops', 'upstream_failed'],
  [503, 'ServiceUnavailableException', 'Busy', 'upstream_overloaded'],
])('%i %s (%s) is %s', (status, type, message, kind) => {
  expect(read(status, type, message)).toMatchObject({ kind, upstreamStatus: status });
});

test('the type may be in the body', () => {
  const body = JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'No' });
  expect(bedrockConverse.readFailure({ status: 400, headers: {}, body }).kind).toBe('upstream_credentials');
});

test('a bad request has the provider’s message, without our names', () => {
  const error = read(
    400,
    'ValidationException',
    'Bad field in arn:aws:bedrock:us-east-1:123456789012:model/x for you',
  );
  expect(error.message).toBe('Bad field in [removed] for you');
});

test.each([
  ['Malformed input request: #: extraneous key [seed] is not permitted, please reformat your input.', 'seed'],
  ["Value '1.7' at 'inferenceConfig.temperature' failed to satisfy constraint", 'temperature'],
  ["1 validation error detected: Value '2.0' at 'inferenceConfig.topP' failed", 'top_p'],
  ['The request is malformed.', undefined],
])('a bad request (%s) names the field %s', (message, param) => {
  expect(read(400, 'ValidationException', message).upstreamParam).toBe(param);
});

test('an unknown error is classified by its status', () => {
  expect(bedrockConverse.readFailure({ status: 502, headers: {}, body: '<html>' }).kind).toBe(
    'upstream_failed',
  );
});
