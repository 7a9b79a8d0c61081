/** The end of Bedrock's answers: usage, and failures. */

import { describe, expect, test } from 'vitest';
import { bedrockConverse } from '../../../lib/protocols/bedrock-converse/protocol.ts';
import { errorOf } from '../answer.ts';
import { usage } from '../counts.ts';
import { body, close, counts, decode, delta, frame, metadata, start, stop } from './frames.ts';

test('cached tokens are part of the prompt', () => {
  const cached = { ...counts, cacheReadInputTokens: 100, cacheWriteInputTokens: 20 };
  const expected = usage({ promptTokens: 130, cachedTokens: 100, cacheWriteTokens: 20 });
  expect(decode(start, delta(0, { text: 'x' }), close(0), stop('end_turn'), metadata(cached)).at(-1)).toEqual(
    expected,
  );
  expect(bedrockConverse.decodeBody(body([{ text: 'x' }], 'end_turn', cached)).at(-1)).toEqual(expected);
});

describe('a malformed stream', () => {
  test('without an end is cut', () => {
    expect(errorOf(() => decode(start, delta(0, { text: 'Half' }), close(0))).kind).toBe('upstream_cut');
    expect(errorOf(() => decode(start, metadata())).kind).toBe('upstream_cut');
  });

  test.each([
    ['internalServerException', 'upstream_failed'],
    ['modelStreamErrorException', 'upstream_failed'],
    ['serviceUnavailableException', 'upstream_overloaded'],
    ['throttlingException', 'upstream_rate_limited'],
    ['validationException', 'upstream_bad_request'],
  ])('with a %s is %s', (event, kind) => {
    const decoder = bedrockConverse.decodeStream();
    decoder.onFrame(frame(start));
    const exception = { event, data: '{"message":"No."}', exception: true };
    expect(errorOf(() => decoder.onFrame(exception)).kind).toBe(kind);
  });

  test('that the provider could not parse, without any output, is not an answer', () => {
    expect(errorOf(() => decode(start, stop('malformed_tool_use'))).kind).toBe('upstream_invalid_answer');
  });

  test('must be JSON', () => {
    const decoder = bedrockConverse.decodeStream();
    expect(errorOf(() => decoder.onFrame({ event: 'messageStart', data: '' })).kind).toBe(
      'upstream_invalid_answer',
    );
  });
});

test.each([undefined, null, [], 'text', {}, { output: { message: {} } }])(
  'a body of %j is not an answer',
  (whole) => {
    expect(errorOf(() => bedrockConverse.decodeBody(whole)).kind).toBe('upstream_invalid_answer');
  },
);
