/** Errors of the OpenAI chat protocol, in the formats of its hosts. */
import { describe, expect, test } from 'vitest';
import { withCallerPath } from '../../../lib/core/generation/caller-path.ts';
import { openaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { decodeFrames, errorOf, only, toFrames } from '../answer.ts';

const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  openaiChat.readFailure({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
const error = (code: unknown, message = 'Something', others: object = {}) => ({
  error: { message, type: 'some_error', param: null, code, ...others },
});

describe('failures in the OpenAI chat protocol', () => {
  test.each([
    [400, error('context_length_exceeded'), 'upstream_context_length'],
    [400, error(null, "This model's maximum context length is 8192 tokens."), 'upstream_context_length'],
    [400, { code: 'x', error: 'maximum prompt length is 131072' }, 'upstream_context_length'],
    [413, error('rate_limit_exceeded', 'Request too large'), 'upstream_context_length'],
    [400, error('content_filter', 'filtered', { innererror: {} }), 'upstream_content_policy'],
    [
      400,
      error('400', 'filtered', { innererror: { code: 'ResponsibleAIPolicyViolation' } }),
      'upstream_content_policy',
    ],
    [
      400,
      error('BadRequest', 'filtered', { inner_error: { code: 'ResponsibleAIPolicyViolation' } }),
      'upstream_content_policy',
    ],
    [
      403,
      { code: 'The caller does not have permission', error: 'Content violates usage guidelines. Team: x' },
      'upstream_content_policy',
    ],
    [400, error('data_inspection_failed'), 'upstream_content_policy'],
    [403, error(403, 'flagged', { metadata: { reasons: ['violence'] } }), 'upstream_content_policy'],
    [
      400,
      { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***' },
      'upstream_credentials',
    ],
    [401, error('invalid_api_key'), 'upstream_credentials'],
    [402, error(402, 'Insufficient credits'), 'upstream_credentials'],
    [403, '', 'upstream_credentials'],
    [404, error('model_not_found'), 'upstream_model_missing'],
    [404, { error: { code: 'DeploymentNotFound', message: 'no' } }, 'upstream_model_missing'],
    [429, error('rate_limit_exceeded'), 'upstream_rate_limited'],
    [429, error('insufficient_quota'), 'upstream_quota'],
    [429, error(null, 'x', { type: 'exceeded_current_quota_error' }), 'upstream_quota'],
    [429, error('rate_limit_exceeded', 'Limit reached on tokens per day (TPD): 100000'), 'upstream_quota'],
    [429, error(null, 'x', { type: 'engine_overloaded_error' }), 'upstream_overloaded'],
    [400, error('tool_use_failed'), 'upstream_invalid_call'],
    [408, '', 'upstream_overloaded'],
    [500, '<html>', 'upstream_failed'],
    [502, '', 'upstream_failed'],
    [503, '', 'upstream_overloaded'],
    [504, '', 'upstream_overloaded'],
    [403, error(null, 'Content violates usage guidelines.'), 'upstream_content_policy'],
    [500, error(null, 'Content violates usage guidelines.'), 'upstream_failed'],
    [400, error(null, 'Your credit balance is too low.'), 'upstream_quota'],
    [500, error(null, 'Your credit balance is too low.'), 'upstream_failed'],
    [400, error(null, 'Insufficient account funds'), 'upstream_quota'],
    [400, error(null, 'Account balance exhausted'), 'upstream_quota'],
    [500, error(null, 'Incorrect API key provided'), 'upstream_failed'],
    [400, error(null, 'The provided API key is not valid'), 'upstream_credentials'],
    [500, error('context_length_exceeded'), 'upstream_failed'],
    [400, error('exceed_context_size_error'), 'upstream_context_length'],
    [400, error('rate_limit_exceeded', 'Request too large'), 'upstream_bad_request'],
    [400, error(null, '100 tokens per day'), 'upstream_bad_request'],
    [429, error(null, 'Limit reached (RPD).'), 'upstream_quota'],
    [
      400,
      error(
        null,
        "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096.",
      ),
      'upstream_context_length',
    ],
    [400, error(null, `${'a '.repeat(70)} context length`), 'upstream_bad_request'],
    [400, error(null, '"x" is beyond the context length'), 'upstream_bad_request'],
    [400, error(null, 'litellm.ContextWindowExceededError: no'), 'upstream_context_length'],
    [519, '', 'upstream_failed'],
    [520, '', 'upstream_overloaded'],
    [522, '', 'upstream_overloaded'],
    [529, '', 'upstream_overloaded'],
    [530, '', 'upstream_failed'],
    [422, { detail: [{ loc: ['body', 'temperature'], msg: 'too hot', type: 'x' }] }, 'upstream_bad_request'],
    [400, 'null', 'upstream_bad_request'],
  ])('%i %j is %s', (status, body, kind) => {
    expect(read(status, body)).toMatchObject({ kind, upstreamStatus: status });
  });

  test('a bad request has its field and code', () => {
    const body = error('unsupported_parameter', "Unsupported parameter: 'max_tokens'.", {
      param: 'max_tokens',
    });
    expect(read(400, body)).toMatchObject({ upstreamParam: 'max_tokens' });
    expect(withCallerPath(read(400, body), {}).toBody().error).toStrictEqual({
      message: "Unsupported parameter: 'max_tokens'.",
      type: 'invalid_request_error',
      param: 'max_tokens',
      code: 'unsupported_parameter',
    });
  });

  test('errors of a validator have their field', () => {
    const finding = { loc: ['body', 'messages', 0, 'content'], msg: 'Field required', type: 'missing' };
    const bodies = [{ detail: [finding] }, { object: 'error', message: { detail: [finding] } }];
    for (const body of bodies) {
      expect(read(422, body)).toMatchObject({
        upstreamParam: 'messages.0.content',
        message: 'Field required',
      });
    }
  });

  test('a code and a message beside choices are no failure', () => {
    const choices = [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }];
    for (const beside of [
      { choices, message: 'Fine', code: 'ok' },
      { choices, error: null },
    ])
      expect(only(openaiChat.decodeBody(beside)).text).toBe('Hi');
    for (const half of [{ message: 'No' }, { code: 'no' }, { message: '', code: 'no' }])
      expect(errorOf(() => openaiChat.decodeBody(half)).kind).toBe('upstream_invalid_answer');
  });

  test('findings of a validator are all shown, and a plain text is', () => {
    const findings = [
      { loc: ['body'], msg: 'One.' },
      { loc: ['body', 'b'], msg: 'Two.' },
    ];
    expect(read(422, { detail: findings })).toMatchObject({
      message: 'One.; Two.',
      upstreamParam: undefined,
    });
    expect(read(422, { detail: 'One.' })).toMatchObject({ message: 'One.', upstreamParam: undefined });
  });

  test('what a router quotes says what its host means', () => {
    const long = "This model's maximum context length is 8192 tokens.";
    const quotes = [
      { error: { message: long } },
      { message: long },
      { error: long },
      [{ error: { message: long } }],
    ].map((quote) => JSON.stringify(quote));
    for (const raw of [...quotes, long]) {
      const body = error(400, 'Provider returned error', { metadata: { raw } });
      expect(read(400, body)).toMatchObject({
        kind: 'upstream_context_length',
        message: 'Provider returned error',
      });
    }
  });

  test('a field that is only in the message is named, by its public name', () => {
    for (const said of ['Argument not supported on this model:', 'Model grok does not support parameter']) {
      const body = { code: 'Client specified an invalid argument', error: `${said} presencePenalty.` };
      expect(read(400, body).upstreamParam).toBe('presence_penalty');
    }
  });

  test('a code is a string or null', () => {
    expect(read(400, error(400)).code).toBeNull();
    expect(read(400, error('1214')).code).toBeNull();
    expect(read(400, { code: 'A whole sentence.', error: 'no' }).code).toBeNull();
  });

  test('messages that are not for the caller are not shown', () => {
    for (const status of [401, 403, 404, 429, 500, 503]) {
      expect(read(status, error('x', 'secret words')).message).not.toContain('secret words');
    }
    expect(read(400, error('x', 'Key sk-abcdefgh12345678 is bad')).message).not.toContain('abcdefgh');
  });

  test.each([
    [{ 'retry-after-ms': '1500' }, '', 1500],
    [{ 'retry-after': '2' }, '', 2000],
    [{}, 'Please try again in 7.66s. Visit', 7660],
    [{}, 'Please try again in 1m12.5s.', 72_500],
    [{}, 'Please retry after 120ms', 120],
    [{}, 'Please retry after 20 seconds.', 20_000],
    [{ 'x-ratelimit-reset-tokens': '1m12s' }, '', 72_000],
    [
      {
        'x-ratelimit-reset-tokens': '120ms',
        'x-ratelimit-reset-requests': '1h0m0s',
        'x-ratelimit-remaining-requests': '0',
      },
      '',
      3_600_000,
    ],
    [{ 'x-ratelimit-reset': '3' }, '', 3000],
    [{ 'x-ratelimit-reset': '2.5' }, '', 2500],
    [{ 'x-ratelimit-reset-tokens': '9s', 'x-ratelimit-reset-requests': '4s' }, '', 4000],
    [{ 'x-ratelimit-reset-tokens': 'soon', 'x-ratelimit-reset-requests': '4s' }, '', 4000],
    [{ 'x-ratelimit-reset': 'soon' }, '', undefined],
    [{ 'x-ratelimit-reset': '1000000000' }, '', 0],
    [{ 'x-ratelimit-reset': '1000000000000' }, '', 0],
    [{ 'x-ratelimit-limit': '3' }, '', undefined],
    [{}, 'Slow down.', undefined],
  ])('the wait is found in %j and "%s"', (headers, message, wait) => {
    expect(read(429, error('rate_limit_exceeded', message), headers).retryAfterMs).toBe(wait);
  });

  test('a time in milliseconds is one too', () => {
    const wait =
      read(429, error(429), { 'x-ratelimit-reset': String(Date.now() + 30_000) }).retryAfterMs ?? 0;
    expect(wait).toBeGreaterThan(25_000);
    expect(wait).toBeLessThan(31_000);
  });

  test('a time in the headers is a wait from now', () => {
    const headers = { 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 30) };
    const wait = read(429, error(429), headers).retryAfterMs ?? 0;
    expect(wait).toBeGreaterThan(25_000);
    expect(wait).toBeLessThan(31_000);
  });

  test.each([
    [{ message: 'Too busy', type: 'server_error', code: 'overloaded' }, 'upstream_overloaded'],
    [{ code: 'invalid_parameter', message: 'No', request_id: '1' }, 'upstream_bad_request'],
    [{ object: 'error', message: 'No', type: 'invalid_request' }, 'upstream_bad_request'],
    [error(429, 'Provider returned error'), 'upstream_rate_limited'],
    [error(399), 'upstream_failed'],
    [error(400), 'upstream_bad_request'],
    [error(599), 'upstream_failed'],
    [error(600, 'x', { status: 404 }), 'upstream_model_missing'],
    [error(429.5, 'x', { status_code: 401 }), 'upstream_credentials'],
    [error('rate_limit_exceeded'), 'upstream_rate_limited'],
    [error('server_is_overloaded'), 'upstream_overloaded'],
    [error('service_unavailable'), 'upstream_overloaded'],
    [error('no_capacity'), 'upstream_overloaded'],
    [error('bad_api_key'), 'upstream_credentials'],
    [error('authentication_failed'), 'upstream_credentials'],
    [error('permission_denied'), 'upstream_credentials'],
    [error('item_not_found'), 'upstream_model_missing'],
    [error('bad_request'), 'upstream_bad_request'],
    [error('unsupported_value'), 'upstream_bad_request'],
    [error('validation_failed'), 'upstream_bad_request'],
    [error('image_too_large'), 'upstream_bad_request'],
    [error('something_new'), 'upstream_failed'],
  ])('%j inside a 200 is %s, in a body and in a stream', (body, kind) => {
    expect(errorOf(() => openaiChat.decodeBody(body))).toMatchObject({ kind });
    expect(errorOf(() => decodeFrames(openaiChat, toFrames([body])))).toMatchObject({ kind });
  });
});
