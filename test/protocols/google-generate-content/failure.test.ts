/** Google's errors. */
import { describe, expect, test } from 'vitest';
import { googleGenerateContent } from '../../../lib/protocols/google-generate-content/protocol.ts';
import { errorOf } from '../answer.ts';

const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  googleGenerateContent.readFailure({
    status,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const error = (status: string, message = 'Something', details: object[] = []) => ({
  error: { code: 0, message, status, details },
});
const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
});
const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' };
const violation = (field: string) => ({ fieldViolations: [{ field, description: 'no' }] });

describe('Gemini failures', () => {
  test.each([
    [
      400,
      error('INVALID_ARGUMENT', 'API key not valid.', [{ reason: 'API_KEY_INVALID' }]),
      'upstream_credentials',
    ],
    [400, error('INVALID_ARGUMENT', 'Something', [{ reason: 'NO_API_KEY_X' }]), 'upstream_bad_request'],
    [
      400,
      error('INVALID_ARGUMENT', 'The prompt was blocked by our safety filters.'),
      'upstream_content_policy',
    ],
    [400, { error: 'API key expired. Renew it.' }, 'upstream_credentials'],
    [
      429,
      error('RESOURCE_EXHAUSTED', 'The prompt was blocked by our safety filters.'),
      'upstream_rate_limited',
    ],
    [500, error('INTERNAL', 'x', [quota('GenerateRequestsPerDayPerProject')]), 'upstream_failed'],
    [519, error('X'), 'upstream_failed'],
    [520, error('X'), 'upstream_overloaded'],
    [529, error('X'), 'upstream_overloaded'],
    [530, error('X'), 'upstream_failed'],
    [400, error('FAILED_PRECONDITION', 'User location is not supported.'), 'upstream_credentials'],
    [
      400,
      error(
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).',
      ),
      'upstream_context_length',
    ],
    [400, error('INVALID_ARGUMENT'), 'upstream_bad_request'],
    [401, error('UNAUTHENTICATED'), 'upstream_credentials'],
    [403, error('PERMISSION_DENIED'), 'upstream_credentials'],
    [404, error('NOT_FOUND'), 'upstream_model_missing'],
    [
      429,
      error('RESOURCE_EXHAUSTED', 'x', [quota('GenerateRequestsPerMinutePerProject')]),
      'upstream_rate_limited',
    ],
    [429, error('RESOURCE_EXHAUSTED', 'x', [quota('GenerateRequestsPerDayPerProject')]), 'upstream_quota'],
    [429, '', 'upstream_rate_limited'],
    [499, error('CANCELLED'), 'upstream_failed'],
    [500, error('INTERNAL'), 'upstream_failed'],
    [503, error('UNAVAILABLE'), 'upstream_overloaded'],
    [504, error('DEADLINE_EXCEEDED'), 'upstream_overloaded'],
    [503, [error('UNAVAILABLE')], 'upstream_overloaded'],
    [502, '<html>', 'upstream_failed'],
  ])('%i %j is %s', (status, body, kind) => {
    expect(read(status, body)).toMatchObject({ kind, upstreamStatus: status });
  });

  test.each([
    [{ error: { code: 404 } }, 'upstream_model_missing'],
    [{ error: { code: 399, status: 'NOT_FOUND' } }, 'upstream_model_missing'],
    [{ error: { code: 600, status: 'UNAVAILABLE' } }, 'upstream_overloaded'],
    [{ error: { code: 400 } }, 'upstream_bad_request'],
    [{ error: { code: 599 } }, 'upstream_failed'],
    [{ error: { status: 'RESOURCE_EXHAUSTED' } }, 'upstream_rate_limited'],
    [{ error: { status: 'SOMETHING_NEW' } }, 'upstream_failed'],
    [{ error: 'Oops' }, 'upstream_failed'],
  ])('%j inside a 200 is %s', (body, kind) => {
    expect(errorOf(() => googleGenerateContent.decodeBody(body)).kind).toBe(kind);
  });

  test('a list of one error is read too', () => {
    const body = [error('INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.')];
    expect(read(400, body).kind).toBe('upstream_credentials');
  });

  test.each([
    [error('RESOURCE_EXHAUSTED', 'x', [retryInfo]), {}, 34_400],
    [error('RESOURCE_EXHAUSTED', 'Please retry in 12.5s.'), {}, 12_500],
    [error('RESOURCE_EXHAUSTED', 'x', [retryInfo]), { 'retry-after': '3' }, 3000],
    [error('RESOURCE_EXHAUSTED'), {}, undefined],
  ])('the wait is found in %j', (body, headers, wait) => {
    expect(read(429, body, headers).retryAfterMs).toBe(wait);
  });

  test.each([
    ['generation_config.temperature', 'temperature'],
    ['generationConfig.topP', 'top_p'],
    ['generation_config.max_output_tokens', 'max_completion_tokens'],
    ['generation_config.thinking_config.thinking_budget', 'reasoning_effort'],
    ['contents[0].parts', undefined],
  ])('a bad request at %s names %s', (field, param) => {
    expect(read(400, error('INVALID_ARGUMENT', 'Bad value.', [violation(field)]))).toMatchObject({
      upstreamParam: param,
      message: 'Bad value.',
    });
  });

  test('an unknown parameter is named', () => {
    const message = `Invalid JSON payload received. Unknown name "logit_bias" at 'generation_config': Cannot find field.`;
    const body = error('INVALID_ARGUMENT', message, [violation('generation_config')]);
    expect(read(400, body)).toMatchObject({ kind: 'upstream_bad_request', upstreamParam: 'logit_bias' });
  });

  test('messages that are not for the caller are not shown', () => {
    for (const status of [401, 403, 404, 429, 500, 503]) {
      expect(read(status, error('X', 'secret words')).message).not.toContain('secret words');
    }
  });
});
