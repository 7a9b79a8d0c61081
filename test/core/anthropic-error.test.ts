/** Errors in Anthropic's form: types, statuses, the words that its clients act on. */
import { describe, expect, test } from 'vitest';
import { anthropicMeaning, anthropicStatus, toAnthropicBody } from '../../lib/core/errors/anthropic-error.ts';
import { type ErrorKind, errorKinds } from '../../lib/core/errors/error-kinds.ts';
import { type ErrorDetails, GatewayError } from '../../lib/core/errors/errors.ts';

interface Body {
  readonly error: { readonly type: string; readonly message: string; readonly details?: object };
}

const bodyOf = (error: GatewayError) => toAnthropicBody(error, 'req-1') as Body;
const messageOf = (kind: ErrorKind, message: string, details?: ErrorDetails) =>
  bodyOf(new GatewayError(kind, message, details)).error.message;

test.each<[ErrorKind, number, string]>([
  ['invalid_request', 400, 'invalid_request_error'],
  ['invalid_api_key', 401, 'authentication_error'],
  ['insufficient_quota', 402, 'billing_error'],
  ['permission_denied', 403, 'permission_error'],
  ['not_found', 404, 'not_found_error'],
  ['model_not_found', 404, 'not_found_error'],
  ['deadline_exceeded', 408, 'timeout_error'],
  ['payload_too_large', 413, 'request_too_large'],
  ['rate_limited', 429, 'rate_limit_error'],
  ['budget_used_up', 429, 'rate_limit_error'],
  ['internal', 500, 'api_error'],
  ['limits_unavailable', 529, 'overloaded_error'],
  ['upstream_overloaded', 529, 'overloaded_error'],
  ['upstream_failed', 500, 'api_error'],
])('%s is %i %s', (kind, status, type) => {
  expect(anthropicMeaning(kind)).toMatchObject({ status, type });
});

test('every kind has a type that is known, and what may be repeated may be so in both forms', () => {
  const isRepeated = (status: number) => [408, 409, 429].includes(status) || status >= 500;
  for (const [kind, { status }] of Object.entries(errorKinds)) {
    const meaning = anthropicMeaning(kind as ErrorKind);
    expect(meaning.type).toMatch(
      /^(invalid_request|authentication|billing|permission|not_found|rate_limit|timeout|api|overloaded)_error$|^request_too_large$/,
    );
    expect(isRepeated(meaning.status), kind).toBe(isRepeated(status));
  }
});

test('the body has what the SDKs of both families read', () => {
  const error = new GatewayError('model_not_found', "The model 'x' does not exist.", { param: 'model' });
  expect(toAnthropicBody(error, 'req-1')).toEqual({
    type: 'error',
    error: {
      type: 'not_found_error',
      message: "model: The model 'x' does not exist.",
      param: 'model',
      code: 'model_not_found',
    },
    request_id: 'req-1',
  });
});

test('a budget that is used up has the code of a spending limit', () => {
  const { error } = bodyOf(new GatewayError('budget_used_up', 'Used up.'));
  expect(error.details).toEqual({ error_code: 'enforced_spend_limit_reached' });
});

describe("Anthropic's own error", () => {
  const anthropic = { type: 'invalid_request_error', errorCode: 'image_dimensions_too_large' };

  test('keeps its words and its code', () => {
    const message = 'messages.0.content.1.image: too many pixels';
    const error = new GatewayError('upstream_bad_request', message, { param: 'messages', anthropic });
    expect(bodyOf(error).error).toMatchObject({
      type: 'invalid_request_error',
      message,
      details: { error_code: 'image_dimensions_too_large' },
    });
  });

  test('of a request that is too large is one', () => {
    const details = { anthropic: { type: 'request_too_large' } };
    const error = new GatewayError('upstream_bad_request', 'Request exceeds the maximum size', details);
    expect([anthropicStatus(error), bodyOf(error).error.type]).toEqual([413, 'request_too_large']);
  });

  test("about the operator's account is not the caller's", () => {
    const details = { anthropic: { type: 'authentication_error', errorCode: 'organization_on_hold' } };
    const error = new GatewayError('upstream_credentials', 'Rejected.', details);
    expect(anthropicStatus(error)).toBe(500);
    expect(bodyOf(error).error).toMatchObject({ type: 'api_error' });
    expect(bodyOf(error).error.details).toBeUndefined();
  });

  test('survives being changed', () => {
    const error = new GatewayError('upstream_bad_request', 'A message.', { anthropic });
    expect(bodyOf(error.with({ param: 'messages' })).error.message).toBe('A message.');
  });
});

describe('a prompt that is too long', () => {
  const worded = (message: string, details?: ErrorDetails) =>
    messageOf('upstream_context_length', message, details);

  test.each([
    [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens.",
      130012,
      128000,
    ],
    [
      "This model's maximum context length is 128000 tokens. However, you requested 129500 tokens (128500 in the messages, 1000 in the completion).",
      129500,
      128000,
    ],
    [
      'Input tokens exceed the configured limit of 272,000 tokens. Your messages resulted in 300,010 tokens.',
      300010,
      272000,
    ],
    [
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      1200000,
      1048576,
    ],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 537812, 131072],
    [
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      40000,
      32768,
    ],
    ['The prompt is too long: 141000, model maximum context length: 131071', 141000, 131071],
    ['prompt is too long: 208310 tokens > 200000 maximum', 208310, 200000],
  ])('%s', (message, used, maximum) => {
    expect(worded(message)).toBe(`prompt is too long: ${used} tokens > ${maximum} maximum`);
  });

  test.each([
    ['without numbers', 'Input is too long for requested model.'],
    ['with a limit alone', 'The limit is 8192 tokens.'],
    ['with a number that is none of its sizes', 'The limit of gpt-4-0125 is exceeded, see section 3.'],
    ['with numbers beyond reason', `The limit is 8192 tokens, not ${'9'.repeat(300)}.`],
  ])('has our numbers where the provider states none: %s', (_, message) => {
    const promptTokens = { used: 210_000, maximum: 200_000 };
    expect(worded(message, { promptTokens })).toBe('prompt is too long: 210000 tokens > 200000 maximum');
  });

  test.each([
    'prompt is too long: 208310 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
  ])("has Anthropic's own words: %s", (message) => {
    expect(worded(message, { anthropic: { type: 'invalid_request_error' } })).toBe(message);
  });

  test("has its words where Anthropic's are without them", () => {
    const anthropic = { type: 'invalid_request_error' };
    expect(worded('Too long.', { anthropic })).toMatch(/^prompt is too long: /);
  });

  test('has a size above the maximum, whatever the estimate is', () => {
    const promptTokens = { used: 190_000, maximum: 200_000 };
    expect(worded('Too long.', { promptTokens })).toBe('prompt is too long: 200001 tokens > 200000 maximum');
    expect(worded('Too long.')).toMatch(/^prompt is too long: [1-9]\d* tokens > [1-9]\d* maximum$/);
  });

  test('is worded in time that does not grow with its message', () => {
    expect(worded('limit '.repeat(20_000))).toContain('prompt is too long');
  });
});

test.each([
  ["'tools.0' must be at least 1.", 'tools.0: must be at least 1.'],
  ["Missing required parameter: 'tools.0'.", 'tools.0: Missing required parameter.'],
  [
    "Unknown parameter: 'tools.0'. Did you mean 'tools.1'?",
    "tools.0: Unknown parameter. Did you mean 'tools.1'?",
  ],
  [
    "Invalid type for 'tools.0': expected a string, but got null instead.",
    'tools.0: Invalid type: expected a string, but got null instead.',
  ],
  [
    "The model 'x' does not support 'tools.0' here.",
    "tools.0: The model 'x' does not support 'tools.0' here.",
  ],
  ['tools.0: Field required', 'tools.0: Field required'],
  ['Something else.', 'tools.0: Something else.'],
])('%s begins with its path, once', (message, expected) => {
  expect(messageOf('invalid_request', message, { param: 'tools.0' })).toBe(expected);
});
