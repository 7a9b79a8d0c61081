/** The blocks of a message, their signatures, its end and its usage, from the events of an answer. */

import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { claudeFormat, openaiFormat } from '../../../lib/core/generation/reasoning-format.ts';
import type { ReasoningDetail } from '../../../lib/core/generation/request.ts';
import { openSignature } from '../../../lib/operations/messages/signature.ts';
import type { MessageSeen } from '../../harness/messages.ts';
import {
  argument,
  call,
  counted,
  finish,
  reasoning,
  signature,
  start,
  streamText,
  text,
  usage,
  written,
} from './writing.ts';

const end = [finish(), counted];
const called = [finish('tool_calls'), counted];

/** The blocks, shortly. */
const outline = ({ content }: MessageSeen) =>
  content.map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'thinking') return `(${block.thinking})`;
    return `${block.name}${JSON.stringify(block.input)}`;
  });

describe('blocks', () => {
  test('come in the order of the events', async () => {
    const events = [reasoning('a'), text('b'), reasoning('c'), call(0), argument(0, '{}'), text('d')];
    expect(outline(await written([start, ...events, ...end]))).toEqual(['(a)', 'b', '(c)', 'tool_0{}', 'd']);
  });

  test('of several messages are several', async () => {
    const next = { type: 'message', choice: 0 } as const;
    expect(outline(await written([start, next, text('a'), next, text('b'), ...end]))).toEqual(['a', 'b']);
  });

  test('of an empty answer are none', async () => {
    expect(await written([start, ...end])).toMatchObject({ content: [], stop_reason: 'end_turn' });
  });

  test('have no empty texts', async () => {
    expect(outline(await written([start, text(''), reasoning(''), text('a'), text(''), ...end]))).toEqual([
      'a',
    ]);
  });
});

describe('thinking', () => {
  const signatures = ({ content }: MessageSeen) =>
    content.flatMap((block) => (block.type === 'thinking' ? [openSignature(String(block.signature))] : []));

  test('ends with a signature that holds what the model needs back', async () => {
    const message = await written([start, reasoning('a'), signature('s', 'call_0'), call(0), ...called]);
    expect(outline(message)).toEqual(['(a)', 'tool_0{}']);
    expect(signatures(message)).toMatchObject([{ details: [{ data: 's', id: 'call_0' }] }]);
  });

  test('that belongs to a call has a block of its own before it', async () => {
    const events = [text('a'), signature('s', 'call_0'), call(0), signature('t', 'call_1'), call(1)];
    const message = await written([start, ...events, ...called]);
    expect(outline(message)).toEqual(['a', '()', 'tool_0{}', '()', 'tool_1{}']);
    expect(signatures(message)).toMatchObject([{ details: [{ data: 's' }] }, { details: [{ data: 't' }] }]);
  });

  test('is not the last block after a text', async () => {
    expect(outline(await written([start, text('a'), signature('s'), ...end]))).toEqual(['a']);
    const readable = [text('a'), reasoning('b'), signature('s'), reasoning('c')];
    expect(outline(await written([start, ...readable, ...end]))).toEqual(['a']);
    expect(outline(await written([start, ...readable, text('d'), ...end]))).toEqual(['a', '(bc)', 'd']);
    expect(outline(await written([start, call(0), reasoning('b'), ...called]))).toEqual(['tool_0{}']);
  });

  test('between two pieces of a text does not part them where it is not shown', async () => {
    const events = [start, text('a'), reasoning('b'), text('c'), ...end];
    expect(outline(await written(events, { thinking: 'none' }))).toEqual(['ac']);
  });

  test('that is all there is stays', async () => {
    expect(outline(await written([start, signature('s'), finish('length'), counted]))).toEqual(['()']);
  });

  test('that is empty does not hide the call after it', async () => {
    expect(outline(await written([start, reasoning(''), call(0), ...called]))).toEqual(['tool_0{}']);
  });

  test('is hidden, or left out whole', async () => {
    const events = [start, reasoning('a'), signature('s', 'call_0'), call(0), ...called];
    expect(outline(await written(events, { thinking: 'signatures' }))).toEqual(['()', 'tool_0{}']);
    expect(outline(await written(events, { thinking: 'none' }))).toEqual(['tool_0{}']);
  });
});

describe('calls', () => {
  test('whose pieces come in turns are written one after the other', async () => {
    const events = [
      call(0),
      call(1),
      argument(1, '{"x":"}'),
      argument(0, '{"y":'),
      call(2),
      argument(1, '{"}'),
      argument(2, '{}'),
      argument(0, '[1]}'),
      text('after'),
    ];
    expect(outline(await written([start, ...events, ...called]))).toEqual([
      'tool_0{"y":[1]}',
      'tool_1{"x":"}{"}',
      'tool_2{}',
      'after',
    ]);
  });

  test('are written at once when the one before is whole', async () => {
    const events = [start, call(0), argument(0, '{}'), call(1), argument(1, '{"a"')];
    const soFar = await streamText(events).catch((error) => String(error));
    expect(soFar).toContain('before it was complete');
    const all = await streamText([...events, argument(1, ':1}'), ...called]);
    const stopOfFirst = all.indexOf('event: content_block_stop');
    expect(all.indexOf('tool_1')).toBeGreaterThan(stopOfFirst);
    expect(all.match(/input_json_delta/g)).toHaveLength(3);
  });

  test.each([
    ['nothing', '', {}],
    ['white space', ' \n', {}],
    ['null', 'null', {}],
    ['an object as a text', '"{\\"a\\":1}"', { a: 1 }],
    ['an object after white space', ' {"a":1}\n', { a: 1 }],
  ])('may have %s as arguments', async (_name, given, input) => {
    const pieces = [...given].map((piece) => argument(0, piece));
    const { content, stop_reason } = await written([start, call(0), ...pieces, call(1), ...called]);
    expect(content.map((block) => block.input)).toEqual([input, {}]);
    expect(stop_reason).toBe('tool_use');
  });

  test.each(['{"a":', '[1]', '1', '"a"', '{}{"a":1}', '{"a":1} x'])(
    'fail the answer with %s',
    async (given) => {
      const events = [start, text('a'), call(0), argument(0, given), call(1), argument(1, '{}'), ...called];
      await expect(streamText(events)).rejects.toMatchObject({
        kind: 'upstream_invalid_call',
        message: expect.stringContaining("'tool_0'"),
      });
    },
  );

  test('that were cut are shown as they are, and are not to be made', async () => {
    const { content, stop_reason } = await written([
      start,
      call(0),
      argument(0, '{"a":'),
      finish('length'),
      counted,
    ]);
    expect([content[0]?.input, stop_reason]).toEqual([{ INVALID_JSON: '{"a":' }, 'max_tokens']);
  });

  test('that a filter cut are a refusal, and not to be made', async () => {
    const cut = [start, call(0), argument(0, '{"a":'), finish('content_filter'), counted];
    const { content, stop_reason } = await written(cut);
    expect([content[0]?.input, stop_reason]).toEqual([{ INVALID_JSON: '{"a":' }, 'refusal']);
  });

  test.each(['', '{}'])('that were cut before their input (%j) are not to be made', async (given) => {
    const events = [start, call(0), argument(0, '{"a":1}'), call(1), argument(1, given)];
    expect((await written([...events, finish('length'), counted])).stop_reason).toBe('max_tokens');
    expect((await written([...events, finish('stop'), counted])).stop_reason).toBe('tool_use');
  });

  test('have ids that Claude takes back', async () => {
    const odd = { type: 'tool-call', choice: 0, call: 0, id: 'functions.read:0', name: 'read' } as const;
    const { content } = await written([start, odd, ...called]);
    expect(content[0]?.id).toMatch(/^[\w-]{1,64}$/);
  });
});

describe('the end', () => {
  test.each([
    ['stop', {}, 'end_turn'],
    ['length', {}, 'max_tokens'],
    ['length', { isContextFull: true }, 'model_context_window_exceeded'],
    ['tool_calls', {}, 'end_turn'],
  ] as const)('%s %o is %s', async (reason, more, expected) => {
    const message = await written([start, text('a'), finish(reason, more), counted]);
    expect(message).toMatchObject({ stop_reason: expected, stop_sequence: null, stop_details: null });
  });

  test.each(['stop', 'length', 'tool_calls'] as const)(
    '%s after a whole call is tool_use',
    async (reason) => {
      const message = await written([start, call(0), argument(0, '{"a":1}'), finish(reason), counted]);
      expect(message.stop_reason).toBe('tool_use');
    },
  );

  test('names the stop sequence that the caller gave, and no other', async () => {
    const events = [start, text('a'), finish('stop', { stopSequence: 'END' }), counted];
    const stopped = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
    expect(await written(events, { stopSequences: ['X', 'END'] })).toMatchObject(stopped);
    expect(await written(events)).toMatchObject({ stop_reason: 'end_turn', stop_sequence: null });
  });

  test('of a refusal explains it', async () => {
    const refused = { type: 'refusal', choice: 0, text: 'No.' } as const;
    const explained = { type: 'refusal', category: null, explanation: 'No.' };
    const message = await written([start, refused, ...end]);
    expect(message).toMatchObject({ content: [], stop_reason: 'refusal', stop_details: explained });
    const filtered = await written([start, text('a'), finish('content_filter'), counted]);
    expect(filtered).toMatchObject({ stop_reason: 'refusal', stop_details: { explanation: null } });
  });

  test('that does not come is an error', async () => {
    await expect(streamText([start, text('a')])).rejects.toMatchObject({ kind: 'upstream_cut' });
  });

  test('has the facts that were asked for', async () => {
    const more = { cost: () => ({ cost: null }), debug: () => ({ routing: [] }) };
    const message = await written([start, text('a'), ...end], more);
    expect(message.debug).toEqual({ routing: [] });
    expect(message.usage.cost).toBeNull();
  });
});

describe('usage', () => {
  const of = async (more: object, tier = {}) => {
    const counts = { type: 'usage', usage: { ...usage, ...more }, ...tier } as const;
    return (await written([start, text('a'), finish(), counts])).usage;
  };

  test('excludes what was cached from the input', async () => {
    const counts = { promptTokens: 100, cachedTokens: 60, cacheWriteTokens: 30, cacheWriteHourTokens: 10 };
    expect(await of(counts)).toEqual({
      input_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
      output_tokens: 4,
      output_tokens_details: { thinking_tokens: 1 },
      server_tool_use: null,
      service_tier: 'standard',
      inference_geo: null,
    });
  });

  test.each([
    [{ promptTokens: 5, cachedTokens: 9 }, [0, 5, 0]],
    [
      { promptTokens: 2_168, cachedTokens: 2_161, cacheWriteTokens: 2_161, cacheWriteHourTokens: 9 },
      [0, 2_161, 7],
    ],
  ])('of %j has no more input than there was', async (counts, expected) => {
    const { cache_creation, ...seen } = (await of(counts)) as Record<string, unknown>;
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = seen;
    expect([input_tokens, cache_read_input_tokens, cache_creation_input_tokens]).toEqual(expected);
    expect(cache_creation).toEqual({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: expected[2] });
  });

  test.each([
    ['default', 'standard'],
    ['standard', 'standard'],
    ['on_demand', 'standard'],
    ['priority', 'priority'],
    ['batch', 'batch'],
  ])('of the tier %s is %s', async (serviceTier, expected) => {
    expect(await of({}, { serviceTier })).toMatchObject({ service_tier: expected });
  });

  test('has the same tier at the beginning of a stream, where the SDK reads it', async () => {
    const tierIn = async (events: readonly GenerationEvent[]) => {
      const [, tier] = /message_start.*?"service_tier":(null|"\w+")/.exec(await streamText(events)) ?? [];
      return [JSON.parse(tier ?? 'null'), (await written(events)).usage.service_tier];
    };
    const counts = { type: 'usage', usage, serviceTier: 'default' } as const;
    expect(await tierIn([start, text('a'), finish(), counts])).toEqual(['standard', 'standard']);
    const flex = { ...start, serviceTier: 'flex' } as const;
    expect(await tierIn([flex, text('a'), finish()])).toEqual([null, null]);
  });

  test.each([
    ['was not counted', []],
    [
      'was counted as nothing',
      [{ type: 'usage', usage: { ...usage, promptTokens: 0, completionTokens: 0 } }],
    ],
  ] as const)('that %s is estimated', async (_name, counts) => {
    const events = [start, reasoning('12345678'), text('1234'), call(0), argument(0, '{"a":1}')];
    const { usage: estimated } = await written([...events, finish(), ...counts]);
    expect(estimated).toMatchObject({ input_tokens: 12, output_tokens: 5, output_tokens_details: null });
  });
});

const detailEvent = (detail: ReasoningDetail): GenerationEvent => ({
  type: 'reasoning-detail',
  choice: 0,
  detail,
});

const signed = detailEvent({
  type: 'reasoning.text',
  text: 'I look.',
  signature: 'EqQB',
  format: claudeFormat,
  index: 0,
});
const redacted = detailEvent({ type: 'reasoning.encrypted', data: 'EmwK', format: claudeFormat, index: 1 });

const ofClaude = [start, reasoning('I '), reasoning('look.'), signed, redacted, text('Done.'), ...end];

test.each([
  ['shown', 'all'],
  ['to be hidden, which Claude checks with the signature', 'signatures'],
] as const)("Claude's thinking has its own signature, with the text %s", async (_, thinking) => {
  const { content } = await written(ofClaude, { thinking });
  expect(content).toEqual([
    { type: 'thinking', thinking: 'I look.', signature: 'EqQB' },
    { type: 'redacted_thinking', data: 'EmwK' },
    { type: 'text', text: 'Done.' },
  ]);
});

test("Claude's thinking without text keeps its block", async () => {
  const unseen = detailEvent({
    type: 'reasoning.text',
    text: '',
    signature: 'EqQB',
    format: claudeFormat,
    index: 0,
  });
  const { content } = await written([start, unseen, text('Done.'), ...end]);
  expect(content[0]).toEqual({ type: 'thinking', thinking: '', signature: 'EqQB' });
});

test("what Claude did not sign gets the gateway's signature, which does not claim to be Claude's", async () => {
  const unsigned = detailEvent({ type: 'reasoning.text', text: 'I look.', format: claudeFormat, index: 0 });
  const { content } = await written([start, reasoning('I look.'), unsigned, text('Done.'), ...end]);
  expect(content[0]).toMatchObject({ type: 'thinking', thinking: 'I look.' });
  expect(openSignature(String(content[0]?.signature))).toMatchObject({ format: 'acme', details: [] });
});

test('hidden thinking without details is kept in the signature', async () => {
  const { content } = await written([start, reasoning('One. '), reasoning('Two.'), text('Done.'), ...end], {
    thinking: 'signatures',
  });
  expect(content[0]?.thinking).toBe('');
  expect(openSignature(String(content[0]?.signature))?.unseen).toBe('One. Two.');
});

test('hidden thinking with details is not kept twice', async () => {
  const summary = detailEvent({
    type: 'reasoning.summary',
    summary: 'One.',
    format: openaiFormat,
    index: 0,
    id: 'rs_1',
  });
  const { content } = await written([start, reasoning('One.'), summary, text('Done.'), ...end], {
    thinking: 'signatures',
  });
  const encoded = openSignature(String(content[0]?.signature));
  expect([encoded?.unseen, encoded?.details]).toEqual([
    undefined,
    [expect.objectContaining({ summary: 'One.' })],
  ]);
});

test('an answer that ended while it thought is its thinking', async () => {
  const { content } = await written([start, reasoning('One.'), ...end]);
  expect(content.map(({ type }) => type)).toEqual(['thinking']);
});
