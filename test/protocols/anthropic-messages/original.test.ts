/** Requests of callers of the Messages API, and the events of their answers, which pass as they came. */
import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { OriginalRequest } from '../../../lib/core/generation/original/original.ts';
import type { Frame } from '../../../lib/core/generation/original/protocol.ts';
import { isContent, isEventName } from '../../../lib/protocols/anthropic-messages/original.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { errorOf } from '../answer.ts';
import { newTarget } from '../requests.ts';
import { block, emptyText, end, frame, type Json, message, start, textPiece } from './frames.ts';

const encode = (headers: OriginalRequest['headers'], body: Json = {}) =>
  anthropicMessages.encodeOriginal?.(
    { protocol: 'anthropic-messages', body: { model: 'any', ...body }, headers },
    newTarget(),
    false,
  );

describe('a request', () => {
  test('is its body, with the name that the target has', () => {
    expect(encode({}, { max_tokens: 5, newer: true })?.body).toStrictEqual({
      model: 'upstream-model',
      max_tokens: 5,
      newer: true,
    });
  });

  const [usual, later] = ['2023-06-01', '2026-10-21'];

  test.each<[string, OriginalRequest['headers'], Json, object]>([
    ['has a version', {}, {}, { 'anthropic-version': usual }],
    [
      'has its betas',
      { 'anthropic-beta': 'a,b' },
      {},
      { 'anthropic-version': usual, 'anthropic-beta': 'a,b' },
    ],
    ['has no empty betas', { 'anthropic-beta': '' }, {}, { 'anthropic-version': usual }],
    ['has the later version', { 'anthropic-version': later }, {}, { 'anthropic-version': later }],
    ['has no unknown version', { 'anthropic-version': '2030-01-01' }, {}, { 'anthropic-version': usual }],
    ...['temperature', 'top_p', 'top_k'].map((name): [string, OriginalRequest['headers'], Json, object] => [
      `has the earlier version for its ${name}`,
      { 'anthropic-version': later },
      { [name]: 1 },
      { 'anthropic-version': usual },
    ]),
  ])('%s', (_, headers, body, expected) => {
    expect(encode(headers, body)?.headers).toStrictEqual(expected);
  });
});

/** The events that a caller gets: name, data, and whether a part of the answer has come. */
function passed(...frames: readonly Frame[]) {
  const decoder = anthropicMessages.decodeStream('original');
  return upstreamIn(frames.flatMap((one) => decoder.onFrame(one)));
}

const upstreamIn = (events: readonly GenerationEvent[]) =>
  events.flatMap((event) => (event.type === 'upstream' ? [[event.name, event.data, event.isContent]] : []));

describe('an answer', () => {
  const written = [start(), { type: 'ping' }, ...block(0, emptyText, textPiece('Hi')), ...end('end_turn')];

  test('passes as it came, before what it means', () => {
    const decoder = anthropicMessages.decodeStream('original');
    const events = written.map(frame).flatMap((one) => decoder.onFrame(one));
    const begun = written.findIndex(({ type }) => type === 'content_block_delta');
    expect(upstreamIn(events)).toStrictEqual(
      written.map((event, position) => [event.type, JSON.stringify(event), position >= begun]),
    );
    expect(events.filter(({ type }) => type !== 'upstream').map(({ type }) => type)).toStrictEqual([
      'start',
      'text',
      'finish',
      'usage',
    ]);
    expect(decoder.onEnd()).toStrictEqual([]);
  });

  test('has each event on one line, with its type', () => {
    const lines = { event: 'ping', data: '{"type":\n"ping"}' };
    const untyped = { event: 'ping', data: '{"at": 1}' };
    const spaced = { event: '', data: '{"type": "ping"}' };
    expect(passed(frame(start()), lines, untyped, spaced).slice(1)).toStrictEqual([
      ['ping', '{"type":"ping"}', false],
      ['ping', '{"type":"ping","at":1}', false],
      ['ping', '{"type": "ping"}', false],
    ]);
  });

  test('passes its start once, nothing behind its end, and no event without a name', () => {
    const nameless = [{ type: 'a b' }, { type: 7 }, { type: '' }] as readonly Json[];
    const events = [start(), start(), ...nameless, ...end('end_turn'), { type: 'ping' }];
    expect(passed(...events.map(frame)).map(([name]) => name)).toStrictEqual([
      'message_start',
      'message_delta',
      'message_stop',
    ]);
  });

  test('may have a ping before its start, but no part of it', () => {
    expect(passed(frame({ type: 'ping' }), frame(start())).map(([name]) => name)).toStrictEqual([
      'ping',
      'message_start',
    ]);
    const [begun] = block(0, emptyText);
    expect(errorOf(() => passed(frame(begun ?? {}))).kind).toBe('upstream_invalid_answer');
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'No.' } };
    expect(errorOf(() => passed(frame(error))).kind).toBe('upstream_overloaded');
  });

  test('that is a body passes whole', () => {
    const content = [{ type: 'text', text: 'Hi' }];
    const [whole, ...others] = anthropicMessages.decodeBody(message({ content }), 'original');
    expect(whole).toStrictEqual({
      type: 'upstream',
      choice: 0,
      name: 'message',
      data: message({ content }),
      isContent: true,
    });
    expect(others).toStrictEqual(anthropicMessages.decodeBody(message({ content })));
    expect(anthropicMessages.decodeBody(message(), 'original')[0]).toMatchObject({ isContent: false });
  });
});

test.each<[Json, boolean]>([
  [{ type: 'content_block_start', content_block: { type: 'text', text: '' } }, false],
  [{ type: 'content_block_start', content_block: { type: 'text', text: '', citations: [] } }, false],
  [{ type: 'content_block_start', content_block: { type: 'text', text: '', citations: null } }, false],
  [{ type: 'content_block_start', content_block: { type: 'text', text: 'Hi' } }, true],
  [{ type: 'content_block_start', content_block: { type: 'thinking', thinking: '', signature: '' } }, false],
  [
    { type: 'content_block_start', content_block: { type: 'thinking', thinking: '', signature: 'c2ln' } },
    true,
  ],
  [{ type: 'content_block_start', content_block: { type: 'tool_use' } }, true],
  [{ type: 'content_block_delta', delta: { type: 'text_delta', text: '' } }, false],
  [{ type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hi' } }, true],
  [{ type: 'content_block_delta', delta: { type: 'citations_delta', citation: {} } }, true],
  [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, false],
  [{ type: 'message_start', message: {} }, false],
])('%j is content: %s', (event, expected) => {
  expect(isContent(event)).toBe(expected);
});

test.each([
  ['message_start', true],
  ['a-b.c_9', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['', false],
  ['a b', false],
  [' a', false],
  ['a\nb', false],
  [7, false],
])('%j is a name of an event: %s', (name, expected) => {
  expect(isEventName(name)).toBe(expected);
});
