/** Decoding Anthropic's answers, streamed or not. */

import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { joined } from '../answer.ts';
import { usage } from '../counts.ts';
import { close, decode, delta, end, type Json, message, open, start } from './frames.ts';

/** Each answer as its body, as its stream, and the events that both must give. */
const answers: readonly [string, Json, readonly Json[], readonly GenerationEvent[]][] = [
  [
    'text',
    message({ content: [{ type: 'text', text: 'Hello there' }] }),
    [
      start(),
      open(0, { type: 'text', text: '' }),
      { type: 'ping' },
      delta(0, { type: 'text_delta', text: 'Hello' }),
      delta(0, { type: 'text_delta', text: ' there' }),
      close(0),
      ...end('end_turn'),
    ],
    [
      { type: 'start' },
      { type: 'text', choice: 0, text: 'Hello there' },
      { type: 'finish', choice: 0, reason: 'stop' },
      usage(),
    ],
  ],
  [
    'signed and redacted thinking before the text',
    message({
      content: [
        { type: 'thinking', thinking: 'Hm. Yes.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZGF0YQ==' },
        { type: 'thinking', thinking: '', signature: 'ZW1wdHk=' },
        { type: 'text', text: 'Yes.' },
      ],
    }),
    [
      start(),
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm. ' }),
      delta(0, { type: 'thinking_delta', thinking: 'Yes.' }),
      delta(0, { type: 'signature_delta', signature: 'c2ln' }),
      close(0),
      open(1, { type: 'redacted_thinking', data: 'ZGF0YQ==' }),
      close(1),
      open(2, { type: 'thinking', thinking: '', signature: '' }),
      delta(2, { type: 'signature_delta', signature: 'ZW1wdHk=' }),
      close(2),
      open(3, { type: 'text', text: '' }),
      delta(3, { type: 'text_delta', text: 'Yes.' }),
      close(3),
      ...end('end_turn'),
    ],
    [
      { type: 'start' },
      { type: 'reasoning', choice: 0, text: 'Hm. Yes.' },
      {
        type: 'reasoning-detail',
        choice: 0,
        detail: {
          type: 'reasoning.text',
          text: 'Hm. Yes.',
          signature: 'c2ln',
          format: 'anthropic-claude-v1',
          index: 0,
        },
      },
      {
        type: 'reasoning-detail',
        choice: 0,
        detail: { type: 'reasoning.encrypted', data: 'ZGF0YQ==', format: 'anthropic-claude-v1', index: 1 },
      },
      {
        type: 'reasoning-detail',
        choice: 0,
        detail: {
          type: 'reasoning.text',
          text: '',
          signature: 'ZW1wdHk=',
          format: 'anthropic-claude-v1',
          index: 2,
        },
      },
      { type: 'text', choice: 0, text: 'Yes.' },
      { type: 'finish', choice: 0, reason: 'stop' },
      usage(),
    ],
  ],
  [
    'parallel calls, one without arguments, and a tool that the provider runs',
    message({
      stop_reason: 'tool_use',
      content: [
        { type: 'server_tool_use', id: 'srv', name: 'web_fetch', input: { url: 'x' } },
        { type: 'web_fetch_tool_result', tool_use_id: 'srv', content: {} },
        { type: 'tool_use', id: 'a', name: 'get', input: { city: 'Rome' } },
        { type: 'tool_use', id: 'b', name: 'now', input: {} },
      ],
    }),
    [
      start(),
      open(0, { type: 'server_tool_use', id: 'srv', name: 'web_fetch', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"url":"x"}' }),
      close(0),
      open(1, { type: 'web_fetch_tool_result', tool_use_id: 'srv', content: {} }),
      close(1),
      open(2, { type: 'tool_use', id: 'a', name: 'get', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '' }),
      delta(2, { type: 'input_json_delta', partial_json: '{"city":' }),
      delta(2, { type: 'input_json_delta', partial_json: '"Rome"}' }),
      close(2),
      open(3, { type: 'tool_use', id: 'b', name: 'now', input: {} }),
      delta(3, { type: 'input_json_delta', partial_json: '' }),
      close(3),
      { type: 'something_new', index: 3 },
      ...end('tool_use'),
    ],
    [
      { type: 'start' },
      { type: 'tool-call', choice: 0, call: 0, id: 'a', name: 'get' },
      { type: 'tool-arguments', choice: 0, call: 0, text: '{"city":"Rome"}' },
      { type: 'tool-call', choice: 0, call: 1, id: 'b', name: 'now' },
      { type: 'tool-arguments', choice: 0, call: 1, text: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
      usage({ hostedCalls: { web_fetch: 1 } }),
    ],
  ],
  [
    'JSON from the reserved tool',
    message({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: 'a', name: 'json_response', input: { city: 'Rome' } }],
    }),
    [
      start(),
      open(0, { type: 'tool_use', id: 'a', name: 'json_response', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"city":"Ro' }),
      delta(0, { type: 'input_json_delta', partial_json: 'me"}' }),
      close(0),
      ...end('tool_use'),
    ],
    [
      { type: 'start' },
      { type: 'text', choice: 0, text: '{"city":"Rome"}' },
      { type: 'finish', choice: 0, reason: 'stop' },
      usage(),
    ],
  ],
  [
    'a refusal with an explanation',
    message({ stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: 'Not this.' } }),
    [start(), ...end('refusal', { output_tokens: 5 }, { stop_details: { explanation: 'Not this.' } })],
    [
      { type: 'start' },
      { type: 'refusal', choice: 0, text: 'Not this.' },
      { type: 'finish', choice: 0, reason: 'content_filter' },
      usage(),
    ],
  ],
  [
    'a cited source, with the range of the text that cites it',
    message({
      content: [
        { type: 'text', text: 'See: ' },
        {
          type: 'text',
          text: 'it rains',
          citations: [{ type: 'web_search_result_location', url: 'https://a.example/', title: 'A' }],
        },
      ],
    }),
    [
      start(),
      open(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'See: ' }),
      close(0),
      open(1, { type: 'text', text: '', citations: [] }),
      delta(1, { type: 'citations_delta', citation: { url: 'https://a.example/', title: 'A' } }),
      delta(1, { type: 'text_delta', text: 'it rains' }),
      close(1),
      ...end('end_turn'),
    ],
    [
      { type: 'start' },
      { type: 'text', choice: 0, text: 'See: it rains' },
      {
        type: 'annotation',
        choice: 0,
        annotation: {
          type: 'url_citation',
          url_citation: { url: 'https://a.example/', title: 'A', start_index: 5, end_index: 13 },
        },
      },
      { type: 'finish', choice: 0, reason: 'stop' },
      usage(),
    ],
  ],
];

describe('an answer', () => {
  test.each(answers)('with %s is the same streamed or not', (_name, body, stream, expected) => {
    expect(joined(anthropicMessages.decodeBody(body))).toEqual(expected);
    expect(decode(...stream)).toEqual(expected);
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'content_filter'],
    ['tool_use', 'stop'],
    ['something_new', 'stop'],
  ])('without calls and with the stop reason %s finishes with %s', (stop_reason, reason) => {
    expect(decode(start(), ...end(stop_reason))).toContainEqual({ type: 'finish', choice: 0, reason });
  });

  test('reports a full context, and the text at which it stopped', () => {
    const finish = { type: 'finish', choice: 0 };
    const full = decode(start(), ...end('model_context_window_exceeded'));
    expect(full).toContainEqual({ ...finish, reason: 'length', isContextFull: true });
    const stopped = { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } };
    const events = decode(start(), stopped, { type: 'message_stop' });
    expect(events).toContainEqual({ ...finish, reason: 'stop', stopSequence: 'END' });
  });

  test.each([
    ['end_turn', 'tool_calls'],
    ['max_tokens', 'length'],
  ])('with calls and the stop reason %s finishes with %s', (stop_reason, reason) => {
    const call = open(0, { type: 'tool_use', id: 'a', name: 'now', input: {} });
    expect(decode(start(), call, close(0), ...end(stop_reason))).toContainEqual({
      type: 'finish',
      choice: 0,
      reason,
    });
  });
});
