/** Decoding Anthropic's answers, streamed or not: their content, their usage, and their failures. */
import { describe, expect, test } from 'vitest';
import type { FinishReason, GenerationEvent } from '../../../lib/core/generation/events.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { errorOf, joined } from '../answer.ts';
import { call, cited, detail, finish, reasoning, text, usage } from '../events.ts';
import {
  block,
  close,
  decode,
  emptyText,
  end,
  frame,
  inputPiece,
  type Json,
  message,
  start,
  textPiece,
} from './frames.ts';

const format = 'anthropic-claude-v1';
const source = { url: 'https://a.example/', title: 'A' };
const emptyThinking = { type: 'thinking', thinking: '', signature: '' };
const redacted = { type: 'redacted_thinking', data: 'ZGF0YQ==' };
const toolUse = (id: string, name: string, input = {}) => ({ type: 'tool_use', id, name, input });
const fetching = { type: 'server_tool_use', id: 'srv', name: 'web_fetch' };
const fetched = { type: 'web_fetch_tool_result', tool_use_id: 'srv', content: {} };

/** Each answer as its body, as its stream, and the events that both must give. */
const answers: readonly [string, Json, readonly Json[], readonly GenerationEvent[]][] = [
  [
    'text',
    { content: [{ type: 'text', text: 'Hello there' }] },
    [{ type: 'ping' }, ...block(0, emptyText, textPiece('Hello'), textPiece(' there')), ...end('end_turn')],
    [text('Hello there'), finish('stop'), usage()],
  ],
  [
    'signed and redacted thinking before the text',
    {
      content: [
        { type: 'thinking', thinking: 'Hm. Yes.', signature: 'c2ln' },
        redacted,
        { type: 'thinking', thinking: '', signature: 'ZW1wdHk=' },
        { type: 'text', text: 'Yes.' },
      ],
    },
    [
      ...block(
        0,
        emptyThinking,
        { type: 'thinking_delta', thinking: 'Hm. ' },
        { type: 'thinking_delta', thinking: 'Yes.' },
        { type: 'signature_delta', signature: 'c2ln' },
      ),
      ...block(1, redacted),
      ...block(2, emptyThinking, { type: 'signature_delta', signature: 'ZW1wdHk=' }),
      ...block(3, emptyText, textPiece('Yes.')),
      ...end('end_turn'),
    ],
    [
      reasoning('Hm. Yes.'),
      detail({ type: 'reasoning.text', text: 'Hm. Yes.', signature: 'c2ln', format, index: 0 }),
      detail({ type: 'reasoning.encrypted', data: 'ZGF0YQ==', format, index: 1 }),
      detail({ type: 'reasoning.text', text: '', signature: 'ZW1wdHk=', format, index: 2 }),
      text('Yes.'),
      finish('stop'),
      usage(),
    ],
  ],
  [
    'parallel calls, one without arguments, and a tool that the provider runs',
    {
      stop_reason: 'tool_use',
      content: [
        { ...fetching, input: { url: 'x' } },
        fetched,
        toolUse('a', 'get', { city: 'Rome' }),
        toolUse('b', 'now'),
      ],
    },
    [
      ...block(0, { ...fetching, input: {} }, inputPiece('{"url":"x"}')),
      ...block(1, fetched),
      ...block(2, toolUse('a', 'get'), inputPiece(''), inputPiece('{"city":'), inputPiece('"Rome"}')),
      ...block(3, toolUse('b', 'now'), inputPiece('')),
      { type: 'something_new', index: 3 },
      ...end('tool_use'),
    ],
    [
      ...call(0, 'a', 'get', '{"city":"Rome"}'),
      ...call(1, 'b', 'now', '{}'),
      finish('tool_calls'),
      usage({ hostedCalls: { web_fetch: 1 } }),
    ],
  ],
  [
    'JSON from the reserved tool',
    { stop_reason: 'tool_use', content: [toolUse('a', 'json_response', { city: 'Rome' })] },
    [
      ...block(0, toolUse('a', 'json_response'), inputPiece('{"city":"Ro'), inputPiece('me"}')),
      ...end('tool_use'),
    ],
    [text('{"city":"Rome"}'), finish('stop'), usage()],
  ],
  [
    'JSON from the reserved tool, and hidden thinking behind it',
    { stop_reason: 'tool_use', content: [toolUse('a', 'json_response', { a: 1 }), redacted] },
    [
      ...block(0, toolUse('a', 'json_response'), inputPiece('{"a":1}')),
      ...block(1, redacted),
      ...end('tool_use'),
    ],
    [
      text('{"a":1}'),
      detail({ type: 'reasoning.encrypted', data: 'ZGF0YQ==', format, index: 1 }),
      finish('stop'),
      usage(),
    ],
  ],
  [
    'nothing in its blocks',
    { content: [{ type: 'text', text: '' }, emptyThinking, { type: 'redacted_thinking' }] },
    [
      ...block(0, emptyText),
      ...block(1, emptyThinking),
      ...block(2, { type: 'redacted_thinking' }),
      ...end('end_turn'),
    ],
    [finish('stop'), usage()],
  ],
  [
    'a refusal with an explanation',
    { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: 'Not this.' } },
    end('refusal', { output_tokens: 5 }, { stop_details: { explanation: 'Not this.' } }),
    [{ type: 'refusal', choice: 0, text: 'Not this.' }, finish('content_filter'), usage()],
  ],
  [
    'a cited source, with the range of the text that cites it',
    {
      content: [
        { type: 'text', text: 'See: ' },
        {
          type: 'text',
          text: 'it rains',
          citations: [{ type: 'web_search_result_location', ...source }],
        },
      ],
    },
    [
      ...block(0, emptyText, textPiece('See: ')),
      ...block(
        1,
        { ...emptyText, citations: [] },
        { type: 'citations_delta', citation: source },
        textPiece('it rains'),
      ),
      ...end('end_turn'),
    ],
    [text('See: it rains'), cited(source.url, source.title, 5, 13), finish('stop'), usage()],
  ],
];

describe('an answer', () => {
  test.each(answers)('with %s is the same streamed or not', (_name, body, stream, events) => {
    const expected = [{ type: 'start' }, ...events];
    expect(joined(anthropicMessages.decodeBody(message(body)))).toStrictEqual(expected);
    expect(decode(start(), ...stream)).toStrictEqual(expected);
  });

  test.each<[string, FinishReason]>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'content_filter'],
    ['tool_use', 'stop'],
  ])('without calls and with the stop reason %s finishes with %s', (stop_reason, reason) => {
    expect(decode(start(), ...end(stop_reason))).toContainEqual(finish(reason));
  });

  test.each(['pause_turn', 'something_new'])('with the stop reason %s may not be whole', (stop_reason) => {
    expect(decode(start(), ...end(stop_reason))).toContainEqual({ ...finish('stop'), isUnclear: true });
  });

  test('reports a full context, and the text at which it stopped', () => {
    const full = decode(start(), ...end('model_context_window_exceeded'));
    expect(full).toContainEqual({ ...finish('length'), isContextFull: true });
    const stopped = { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } };
    const events = decode(start(), stopped, { type: 'message_stop' });
    expect(events).toContainEqual({ ...finish('stop'), stopSequence: 'END' });
  });

  test.each<[string, FinishReason]>([
    ['end_turn', 'tool_calls'],
    ['max_tokens', 'length'],
  ])('with calls and the stop reason %s finishes with %s', (stop_reason, reason) => {
    const events = decode(start(), ...block(0, toolUse('a', 'now')), ...end(stop_reason));
    expect(events).toContainEqual(finish(reason));
  });
});

describe('usage', () => {
  test('includes cached tokens in the prompt, from both ends of a stream', () => {
    const cached = { cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };
    const reported = { input_tokens: 3, ...cached, output_tokens: 1 };
    const last = { input_tokens: null, output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } };
    const prompt = { promptTokens: 123, cachedTokens: 100, cacheWriteTokens: 20 };
    const expected = usage({ ...prompt, completionTokens: 9, reasoningTokens: 4 });
    expect(decode(start(reported), ...end('end_turn', last)).at(-1)).toStrictEqual(expected);
    const body = message({ usage: { ...reported, ...last, input_tokens: 3 } });
    expect(anthropicMessages.decodeBody(body).at(-1)).toStrictEqual(expected);
  });

  test('uses the later count if the input is only counted at the end', () => {
    const last = { input_tokens: 61, output_tokens: 2 };
    const events = decode(start({ input_tokens: 43 }), ...end('end_turn', last));
    expect(events.at(-1)).toStrictEqual(usage({ promptTokens: 61, completionTokens: 2 }));
  });

  test('of a round by another model is a call, whose price is unknown', () => {
    const rounds = [
      { input_tokens: 1, model: 'claude-a' },
      { input_tokens: 1, type: 'message', model: 'claude-a' },
      { input_tokens: 1, type: 'compaction' },
      { input_tokens: 1, type: 'advisor_message', model: 'claude-b' },
      { input_tokens: 1, type: 'message', model: 'claude-b' },
    ];
    const counted = (iterations: readonly Json[]) =>
      anthropicMessages.readUsage(message({ usage: { iterations } }))?.usage;
    expect(counted(rounds)).toMatchObject({ promptTokens: 5, hostedCalls: { advisor: 1, other_model: 1 } });
    expect(counted(rounds.slice(0, 3))).not.toHaveProperty('hostedCalls');
    expect(counted([{ input_tokens: null }])).toBeUndefined();
    expect(counted(Array(101).fill({ input_tokens: 1 }))).toMatchObject({ promptTokens: 0 });
    expect(counted(Array(100).fill({ input_tokens: 1 }))).toMatchObject({ promptTokens: 100 });
  });

  test('of a stream is known before its end, and keeps what is not reported again', () => {
    const decoder = anthropicMessages.decodeStream();
    expect(decoder.usageSoFar?.()).toBeUndefined();
    decoder.onFrame(frame(start({ input_tokens: 10, output_tokens: 1, service_tier: 'priority' })));
    expect(decoder.usageSoFar?.()).toMatchObject({ promptTokens: 10, completionTokens: 1 });
    const [last = {}, stop = {}] = end('end_turn', { output_tokens: 5, service_tier: null });
    decoder.onFrame(frame(last));
    expect(decoder.usageSoFar?.()).toMatchObject({ promptTokens: 10, completionTokens: 5 });
    expect(decoder.onFrame(frame(stop)).at(-1)).toMatchObject({ serviceTier: 'priority' });
  });

  test('is not known where none is reported', () => {
    const [last = {}, stop = {}] = end('end_turn');
    const events = decode(
      { type: 'message_start', message: { id: 'msg_1' } },
      { ...last, usage: undefined },
      stop,
    );
    expect(events).toStrictEqual([{ type: 'start' }, finish('stop')]);
  });

  test('of a stream that never counts its input or its output is unknown', () => {
    const uncounted = decode(start({ input_tokens: 1, output_tokens: null }), ...end('end_turn', {}));
    expect(uncounted.at(-1)).toStrictEqual(finish('stop'));
    expect(decode(start({ input_tokens: null }), ...end('end_turn')).at(-1)).toStrictEqual(finish('stop'));
  });

  test('has no more fields than any has', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`field_${at}`, at]));
    expect(decode(start(), ...end('end_turn', { ...many, output_tokens: 9 })).at(-1)).toMatchObject({
      usage: { promptTokens: 10, completionTokens: 1 },
    });
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
    expect(events.at(-1)).toStrictEqual(usage({ ...counts, calls }));
  });
});

describe('a malformed stream', () => {
  const half = [start(), ...block(0, emptyText, textPiece('Half')).slice(0, 2)];

  test.each([
    ['overloaded_error', 'upstream_overloaded'],
    ['api_error', 'upstream_failed'],
    ['rate_limit_error', 'upstream_rate_limited'],
    ['new_error', 'upstream_failed'],
  ])('with an %s is %s', (type, kind) => {
    const error = { type: 'error', error: { type, message: 'No.' } };
    expect(errorOf(() => decode(...half, error)).kind).toBe(kind);
  });

  test('may repeat its start, but not start another message', () => {
    expect(decode(start(), ...half, close(0), ...end('end_turn'))).toMatchObject([
      { type: 'start' },
      { text: 'Half' },
      { type: 'finish' },
      { type: 'usage' },
    ]);
    const other = { type: 'message_start', message: message({ id: 'msg_2' }) };
    expect(errorOf(() => decode(...half, other)).kind).toBe('upstream_invalid_answer');
  });

  test('has its invalid JSON ignored, and is cut if there is nothing else', () => {
    const decoder = anthropicMessages.decodeStream();
    expect(decoder.onFrame({ event: 'message_start', data: '<html>' })).toStrictEqual([]);
    expect(errorOf(() => decoder.onEnd()).kind).toBe('upstream_cut');
  });
});
