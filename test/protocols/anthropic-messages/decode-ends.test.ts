/** The end of Anthropic's answers: usage, and failures. */

import { describe, expect, test } from 'vitest';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { errorOf } from '../answer.ts';
import { usage } from '../counts.ts';
import { close, decode, delta, end, message, open, start } from './frames.ts';

describe('usage', () => {
  test('includes cached tokens in the prompt, from both ends of a stream', () => {
    const reported = {
      input_tokens: 3,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
      output_tokens: 1,
    };
    const last = { input_tokens: null, output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } };
    const expected = usage({
      promptTokens: 123,
      cachedTokens: 100,
      cacheWriteTokens: 20,
      completionTokens: 9,
      reasoningTokens: 4,
    });
    expect(decode(start(reported), ...end('end_turn', last)).at(-1)).toEqual(expected);
    expect(
      anthropicMessages.decodeBody(message({ usage: { ...reported, ...last, input_tokens: 3 } })).at(-1),
    ).toEqual(expected);
  });

  test('uses the later count if the input is only counted at the end', () => {
    const events = decode(
      start({ input_tokens: 43 }),
      ...end('end_turn', { input_tokens: 61, output_tokens: 2 }),
    );
    expect(events.at(-1)).toEqual(usage({ promptTokens: 61, completionTokens: 2 }));
  });

  test('sums up the rounds of an answer that took several', () => {
    const iterations = [
      { input_tokens: 100, output_tokens: 10 },
      { input_tokens: 30, cache_read_input_tokens: 5, output_tokens: 7 },
    ];
    const events = decode(start(), ...end('end_turn', { input_tokens: 30, output_tokens: 7, iterations }));
    const counts = { promptTokens: 135, cachedTokens: 5, completionTokens: 17 };
    // Each has the price of its own length.
    const none = { cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    const calls = [
      { ...none, promptTokens: 100, completionTokens: 10 },
      { ...none, promptTokens: 35, cachedTokens: 5, completionTokens: 7 },
    ];
    expect(events.at(-1)).toEqual(usage({ ...counts, calls }));
  });
});

describe('a malformed stream', () => {
  const text = [start(), open(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 'Half' })];

  test('without an end is cut', () => {
    expect(errorOf(() => decode(...text)).kind).toBe('upstream_cut');
    expect(errorOf(() => decode()).kind).toBe('upstream_cut');
  });

  test.each([
    ['overloaded_error', 'upstream_overloaded'],
    ['api_error', 'upstream_failed'],
    ['rate_limit_error', 'upstream_rate_limited'],
    ['new_error', 'upstream_failed'],
  ])('with an %s is %s', (type, kind) => {
    const error = { type: 'error', error: { type, message: 'No.' } };
    expect(errorOf(() => decode(...text, error)).kind).toBe(kind);
  });

  test('may repeat its start, but not start another message', () => {
    expect(decode(...text.slice(0, 1), ...text, close(0), ...end('end_turn'))).toMatchObject([
      { type: 'start' },
      { text: 'Half' },
      { type: 'finish' },
      { type: 'usage' },
    ]);
    const other = { type: 'message_start', message: message({ id: 'msg_2' }) };
    expect(errorOf(() => decode(...text, other)).kind).toBe('upstream_invalid_answer');
  });

  test('has its invalid JSON ignored, and is cut if there is nothing else', () => {
    const decoder = anthropicMessages.decodeStream();
    expect(decoder.onFrame({ event: 'message_start', data: '<html>' })).toEqual([]);
    expect(errorOf(() => decoder.onEnd()).kind).toBe('upstream_cut');
  });
});

test.each([undefined, null, [], 'text', {}, { content: 'text' }])('a body of %j is not an answer', (body) => {
  expect(errorOf(() => anthropicMessages.decodeBody(body)).kind).toBe('upstream_invalid_answer');
});
