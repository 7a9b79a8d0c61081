/** Decoding Bedrock's answers, streamed or not: their content, their usage, and their failures. */
import { describe, expect, test } from 'vitest';
import type { FinishReason, GenerationEvent } from '../../../lib/core/generation/events.ts';
import { bedrockConverse } from '../../../lib/protocols/bedrock-converse/protocol.ts';
import { errorOf, joined } from '../answer.ts';
import { call, cited, detail, finish, reasoning, text, usage } from '../events.ts';
import {
  body,
  close,
  counts,
  decode,
  delta,
  frame,
  type Json,
  metadata,
  open,
  type Piece,
  redacted,
  start,
  stop,
} from './frames.ts';

const claude = 'anthropic-claude-v1';
const format = 'bedrock-converse-v1';
const thought = (reasoningContent: Json) => ({ reasoningContent });
const input = (piece: string) => ({ toolUse: { input: piece } });
const toolUse = (toolUseId: string, name: string, given = {}) => ({
  toolUse: { toolUseId, name, input: given },
});
const source = { title: 'A', location: { web: { url: 'https://a.example/' } } };

/** The pieces of a block. */
const block = (index: number, ...pieces: readonly Json[]): readonly Piece[] => [
  ...pieces.map((piece) => delta(index, piece)),
  close(index),
];
const done = [stop('end_turn'), metadata()];

/** Each answer as its body, as its stream, and the events that both must give. */
const answers: readonly [string, Json, readonly Piece[], readonly GenerationEvent[]][] = [
  [
    'text',
    body([{ text: 'Hello there' }]),
    [...block(0, { text: 'Hello' }, { text: ' there' }), ...done],
    [text('Hello there'), finish('stop')],
  ],
  ['no content', body([]), done, [finish('stop')]],
  [
    'signed and redacted reasoning before the text',
    body([
      thought({ reasoningText: { text: 'Hm. Yes.', signature: 'c2ln' } }),
      thought({ redactedContent: redacted }),
      { text: 'Yes.' },
    ]),
    [
      ...block(0, thought({ text: 'Hm. ' }), thought({ text: 'Yes.' }), thought({ signature: 'c2ln' })),
      ...block(1, thought({ redactedContent: redacted })),
      ...block(2, { text: 'Yes.' }),
      ...done,
    ],
    [
      reasoning('Hm. Yes.'),
      detail({ type: 'reasoning.text', text: 'Hm. Yes.', signature: 'c2ln', format: claude, index: 0 }),
      detail({ type: 'reasoning.encrypted', data: 'ZGF0YQ==', format: claude, index: 1 }),
      text('Yes.'),
      finish('stop'),
    ],
  ],
  [
    'unsigned reasoning',
    body([thought({ reasoningText: { text: 'Hm.' } }), { text: 'ok' }]),
    [...block(0, thought({ text: 'Hm.' })), ...block(1, { text: 'ok' }), ...done],
    [
      reasoning('Hm.'),
      detail({ type: 'reasoning.text', text: 'Hm.', format, index: 0 }),
      text('ok'),
      finish('stop'),
    ],
  ],
  [
    'parallel calls, one without arguments',
    body([toolUse('a', 'get', { city: 'Rome' }), toolUse('b', 'now')], 'tool_use'),
    [
      open(0, { toolUseId: 'a', name: 'get' }),
      ...block(0, input('{"city":'), input('"Rome"}')),
      open(1, { toolUseId: 'b', name: 'now' }),
      ...block(1, input('')),
      ['somethingNew', {}],
      metadata(),
      stop('tool_use'),
    ],
    [...call(0, 'a', 'get', '{"city":"Rome"}'), ...call(1, 'b', 'now', '{}'), finish('tool_calls')],
  ],
  [
    'JSON from the reserved tool',
    body([toolUse('a', 'json_response', { city: 'Rome' })], 'tool_use'),
    [
      open(0, { toolUseId: 'a', name: 'json_response' }),
      ...block(0, input('{"city":"Ro'), input('me"}')),
      stop('tool_use'),
      metadata(),
    ],
    [text('{"city":"Rome"}'), finish('stop')],
  ],
  [
    'a cited source',
    body([{ citationsContent: { content: [{ text: 'it rains' }], citations: [source] } }]),
    [...block(0, { text: 'it rains' }, { citation: source }), ...done],
    [text('it rains'), cited('https://a.example/', 'A', 0, 8), finish('stop')],
  ],
];

describe('an answer', () => {
  test.each(answers)('with %s is the same streamed or not', (_name, whole, stream, events) => {
    const expected = [{ type: 'start' }, ...events, usage()];
    expect(joined(bedrockConverse.decodeBody(whole))).toStrictEqual(expected);
    expect(decode(start, ...stream)).toStrictEqual(expected);
  });

  test.each<[string, FinishReason]>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
  ])('with the stop reason %s finishes with %s', (stopReason, reason) => {
    expect(decode(start, delta(0, { text: 'x' }), stop(stopReason))).toContainEqual(finish(reason));
    expect(bedrockConverse.decodeBody(body([{ text: 'x' }], stopReason))).toContainEqual(finish(reason));
  });

  test.each(['malformed_model_output', 'something_new'])(
    'with the stop reason %s may not be whole',
    (stopReason) => {
      const ended = { ...finish('stop'), isUnclear: true };
      expect(decode(start, delta(0, { text: 'x' }), stop(stopReason))).toContainEqual(ended);
      expect(bedrockConverse.decodeBody(body([{ text: 'x' }], stopReason))).toContainEqual(ended);
    },
  );

  test('reports a full context', () => {
    const events = decode(start, stop('model_context_window_exceeded'));
    expect(events).toContainEqual({ ...finish('length'), isContextFull: true });
  });

  test('without a start gets one', () => {
    expect(decode(delta(0, { text: 'x' }), stop('end_turn'))[0]).toStrictEqual({ type: 'start' });
  });

  test('has its open blocks closed', () => {
    const events = decode(start, open(0, { toolUseId: 'a', name: 'now' }), stop('tool_use'), metadata());
    expect(events).toContainEqual({ type: 'tool-arguments', choice: 0, call: 0, text: '{}' });
  });

  test('counts cached tokens as part of the prompt', () => {
    const cached = { ...counts, cacheReadInputTokens: 100, cacheWriteInputTokens: 20 };
    const expected = usage({ promptTokens: 130, cachedTokens: 100, cacheWriteTokens: 20 });
    const stream = decode(start, ...block(0, { text: 'x' }), stop('end_turn'), metadata(cached));
    expect(stream.at(-1)).toStrictEqual(expected);
    expect(bedrockConverse.decodeBody(body([{ text: 'x' }], 'end_turn', cached)).at(-1)).toStrictEqual(
      expected,
    );
  });
});

describe('details of a stream', () => {
  test('redacted reasoning that is no text is passed on as it is', () => {
    const content = Buffer.from([0, 255]).toString('base64');
    expect(decode(start, ...block(0, thought({ redactedContent: content })), ...done)).toContainEqual(
      detail({ type: 'reasoning.encrypted', data: content, format, index: 0 }),
    );
  });

  test('a source without an address is none, and a call without a name neither', () => {
    const nameless = open(1, { toolUseId: 'a' });
    const events = decode(
      start,
      ...block(0, { citation: { title: 'A' } }),
      nameless,
      ...block(1, input('{}')),
      ...done,
    );
    expect(events).toStrictEqual([{ type: 'start' }, finish('stop'), usage()]);
  });

  test('counts come once, the latest of them, with the tier that is named last', () => {
    const later = [
      'metadata',
      { usage: { inputTokens: 20, outputTokens: 5 }, serviceTier: { type: 'flex' } },
    ] as const;
    const events = decode(
      start,
      later,
      ['metadata', {}],
      stop('end_turn'),
      metadata(),
      delta(0, { text: 'No.' }),
    );
    expect(events).toStrictEqual([{ type: 'start' }, finish('stop'), { ...usage(), serviceTier: 'flex' }]);
    const early = decode(start, later, ['metadata', {}], stop('end_turn'));
    expect(early.at(-1)).toStrictEqual({ ...usage({ promptTokens: 20 }), serviceTier: 'flex' });
    expect(decode(start, stop('end_turn'), metadata({ inputTokens: -1 }))).toStrictEqual([
      { type: 'start' },
      finish('stop'),
    ]);
  });

  test('output that the provider could not parse is what there is of it', () => {
    const events = decode(start, open(0, { toolUseId: 'a', name: 'now' }), stop('malformed_tool_use'));
    expect(events).toContainEqual({ ...finish('tool_calls'), isUnclear: true });
  });
});

describe('a malformed stream', () => {
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
    const empty = () => decoder.onFrame({ event: 'messageStart', data: '' });
    expect(errorOf(empty).kind).toBe('upstream_invalid_answer');
  });
});
