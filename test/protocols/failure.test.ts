/** What failures of all protocols share: waiting times, statuses, and what is shown of them. */
import { describe, expect, test } from 'vitest';
import { maxChoices } from '../../lib/core/generation/events.ts';
import {
  beginsWith,
  findWait,
  kindByWords,
  kindOfStatus,
  maxRetryAfterMs,
  parseDuration,
  readChoiceIndex,
  readRetryAfter,
  type UpstreamKind,
  upstreamError,
  withInternalNames,
  withoutMessageIndex,
} from '../../lib/protocols/failure.ts';
import { errorOf } from './answer.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

describe('the wait that a provider asks for', () => {
  test.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['decimal seconds', { 'retry-after': '0.25' }, 250],
    ['a date', { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, 30_000],
    ['a date that has passed', { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
    ['milliseconds, which win', { 'retry-after': '7', 'retry-after-ms': '120' }, 120],
    ['broken milliseconds', { 'retry-after': '7', 'retry-after-ms': 'soon' }, 7000],
    ['milliseconds with white space', { 'retry-after-ms': ' 120.4 ' }, 120],
    ['a number and more', { 'retry-after': '7 apples' }, undefined],
    ['a number behind more', { 'retry-after': 'x7' }, undefined],
    ['a date without a day', { 'retry-after': '20 Nov 2026 12:00:30 GMT' }, undefined],
    ['a date behind white space', { 'retry-after': ' Fri, 20 Nov 2026 12:00:30 GMT' }, 30_000],
    ['more than a number holds', { 'retry-after': '9'.repeat(400) }, undefined],
    ['nothing', {}, undefined],
    ['a negative number', { 'retry-after': '-5' }, undefined],
    ['something unknown', { 'retry-after': 'later' }, undefined],
  ])('%s', (_name, headers, expected) => {
    expect(readRetryAfter(headers, now)).toBe(expected);
  });
});

describe('a failure', () => {
  test('shows the provider’s message only if the caller can fix the error', () => {
    const details = { providerMessage: 'top_p: too high', upstreamStatus: 400 };
    expect(upstreamError('upstream_bad_request', details).message).toBe('top_p: too high');
    expect(upstreamError('upstream_credentials', details).message).not.toContain('top_p');
    expect(upstreamError('upstream_failed', details).message).not.toContain('top_p');
  });

  test('names the field only if the caller can fix the error', () => {
    expect(upstreamError('upstream_bad_request', { param: 'messages' }).upstreamParam).toBe('messages');
    expect(upstreamError('upstream_credentials', { param: 'messages' }).upstreamParam).toBeUndefined();
  });

  test.each([
    ['upstream_rate_limited', 7000],
    ['upstream_overloaded', 7000],
    // Headers about limits come with all kinds of failures, but waiting does not help with these.
    ['upstream_failed', undefined],
    ['upstream_bad_request', undefined],
    ['upstream_credentials', undefined],
    ['upstream_quota', 60_000],
  ] as const)('%s has a wait of %s if the provider asks for 7 s', (kind, wait) => {
    expect(upstreamError(kind, { retryAfterMs: 7000 }).retryAfterMs).toBe(wait);
  });

  test('has a wait of at most a day', () => {
    const error = upstreamError('upstream_rate_limited', { retryAfterMs: 999_999_999_000 });
    expect(error.retryAfterMs).toBe(maxRetryAfterMs);
  });

  test('has its own message if the provider sent none', () => {
    expect(upstreamError('upstream_bad_request', {}).message).not.toBe('');
  });

  test.each([
    [400, 'upstream_bad_request'],
    [401, 'upstream_credentials'],
    [402, 'upstream_credentials'],
    [403, 'upstream_credentials'],
    [404, 'upstream_model_missing'],
    [408, 'upstream_overloaded'],
    [409, 'upstream_failed'],
    [413, 'upstream_bad_request'],
    [422, 'upstream_bad_request'],
    [424, 'upstream_failed'],
    [425, 'upstream_overloaded'],
    [429, 'upstream_rate_limited'],
    [500, 'upstream_failed'],
    [502, 'upstream_failed'],
    [503, 'upstream_overloaded'],
    [504, 'upstream_overloaded'],
    [529, 'upstream_overloaded'],
    [530, 'upstream_failed'],
    [302, 'upstream_failed'],
  ] as const)('with status %i is %s if the body has no further information', (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind);
  });
});

test.each([
  ['34.4s', 34_400],
  ['1m12s', 72_000],
  ['1h0m0.5s', 3_600_500],
  ['120ms', 120],
  ['0.5ms', 1],
  [' 2 s ', 2000],
  ['1s120ms', 1120],
  ['1h 2m', undefined],
  ['7', undefined],
  ['s', undefined],
  ['', undefined],
  ['1d', undefined],
  ['x1s', undefined],
  ['1sx', undefined],
  ['1.s', undefined],
  [`${'0'.repeat(39)}s`, 0],
  [`${'0'.repeat(40)}s`, undefined],
])('%j is a duration of %j', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each([
  ['Please try again in 7.66s. Visit us.', 7660],
  ['Try again 2s later', 2000],
  ['Retry in 1m12.5s', 72_500],
  ['retry after 120ms', 120],
  ['Wait 3 min.', 180_000],
  ['wait 20 seconds', 20_000],
  ['Please wait 2 S', 2000],
  ['wait 3h', 10_800_000],
  ['Await 3s', undefined],
  ['wait 3', undefined],
  ['wait for 3s', undefined],
  ['wait in 3 days', undefined],
  [`${' '.repeat(4000)}wait 3s`, undefined],
])('%j asks for a wait of %j', (message, expected) => {
  expect(findWait(message)).toBe(expected);
});

describe('the field at fault', () => {
  const at = (param: string) => upstreamError('upstream_bad_request', { param });

  test('has its internal name, also where it is only the beginning', () => {
    const names = { topP: 'top_p', 'text.format': 'response_format' };
    const renamed = (param: string) => withInternalNames(at(param), names).upstreamParam;
    expect(['topP', 'text.format.schema', 'text', 'seed'].map(renamed)).toStrictEqual([
      'top_p',
      'response_format.schema',
      'text',
      'seed',
    ]);
    expect(withInternalNames(upstreamError('upstream_bad_request'), names).upstreamParam).toBeUndefined();
  });

  test.each([
    ['input', 'messages'],
    ['input.3', 'messages'],
    ['input[3].content', 'messages'],
    ['inputs', 'inputs'],
    ['a.input', 'a.input'],
    ['messages.3', 'messages.3'],
  ])('at %s is %s where a protocol counts messages in another way', (param, expected) => {
    expect(withoutMessageIndex(at(param), 'input').upstreamParam).toBe(expected);
    expect(withoutMessageIndex(upstreamError('upstream_failed'), 'input').upstreamParam).toBeUndefined();
  });
});

test('a code is shown only beside a request that was rejected', () => {
  const codeOf = (kind: UpstreamKind, providerCode: string) => upstreamError(kind, { providerCode }).code;
  expect(codeOf('upstream_bad_request', 'invalid_value')).toBe('invalid_value');
  expect(codeOf('upstream_bad_request', 'no name')).toBeNull();
  for (const kind of ['upstream_content_policy', 'upstream_failed'] as const)
    expect(codeOf(kind, 'invalid_value')).not.toBe('invalid_value');
});

test.each([
  [0, 5, 0],
  [127, 5, 127],
  [undefined, 5, 5],
])('a choice numbered %j at the place %i is %i', (value, position, expected) => {
  expect(readChoiceIndex(value, position)).toBe(expected);
  expect(errorOf(() => readChoiceIndex(maxChoices, 0)).kind).toBe('upstream_invalid_answer');
  expect(readChoiceIndex(maxChoices - 1, 0)).toBe(maxChoices - 1);
});

describe('a message begins with a phrase', () => {
  test.each([
    ['behind words of a model’s server', 'The model returned the following errors: too many tokens.', true],
    ['behind an error', 'Error: too many tokens.', true],
    ['behind an invalid request', 'Invalid request: too many tokens.', true],
    ['behind other words', 'Sorry: too many tokens.', false],
    ['behind two such words', 'Error: Error: too many tokens.', false],
    ['not as a field that is required', 'too many tokens: Field required', false],
    ['not as a field of another type', 'too many tokens: Input should be a valid string', false],
    ['where words only resemble those of a validator', 'too many tokens: field requiredness', true],
    ['with white space', 'too    many\ttokens', true],
    ['not behind what is read', `${' '.repeat(4000)}too many tokens`, false],
    ['as it is', 'Too many tokens.', true],
    ['behind white space, and in lines', '\n  Too\n\tmany tokens.', true],
    ['behind the words of the model’s own server', 'Bad request: too many tokens.', true],
    ['not in the middle', 'You sent too many tokens.', false],
    ['not as a validator names a field', 'too many tokens: Extra inputs are not permitted', false],
  ])('%s', (_name, message, expected) => {
    expect(beginsWith(message, /^too many tokens/i)).toBe(expected);
  });
});

test('of several phrases, the first that a message begins with counts', () => {
  const phrases = [
    [/^too many/i, 'upstream_context_length'],
    [/^too/i, 'upstream_quota'],
  ] as const;
  expect(kindByWords('Too many tokens', phrases)).toBe('upstream_context_length');
  expect(kindByWords('Too few', phrases)).toBe('upstream_quota');
  expect(kindByWords('None', phrases)).toBeUndefined();
});
