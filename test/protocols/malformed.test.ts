/** Slightly malformed answers, found by feeding decoders with mutated ones. */
import { describe, expect, test } from 'vitest';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { asCount, asIndex, lookUp } from '../../lib/protocols/json.ts';
import { openaiChat } from '../../lib/protocols/openai-chat/protocol.ts';
import { decodeFrames, errorOf, only, toFrames } from './answer.ts';

const chunk = (delta: object, finish_reason: string | null = null, index: unknown = 0) => ({
  choices: [{ index, delta, finish_reason }],
});
const callOf = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });

describe('the OpenAI protocol', () => {
  test('numbers a call whose name arrives late when it is emitted', () => {
    const events = decodeFrames(
      openaiChat,
      toFrames([
        chunk(callOf(0, { id: 'call_a', function: { arguments: '{"a":' } })),
        chunk(callOf(1, { id: 'call_b', function: { name: 'second', arguments: '{}' } })),
        chunk(callOf(0, { function: { name: 'first', arguments: '1}' } })),
        chunk({}, 'tool_calls'),
      ]),
    );
    expect(only(events).calls).toStrictEqual([
      { id: 'call_b', name: 'second', arguments: '{}' },
      { id: 'call_a', name: 'first', arguments: '{"a":1}' },
    ]);
  });

  test.each([-1, 1.5, '0', null, 1e300])('assigns a choice numbered %j to its position', (index) => {
    const events = decodeFrames(openaiChat, toFrames([chunk({ content: 'Hi' }, 'stop', index)]));
    expect(only(events)).toMatchObject({ text: 'Hi', finish: ['stop'] });
  });
});

describe('protocols with blocks', () => {
  const body = (block: object, stop_reason = 'tool_use') => ({
    type: 'message',
    content: [block],
    stop_reason,
  });

  test('generate an id for a call without one', () => {
    const [call] = only(
      anthropicMessages.decodeBody(body({ type: 'tool_use', name: 'stop', input: {} })),
    ).calls;
    expect(call).toMatchObject({ id: expect.stringMatching(/^call_./), name: 'stop', arguments: '{}' });
  });

  test('do not emit a call without a name', () => {
    const error = errorOf(() => anthropicMessages.decodeBody(body({ type: 'tool_use', id: 'a', input: {} })));
    expect(error).toMatchObject({ kind: 'upstream_invalid_answer' });
  });

  test('emit the arguments of a call whose block was replaced by another', () => {
    const piece = (event: string, data: object) => ({ event, data: JSON.stringify(data) });
    const start = (name: string) => ({ contentBlockIndex: 0, start: { toolUse: { toolUseId: name, name } } });
    const events = decodeFrames(bedrockConverse, [
      piece('contentBlockStart', start('one')),
      piece('contentBlockStart', start('two')),
      piece('messageStop', { stopReason: 'tool_use' }),
    ]);
    expect(only(events).calls.map(({ name, arguments: text }) => [name, text])).toStrictEqual([
      ['one', '{}'],
      ['two', '{}'],
    ]);
  });

  test.each(['constructor', '__proto__', 'toString'])('treat a reason called %s as unknown', (reason) => {
    expect(
      only(anthropicMessages.decodeBody(body({ type: 'text', text: 'Hi' }, reason))).finish,
    ).toStrictEqual(['stop']);
    const error = errorOf(() => anthropicMessages.decodeBody({ type: 'error', error: { type: reason } }));
    expect(error).toMatchObject({ kind: 'upstream_failed' });
  });
});

test('invalid counts are zero', () => {
  expect([1e308, -1, Number.NaN, '7', 2.9].map(asCount)).toStrictEqual([0, 0, 0, 0, 2]);
  expect([3, -1, 2.5, null].map((value) => asIndex(value, 9))).toStrictEqual([3, 9, 9, 9]);
  expect([lookUp({ a: 1 }, 'a'), lookUp({ a: 1 }, 'valueOf')]).toStrictEqual([1, undefined]);
});
