/** Decoding Bedrock's answers, streamed or not. */

import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { bedrockConverse } from '../../../lib/protocols/bedrock-converse/protocol.ts';
import { joined } from '../answer.ts';
import { usage } from '../counts.ts';
import {
  body,
  close,
  decode,
  delta,
  type Json,
  metadata,
  open,
  type Piece,
  redacted,
  start,
  stop,
} from './frames.ts';

/** Each answer as its body, as its stream, and the events that both must give. */
const answers: readonly [string, Json, readonly Piece[], readonly GenerationEvent[]][] = [
  [
    'text',
    body([{ text: 'Hello there' }]),
    [
      start,
      delta(0, { text: 'Hello' }),
      delta(0, { text: ' there' }),
      close(0),
      stop('end_turn'),
      metadata(),
    ],
    [
      { type: 'start' },
      { type: 'text', choice: 0, text: 'Hello there' },
      { type: 'finish', choice: 0, reason: 'stop' },
      usage(),
    ],
  ],
  [
    'signed and redacted reasoning before the text',
    body([
      { reasoningContent: { reasoningText: { text: 'Hm. Yes.', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: redacted } },
      { text: 'Yes.' },
    ]),
    [
      start,
      delta(0, { reasoningContent: { text: 'Hm. ' } }),
      delta(0, { reasoningContent: { text: 'Yes.' } }),
      delta(0, { reasoningContent: { signature: 'c2ln' } }),
      close(0),
      delta(1, { reasoningContent: { redactedContent: redacted } }),
      close(1),
      delta(2, { text: 'Yes.' }),
      close(2),
      stop('end_turn'),
      metadata(),
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
      { type: 'text', choice: 0, text: 'Yes.' },
      { type: 'finish', choice: 0, reason: 'stop' },
      usage(),
    ],
  ],
  [
    'unsigned reasoning',
    body([{ reasoningContent: { reasoningText: { text: 'Hm.' } } }, { text: 'ok' }]),
    [
      start,
      delta(0, { reasoningContent: { text: 'Hm.' } }),
      close(0),
      delta(1, { text: 'ok' }),
      close(1),
      stop('end_turn'),
      metadata(),
    ],
    [
      { type: 'start' },
      { type: 'reasoning', choice: 0, text: 'Hm.' },
      {
        type: 'reasoning-detail',
        choice: 0,
        detail: { type: 'reasoning.text', text: 'Hm.', format: 'bedrock-converse-v1', index: 0 },
      },
      { type: 'text', choice: 0, text: 'ok' },
      { type: 'finish', choice: 0, reason: 'stop' },
      usage(),
    ],
  ],
  [
    'parallel calls, one without arguments',
    body(
      [
        { toolUse: { toolUseId: 'a', name: 'get', input: { city: 'Rome' } } },
        { toolUse: { toolUseId: 'b', name: 'now', input: {} } },
      ],
      'tool_use',
    ),
    [
      start,
      open(0, { toolUseId: 'a', name: 'get' }),
      delta(0, { toolUse: { input: '{"city":' } }),
      delta(0, { toolUse: { input: '"Rome"}' } }),
      close(0),
      open(1, { toolUseId: 'b', name: 'now' }),
      delta(1, { toolUse: { input: '' } }),
      close(1),
      ['somethingNew', {}],
      metadata(),
      stop('tool_use'),
    ],
    [
      { type: 'start' },
      { type: 'tool-call', choice: 0, call: 0, id: 'a', name: 'get' },
      { type: 'tool-arguments', choice: 0, call: 0, text: '{"city":"Rome"}' },
      { type: 'tool-call', choice: 0, call: 1, id: 'b', name: 'now' },
      { type: 'tool-arguments', choice: 0, call: 1, text: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
      usage(),
    ],
  ],
  [
    'JSON from the reserved tool',
    body([{ toolUse: { toolUseId: 'a', name: 'json_response', input: { city: 'Rome' } } }], 'tool_use'),
    [
      start,
      open(0, { toolUseId: 'a', name: 'json_response' }),
      delta(0, { toolUse: { input: '{"city":"Ro' } }),
      delta(0, { toolUse: { input: 'me"}' } }),
      close(0),
      stop('tool_use'),
      metadata(),
    ],
    [
      { type: 'start' },
      { type: 'text', choice: 0, text: '{"city":"Rome"}' },
      { type: 'finish', choice: 0, reason: 'stop' },
      usage(),
    ],
  ],
  [
    'a cited source',
    body([
      {
        citationsContent: {
          content: [{ text: 'it rains' }],
          citations: [{ title: 'A', location: { web: { url: 'https://a.example/' } } }],
        },
      },
    ]),
    [
      start,
      delta(0, { text: 'it rains' }),
      delta(0, { citation: { title: 'A', location: { web: { url: 'https://a.example/' } } } }),
      close(0),
      stop('end_turn'),
      metadata(),
    ],
    [
      { type: 'start' },
      { type: 'text', choice: 0, text: 'it rains' },
      {
        type: 'annotation',
        choice: 0,
        annotation: {
          type: 'url_citation',
          url_citation: { url: 'https://a.example/', title: 'A', start_index: 0, end_index: 8 },
        },
      },
      { type: 'finish', choice: 0, reason: 'stop' },
      usage(),
    ],
  ],
];

describe('an answer', () => {
  test.each(answers)('with %s is the same streamed or not', (_name, whole, stream, expected) => {
    expect(joined(bedrockConverse.decodeBody(whole))).toEqual(expected);
    expect(decode(...stream)).toEqual(expected);
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
    ['malformed_model_output', 'stop'],
    ['something_new', 'stop'],
  ])('with the stop reason %s finishes with %s', (stopReason, reason) => {
    const finish = { type: 'finish', choice: 0, reason };
    expect(decode(start, delta(0, { text: 'x' }), stop(stopReason))).toContainEqual(finish);
    expect(bedrockConverse.decodeBody(body([{ text: 'x' }], stopReason))).toContainEqual(finish);
  });

  test('reports a full context', () => {
    const finish = { type: 'finish', choice: 0, reason: 'length', isContextFull: true };
    expect(decode(start, stop('model_context_window_exceeded'))).toContainEqual(finish);
  });

  test('without a start gets one', () => {
    expect(decode(delta(0, { text: 'x' }), stop('end_turn'))[0]).toEqual({ type: 'start' });
  });

  test('has its open blocks closed', () => {
    const events = decode(start, open(0, { toolUseId: 'a', name: 'now' }), stop('tool_use'), metadata());
    expect(events).toContainEqual({ type: 'tool-arguments', choice: 0, call: 0, text: '{}' });
  });
});
