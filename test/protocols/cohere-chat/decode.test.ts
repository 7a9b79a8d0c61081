/** Decoding Cohere's answers, streamed or not. */
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../lib/core/generation/original/protocol.ts';
import { cohereChat } from '../../../lib/protocols/cohere-chat/protocol.ts';
import { decodeFrames, errorOf, expectGrammar, fold, only } from '../answer.ts';
import { citation } from '../events.ts';

const usage = {
  billed_units: { input_tokens: 12, output_tokens: 7 },
  tokens: { input_tokens: 507, output_tokens: 10 },
  cached_tokens: 448,
};
const frame = (data: object) => ({ event: '', data: JSON.stringify(data) });
const content = (type: string, index: number, part: object) =>
  frame({ type, index, delta: { message: { content: part } } });
const call = (type: string, index: number, part: object) =>
  frame({ type, index, delta: { message: { tool_calls: part } } });
const plan = (tool_plan: string) => frame({ type: 'tool-plan-delta', delta: { message: { tool_plan } } });
const end = (finish_reason: string) => frame({ type: 'message-end', delta: { finish_reason, usage } });
const start = frame({ type: 'message-start', delta: { message: { role: 'assistant', content: [] } } });

const stream = (...frames: readonly Frame[]) => decodeFrames(cohereChat, frames);

const thinkingAndText = {
  finish_reason: 'COMPLETE',
  message: {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm, Paris.' },
      { type: 'text', text: 'Paris is it.' },
    ],
  },
  usage,
};
const twoCalls = {
  finish_reason: 'TOOL_CALL',
  message: {
    role: 'assistant',
    tool_plan: 'I will look.',
    tool_calls: [
      { id: 'weather_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      { id: 'time_1', type: 'function', function: { name: 'time', arguments: 'null' } },
    ],
  },
  usage,
};

describe('a body and a stream of the same answer', () => {
  test('have the same thinking and text', () => {
    const streamed = stream(
      start,
      content('content-start', 0, { type: 'thinking', thinking: '' }),
      content('content-delta', 0, { thinking: 'Hm, ' }),
      content('content-delta', 0, { thinking: 'Paris.' }),
      frame({ type: 'content-end', index: 0 }),
      content('content-start', 1, { type: 'text', text: '' }),
      content('content-delta', 1, { text: 'Paris ' }),
      content('content-delta', 1, { text: 'is it.' }),
      frame({ type: 'content-end', index: 1 }),
      end('COMPLETE'),
    );
    const whole = cohereChat.decodeBody(thinkingAndText);
    for (const events of [whole, streamed]) expectGrammar(events);
    expect(fold(streamed)).toStrictEqual(fold(whole));
    expect(only(whole)).toMatchObject({
      reasoning: 'Hm, Paris.',
      text: 'Paris is it.',
      details: [{ type: 'reasoning.text', text: 'Hm, Paris.', format: 'cohere-v2', index: 0 }],
      finish: ['stop'],
    });
  });

  test('have the same plan and calls, and `null` as no arguments', () => {
    const streamed = stream(
      start,
      plan('I will '),
      plan('look.'),
      call('tool-call-start', 0, { id: 'weather_1', function: { name: 'weather', arguments: '' } }),
      call('tool-call-delta', 0, { function: { arguments: '{"city":' } }),
      call('tool-call-delta', 0, { function: { arguments: '"Oslo"}' } }),
      frame({ type: 'tool-call-end', index: 0 }),
      call('tool-call-start', 1, { id: 'time_1', function: { name: 'time', arguments: '' } }),
      call('tool-call-delta', 1, { function: { arguments: 'nu' } }),
      call('tool-call-delta', 1, { function: { arguments: 'll' } }),
      frame({ type: 'tool-call-end', index: 1 }),
      end('TOOL_CALL'),
    );
    const whole = cohereChat.decodeBody(twoCalls);
    for (const events of [whole, streamed]) expectGrammar(events);
    expect(fold(streamed)).toStrictEqual(fold(whole));
    expect(only(whole)).toMatchObject({
      reasoning: 'I will look.',
      details: [{ type: 'reasoning.summary', summary: 'I will look.', format: 'cohere-v2' }],
      calls: [
        { id: 'weather_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { id: 'time_1', name: 'time', arguments: '{}' },
      ],
      finish: ['tool_calls'],
    });
  });
});

describe('the arguments of a call', () => {
  const begun = (text: string, id = 'a') =>
    call('tool-call-start', 0, { id, function: { name: 'f', arguments: text } });
  const piece = (text: string) => call('tool-call-delta', 0, { function: { arguments: text } });
  const ended = frame({ type: 'tool-call-end', index: 0 });
  const argumentsOf = (...frames: readonly Frame[]) =>
    only(stream(start, ...frames, end('TOOL_CALL'))).calls.map(({ arguments: text }) => text);

  test.each([
    ['begin with the call', [begun('{"a"'), piece(':1}'), ended], ['{"a":1}']],
    ['are none as `null`, and white space around it', [begun(' nu'), piece('ll '), ended], ['{}']],
    ['are what only begins as `null`', [begun('nul'), piece('lify'), ended], ['nullify']],
    ['are none where nothing ends the call', [begun('null')], ['{}']],
    [
      'are not those that another call at its place held back',
      [begun('nu'), begun('{}', 'b'), ended],
      ['{}', '{}'],
    ],
    [
      'are not those that a call before it held back',
      [begun('nu'), ended, begun('{}', 'b'), ended],
      ['{}', '{}'],
    ],
  ])('%s', (_, frames, expected) => {
    expect(argumentsOf(...frames)).toStrictEqual(expected);
  });

  test('are not held back without end', () => {
    const blank = ' '.repeat(50);
    expect(argumentsOf(begun(blank), piece(blank), piece(' '), ended)).toStrictEqual([' '.repeat(101)]);
  });
});

test('a plan without a call ends with the answer', () => {
  expect(only(stream(start, plan(''), plan('I will.'), end('COMPLETE')))).toMatchObject({
    reasoning: 'I will.',
    details: [{ type: 'reasoning.summary', summary: 'I will.', index: 0 }],
    finish: ['stop'],
  });
  expect(stream(start, plan(''), end('COMPLETE')).map(({ type }) => type)).toStrictEqual([
    'start',
    'finish',
    'usage',
  ]);
});

test('nothing follows the end of an answer, and an answer may omit its start', () => {
  const events = stream(
    content('content-delta', 0, { text: 'Hi' }),
    end('COMPLETE'),
    plan('More.'),
    end('ERROR'),
  );
  expectGrammar(events);
  expect(only(events)).toMatchObject({ text: 'Hi', reasoning: '', finish: ['stop'] });
});

test('no more tokens are cached than there are', () => {
  const tokens = { input_tokens: 5, output_tokens: 1 };
  const body = { ...thinkingAndText, usage: { tokens, cached_tokens: 9 } };
  expect(fold(cohereChat.decodeBody(body)).usage).toMatchObject({ promptTokens: 5, cachedTokens: 5 });
});

test.each([
  ['nothing', {}],
  ['null', { tokens: null, billed_units: null }],
  ['a word', { tokens: 'many' }],
])('a usage of %s is unknown', (_name, unread) => {
  expect(fold(cohereChat.decodeBody({ ...thinkingAndText, usage: unread })).usage).toBeUndefined();
});

test('without those of the model, the usage is the billed units', () => {
  const { billed_units } = usage;
  expect(fold(cohereChat.decodeBody({ ...thinkingAndText, usage: { billed_units } })).usage).toMatchObject({
    promptTokens: 12,
    completionTokens: 7,
  });
});

test('the usage is that of the model, not the billed units', () => {
  expect(fold(cohereChat.decodeBody(thinkingAndText)).usage).toStrictEqual({
    promptTokens: 507,
    cachedTokens: 448,
    cacheWriteTokens: 0,
    completionTokens: 10,
    reasoningTokens: 0,
  });
});

test.each([
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
])('%s is %s', (reason, finish) => {
  const body = { ...thinkingAndText, finish_reason: reason };
  expect(only(cohereChat.decodeBody(body)).finish).toStrictEqual([finish]);
});

test('a source with a web address is an annotation; a document of the request is not', () => {
  const at = (document: object) => ({
    start: 0,
    end: 5,
    text: 'Paris',
    sources: [{ type: 'document', document }],
  });
  const citations = [
    at({ id: 'doc:0', title: 'notes.txt' }),
    at({ url: 'https://example.com/paris', title: 'Paris' }),
    { ...at({ url: 'https://example.com/plan' }), type: 'PLAN' },
    at({ url: 'file:///etc/passwd' }),
    at({ url: 'see https://example.com' }),
    {
      start: 1,
      type: 'TEXT_CONTENT',
      sources: [{ type: 'tool', tool_output: { url: 'HTTP://example.com/' } }],
    },
  ];
  const body = { ...thinkingAndText, message: { ...thinkingAndText.message, citations } };
  expect(only(cohereChat.decodeBody(body)).annotations).toStrictEqual([
    citation('https://example.com/paris', 'Paris', 0, 5),
    citation('HTTP://example.com/', '', 1, 0),
  ]);
});

describe('a malformed answer', () => {
  test.each(['ERROR', 'TIMEOUT'])('an answer that ends in %s has failed', (reason) => {
    expect(errorOf(() => stream(start, end(reason))).kind).toBe('upstream_failed');
  });

  test('unknown events, and the `[DONE]` of some hosts, are ignored', () => {
    const events = stream(start, frame({ type: 'debug' }), end('COMPLETE'), { event: '', data: '[DONE]' });
    expect(events.map(({ type }) => type)).toStrictEqual(['start', 'finish', 'usage']);
  });
});
