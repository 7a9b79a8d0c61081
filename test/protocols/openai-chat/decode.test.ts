/** Decoding answers of the OpenAI chat protocol, streamed or not. */
import { describe, expect, test } from 'vitest';
import { openaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { decodeFrames, errorOf, expectGrammar, fold, only, toFrames } from '../answer.ts';
import { citation } from '../events.ts';

const chunk = (delta: object, others: object = {}) => ({
  object: 'chat.completion.chunk',
  system_fingerprint: 'fp_1',
  choices: [{ index: 0, delta, finish_reason: null, ...others }],
});
const finish = (reason: string | null, others: object = {}) => ({
  ...chunk({}, { finish_reason: reason }),
  ...others,
});
const bodyOf = (message: object, others: object = {}, finish_reason: string | null = 'stop') => ({
  object: 'chat.completion',
  system_fingerprint: 'fp_1',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason, ...others }],
});
const usage = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 4 },
};
const usageChunk = { choices: [], usage };
const stream = (...items: unknown[]) => decodeFrames(openaiChat, toFrames(items));
const call = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  text?: unknown,
) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: 'function',
  function: { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) },
});
const calls = (...items: object[]) => chunk({ tool_calls: items });

describe('a stream and a body of the same answer', () => {
  const logprob = {
    token: 'a',
    logprob: -0.5,
    bytes: [97],
    top_logprobs: [{ token: 'a', logprob: -0.5, bytes: [97] }],
  };
  const parts = (...texts: readonly string[]) => texts.map((text) => ({ type: 'text', text }));
  const thinking = { type: 'thinking', thinking: parts('think') };
  const annotations = [citation('https://a.example', 'A', 0, 1)];
  const spoken = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };
  const hidden = { type: 'reasoning.encrypted', data: 'ZGF0YQ==', id: 'x', format: 'other', index: 1 };
  const signed = { ...spoken, text: 'one two', signature: 'c2ln' };
  const piecesOfDetails = [
    { ...spoken, text: 'one' },
    { ...spoken, text: ' two' },
    { type: 'reasoning.text', signature: 'c2ln', index: 0 },
    hidden,
  ];
  const pieces = (...deltas: readonly object[]) => [...deltas.map((delta) => chunk(delta)), finish('stop')];
  const likely = { logprobs: { content: [logprob], refusal: null } };
  const cases = {
    'text with usage': {
      chunks: [
        ...pieces({ role: 'assistant', content: '' }, { content: 'Hel' }, { content: 'lo' }),
        usageChunk,
      ],
      body: { ...bodyOf({ content: 'Hello' }), usage },
    },
    reasoning_content: {
      chunks: pieces({ reasoning_content: 'think' }, { content: 'yes' }),
      body: bodyOf({ reasoning_content: 'think', content: 'yes' }),
    },
    reasoning: {
      chunks: pieces({ reasoning: 'thi' }, { reasoning: 'nk' }, { content: 'yes' }),
      body: bodyOf({ reasoning: 'think', content: 'yes' }),
    },
    'content as an array with thinking': {
      chunks: pieces(
        { content: [thinking] },
        { content: [...parts('yes'), { type: 'reference', reference_ids: [1] }] },
      ),
      body: bodyOf({ content: [thinking, ...parts('yes')] }),
    },
    'a refusal': {
      chunks: pieces({ refusal: 'I ca' }, { refusal: 'nnot' }),
      body: bodyOf({ content: null, refusal: 'I cannot' }),
    },
    'parallel calls, one without arguments': {
      chunks: [
        calls(call(0, 'a', 'f', '')),
        calls(call(1, 'b', 'g', '')),
        calls(call(0, undefined, undefined, '{"x"'), call(1, undefined, undefined, '')),
        calls(call(0, undefined, undefined, ':1}')),
        finish('tool_calls'),
      ],
      body: bodyOf(
        { content: null, tool_calls: [call(undefined, 'a', 'f', '{"x":1}'), call(undefined, 'b', 'g', '')] },
        {},
        'tool_calls',
      ),
    },
    logprobs: {
      chunks: [chunk({ content: 'a' }, likely), finish('stop')],
      body: bodyOf({ content: 'a' }, likely),
    },
    annotations: {
      chunks: pieces({ content: 'a' }, { annotations }),
      body: bodyOf({ content: 'a', annotations }),
    },
    'reasoning details': {
      chunks: pieces(...piecesOfDetails.map((detail) => ({ reasoning_details: [detail] })), {
        content: 'yes',
      }),
      body: bodyOf({ content: 'yes', reasoning_details: [signed, hidden] }),
    },
  };

  test.each(Object.entries(cases))('%s', (_, { chunks, body }) => {
    const streamed = stream(...chunks, '[DONE]');
    const whole = openaiChat.decodeBody(body);
    expectGrammar(streamed);
    expectGrammar(whole);
    expect(fold(streamed)).toStrictEqual(fold(whole));
    expect(streamed[0]).toStrictEqual(whole[0]);
  });

  test('have their expected content', () => {
    const whole = (name: keyof typeof cases) => only(openaiChat.decodeBody(cases[name].body));
    expect(whole('reasoning details')).toMatchObject({ text: 'yes', reasoning: 'one two' });
    expect(whole('reasoning details').details).toStrictEqual([signed, hidden]);
    expect(whole('parallel calls, one without arguments').calls).toStrictEqual([
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'g', arguments: '{}' },
    ]);
    expect(whole('content as an array with thinking')).toMatchObject({ reasoning: 'think', text: 'yes' });
    expect(whole('logprobs').logprobs).toStrictEqual([logprob]);
    expect(whole('annotations').annotations).toStrictEqual(annotations);
  });
});

describe('tool calls of unusual hosts', () => {
  const one = [['a', 'f', '{"x":1}']];
  const two = [
    ['a', 'f', '{}'],
    ['b', 'f', '{"y":2}'],
  ];
  test.each([
    ['repeated ids and names are emitted once', [call(0, 'a', 'f', '{"x"'), call(0, 'a', 'f', ':1}')], one],
    [
      'repeated ids and names without an index too',
      [call(undefined, 'a', 'f', '{"x"'), call(undefined, 'a', 'f', ':1}')],
      one,
    ],
    [
      'a new id at the same index is another call',
      [call(0, 'a', 'f', '{}'), call(0, 'b', 'f', '{"y":2}')],
      two,
    ],
    [
      'a changing id without a name continues the same call',
      [call(0, 'a', 'f', '{"x":'), call(0, 'b', undefined, '1}')],
      one,
    ],
    ['an empty id or name is ignored', [call(0, 'a', 'f', ''), call(0, '', '', '{"x":1}')], one],
  ])('%s', (_name, items, expected) => {
    const found = only(stream(...items.map((item) => calls(item)), finish('stop')));
    expect(found.calls.map(({ id, name, arguments: text }) => [id, name, text])).toStrictEqual(expected);
    expect(found.finish).toStrictEqual(['tool_calls']);
  });

  test('arguments may be an object, and the index may be missing', () => {
    const both = calls(call(undefined, 'a', 'f', { x: 1 }), call(undefined, 'b', 'f', { x: 2 }));
    expect(only(stream(both, finish('tool_calls'))).calls).toStrictEqual([
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'f', arguments: '{"x":2}' },
    ]);
  });

  test.each([
    [
      'white space alone is no arguments',
      [call(0, 'a', 'f', ' '), call(0, undefined, undefined, '\n')],
      '{}',
    ],
    [
      'white space before more belongs to it',
      [call(0, 'a', 'f', ' '), call(0, undefined, undefined, '{}')],
      ' {}',
    ],
    ['white space may come behind', [call(0, 'a', 'f', '{}'), call(0, undefined, undefined, ' ')], '{} '],
    [
      'arguments may come before the name',
      [call(0, 'a', undefined, '{'), call(0, undefined, 'f', '}')],
      '{}',
    ],
    [
      'a piece may continue the last call',
      [call(undefined, 'a', 'f', '{'), call(undefined, undefined, undefined, '}')],
      '{}',
    ],
  ])('%s', (_name, items, expected) => {
    const events = stream(...items.map((item) => calls(item)), finish('stop'));
    expect(only(events).calls).toStrictEqual([{ id: 'a', name: 'f', arguments: expected }]);
    const pieces = events.filter(({ type }) => type === 'tool-arguments');
    expect(pieces.every((piece) => 'text' in piece && piece.text !== '')).toBe(true);
  });

  test('a piece without an index continues the call with its id', () => {
    const events = stream(
      calls(call(undefined, 'a', 'f', '{"x":'), call(undefined, 'b', 'g', '{"y":')),
      calls(call(undefined, 'a', undefined, '1}'), call(undefined, 'b', undefined, '2}')),
      finish('tool_calls'),
    );
    expect(only(events).calls.map(({ arguments: text }) => text)).toStrictEqual(['{"x":1}', '{"y":2}']);
  });

  test('a call without an id keeps the one that it gets, and a later id at its index is the same call', () => {
    const events = stream(calls(call(0, undefined, 'f', '{')), calls(call(0, 'b', 'f', '}')), finish('stop'));
    expect(only(events).calls).toStrictEqual([
      { id: expect.stringMatching(/^call_./), name: 'f', arguments: '{}' },
    ]);
  });

  test.each([
    [call(0, undefined, 'f', '')],
    [call(0, 'a', 'f', '')],
    [call(0, 'a', 'f')],
    [{ id: 'a', function: { name: 'f', arguments: null } }],
  ])('%j is a call without arguments', (one) => {
    expect(only(stream(calls(one), finish('stop'))).calls).toMatchObject([{ name: 'f', arguments: '{}' }]);
  });

  test('a piece of nothing is no call, and a call without a name is an invalid answer', () => {
    const nothing = calls({ index: 0 }, { index: 1, id: '', function: { name: '', arguments: null } });
    expect(only(stream(nothing, finish('stop')))).toMatchObject({ calls: [], finish: ['stop'] });
    const nameless = calls(call(0, 'a', undefined, '{}'));
    expect(errorOf(() => stream(nameless, finish('stop'))).kind).toBe('upstream_invalid_answer');
  });

  test.each(['', ' ', 'SELECT 1'])('the text %j of a custom tool is emitted as it is', (input) => {
    const custom = { id: 'a', type: 'custom', custom: { name: 'sql', input } };
    const whole = openaiChat.decodeBody(bodyOf({ tool_calls: [custom] }));
    const streamed = stream(calls({ index: 0, ...custom }), finish('tool_calls'));
    for (const events of [whole, streamed]) {
      expect(events.filter(({ type }) => type.startsWith('tool-'))).toStrictEqual([
        { type: 'tool-call', choice: 0, call: 0, id: 'a', name: 'sql', kind: 'custom' },
        ...(input === '' ? [] : [{ type: 'tool-arguments', choice: 0, call: 0, text: input }]),
      ]);
    }
  });

  test('indexes that start at 1 are numbered from 0', () => {
    expect(only(stream(calls(call(1, 'a', 'f', '{}')), finish('tool_calls'))).calls).toHaveLength(1);
  });

  test('two calls of a body without ids stay two, each with a generated id', () => {
    const message = {
      tool_calls: [call(undefined, undefined, 'f', '{}'), call(undefined, undefined, 'f', '{}')],
    };
    const { calls: reported } = only(openaiChat.decodeBody(bodyOf(message)));
    expect(reported).toHaveLength(2);
    expect(reported[0]?.id).not.toBe(reported[1]?.id);
  });
});

describe('what surrounds an answer', () => {
  test('is a fingerprint and a tier, where the host names them', () => {
    const whole = (others: object) => openaiChat.decodeBody({ ...bodyOf({ content: 'a' }), ...others })[0];
    expect(whole({ service_tier: 'flex' })).toStrictEqual({
      type: 'start',
      fingerprint: 'fp_1',
      serviceTier: 'flex',
    });
    expect(whole({ system_fingerprint: 'x'.repeat(256) })).toHaveProperty('fingerprint');
    for (const none of [null, '', 'x'.repeat(257)])
      expect(whole({ system_fingerprint: none })).toStrictEqual({ type: 'start' });
  });

  test.each([{ stop_reason: 'END' }, { matched_stop: 'END' }, { stop_reason: 'END', matched_stop: 'AND' }])(
    'is the text at which it stopped: %j',
    (others) => {
      const stopped = { type: 'finish', choice: 0, reason: 'stop', stopSequence: 'END' };
      expect(openaiChat.decodeBody(bodyOf({ content: 'a' }, others)).at(-1)).toStrictEqual(stopped);
      const later = chunk({}, { finish_reason: 'stop', stop_reason: 'AND' });
      expect(
        stream(chunk({ content: 'a' }, { finish_reason: 'stop', ...others }), later).at(-1),
      ).toStrictEqual(stopped);
    },
  );

  test('is no token of a number, which some hosts have as a stop reason', () => {
    const events = openaiChat.decodeBody(bodyOf({ content: 'a' }, { stop_reason: 2, matched_stop: '' }));
    expect(events.at(-1)).toStrictEqual({ type: 'finish', choice: 0, reason: 'stop' });
  });
});

describe('reasoning', () => {
  const read = (message: object) => only(openaiChat.decodeBody(bodyOf(message)));

  test('in two fields is the same text', () => {
    expect(read({ reasoning_content: 'Hm.', reasoning: 'Hm.' }).reasoning).toBe('Hm.');
    expect(read({ reasoning_content: '', reasoning: 'Hm.' }).reasoning).toBe('Hm.');
  });

  test('among the content may be a text, or pieces of one', () => {
    const pieces = [{ text: 'H' }, { text: 7 }, {}, { text: 'm.' }];
    for (const thinking of ['Hm.', pieces])
      expect(read({ content: [{ type: 'thinking', thinking }] }).reasoning).toBe('Hm.');
  });

  test('details are of a known type, and numbered where the host does not', () => {
    const details = [
      { type: 'reasoning.summary', summary: 'S', id: 'a' },
      { type: 'reasoning.new', text: 'N' },
      { type: 'reasoning.encrypted', data: 'D' },
      { type: 'reasoning.encrypted', data: 'E' },
      { type: 'reasoning.text', text: 'T', index: 7, format: 'f' },
    ];
    expect(read({ reasoning_details: details })).toMatchObject({
      reasoning: 'ST',
      details: [
        { type: 'reasoning.summary', summary: 'S', id: 'a', format: 'unknown', index: 0 },
        { type: 'reasoning.encrypted', data: 'D', format: 'unknown', index: 1 },
        { type: 'reasoning.encrypted', data: 'E', format: 'unknown', index: 2 },
        { type: 'reasoning.text', text: 'T', format: 'f', index: 7 },
      ],
    });
  });

  test('details end where something else begins', () => {
    const thought = (text: string) => chunk({ reasoning_details: [{ type: 'reasoning.text', text }] });
    const events = stream(thought('a'), thought('b'), chunk({ content: '!' }), thought('c'), finish('stop'));
    expect(only(events).details).toMatchObject([
      { text: 'ab', index: 0 },
      { text: 'c', index: 1 },
    ]);
    const called = stream(thought('a'), calls(call(0, 'x', 'f', '{}')), finish('stop'));
    const types = called.map(({ type }) => type);
    expect(types.indexOf('reasoning-detail')).toBeLessThan(types.indexOf('tool-call'));
  });
});

test('log probabilities have bytes that are bytes, and numbers', () => {
  const token = (parts: object) => ({ token: 'a', logprob: -1, bytes: [0, 255], ...parts });
  const content = [
    token({ top_logprobs: [token({})] }),
    token({ bytes: [256] }),
    token({ bytes: [-1] }),
    token({ bytes: [1.5] }),
    token({ bytes: null, logprob: 'x', token: 7 }),
  ];
  const plain = { token: 'a', logprob: -1, bytes: null, top_logprobs: [] };
  const read = (logprobs: object) =>
    openaiChat.decodeBody(bodyOf({ content: 'a' }, { logprobs })).filter(({ type }) => type === 'logprobs');
  expect(read({ content, refusal: [token({})] })).toStrictEqual([
    {
      type: 'logprobs',
      choice: 0,
      content: [
        { ...plain, bytes: [0, 255], top_logprobs: [{ token: 'a', logprob: -1, bytes: [0, 255] }] },
        plain,
        plain,
        plain,
        { ...plain, token: '', logprob: 0 },
      ],
      refusal: [{ ...plain, bytes: [0, 255] }],
    },
  ]);
  expect(read({ refusal: [token({})] })).toHaveLength(1);
  expect(read({ content: [], refusal: [] })).toStrictEqual([]);
});

describe('the end of an answer', () => {
  test.each([
    ['stop', 'stop'],
    ['eos', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['content_filter', 'content_filter'],
    ['sensitive', 'content_filter'],
    ['something_new', 'stop'],
    ['__proto__', 'stop'],
  ])('%s means %s', (reason, expected) => {
    expect(only(stream(chunk({ content: 'a' }), finish(reason))).finish).toStrictEqual([expected]);
  });

  test('length stays length even if there were calls', () => {
    const events = stream(calls(call(0, 'a', 'f', '{"x"')), finish('length'));
    expect(only(events).finish).toStrictEqual(['length']);
  });

  test('an empty reason with calls and the end mark means calls; without the end mark the stream is cut', () => {
    const chunks = [calls(call(0, 'a', 'f', '{}')), finish('')];
    expect(only(stream(...chunks, '[DONE]')).finish).toStrictEqual(['tool_calls']);
    expect(errorOf(() => stream(...chunks))).toMatchObject({ kind: 'upstream_cut' });
  });

  test('the end mark may be missing after a reason', () => {
    expectGrammar(stream(chunk({ content: 'a' }), finish('stop')));
  });

  test('a repeated reason is emitted once, and usage after it still counts', () => {
    const events = stream(
      chunk({ content: 'a' }),
      finish('length'),
      finish('length'),
      finish('stop', { usage }),
      '[DONE]',
    );
    expectGrammar(events);
    expect(only(events).finish).toStrictEqual(['length']);
    expect(fold(events).usage).toMatchObject({ promptTokens: 20 });
  });

  test('of a stream is not its end mark without a reason', () => {
    expect(errorOf(() => stream(chunk({ content: 'a' }), '[DONE]')).kind).toBe('upstream_cut');
    expect(errorOf(() => stream(usageChunk, '[DONE]')).kind).toBe('upstream_cut');
  });

  test.each(['error', 'insufficient_system_resource', 'network_error'])('%s is a failure', (reason) => {
    expect(errorOf(() => stream(finish(reason))).kind).toBe('upstream_failed');
    expect(errorOf(() => openaiChat.decodeBody(bodyOf({}, {}, reason))).kind).toBe('upstream_failed');
  });

  test('every choice has its own', () => {
    const events = openaiChat.decodeBody({
      choices: [
        { index: 0, message: { content: 'a' }, finish_reason: 'stop' },
        { index: 1, message: { content: 'b' }, finish_reason: 'length' },
      ],
      usage,
    });
    expectGrammar(events);
    expect(fold(events).choices).toMatchObject({
      0: { text: 'a', finish: ['stop'] },
      1: { text: 'b', finish: ['length'] },
    });
  });
});

describe('a malformed answer', () => {
  test('a first chunk without choices is ignored', () => {
    const events = stream(
      { choices: [], model: '', prompt_filter_results: [] },
      chunk({ content: 'a' }),
      finish('stop'),
    );
    expectGrammar(events);
    expect(events[0]).toStrictEqual({ type: 'start', fingerprint: 'fp_1' });
  });

  test('choices without a delta, padding and lines that are not JSON are passed over', () => {
    const events = stream(
      { choices: [{ index: 0, content_filter_offsets: {} }], obfuscation: 'xyz' },
      '{"choices":[{"del',
      chunk({ content: 'a' }),
      finish('stop'),
    );
    expect(only(events).text).toBe('a');
  });

  test('an error inside a stream ends it, also after a finish', () => {
    const error = { ...chunk({}), error: { code: 429, message: 'slow down' } };
    const read = () => stream(chunk({ content: 'a' }), finish('length'), error);
    expect(errorOf(read).kind).toBe('upstream_rate_limited');
  });

  test('an error event is an error, whatever its content', () => {
    const error = errorOf(() => decodeFrames(openaiChat, [{ event: 'error', data: 'oops' }]));
    expect(error).toMatchObject({ kind: 'upstream_failed' });
  });
});

describe('usage', () => {
  const usageOf = (counts: object, at: (counts: object) => object = (found) => ({ usage: found })) =>
    fold(openaiChat.decodeBody({ ...bodyOf({ content: 'a' }), ...at(counts) })).usage;

  test('is read as reported', () => {
    expect(usageOf(usage)).toStrictEqual({
      promptTokens: 20,
      cachedTokens: 5,
      cacheWriteTokens: 0,
      completionTokens: 9,
      reasoningTokens: 4,
    });
  });

  test('is found in other places', () => {
    expect(usageOf(usage, (found) => ({ x_groq: { usage: found } }))).toMatchObject({ promptTokens: 20 });
    const inChoice = stream(chunk({ content: 'a' }), chunk({}, { finish_reason: 'stop', usage }));
    expect(fold(inChoice).usage).toMatchObject({ promptTokens: 20 });
  });

  test('includes reasoning that only the total contains', () => {
    const counts = {
      prompt_tokens: 12,
      completion_tokens: 1,
      total_tokens: 303,
      completion_tokens_details: { reasoning_tokens: 290 },
    };
    expect(usageOf(counts)).toMatchObject({ completionTokens: 291, reasoningTokens: 290 });
  });

  test.each([
    [{ prompt_cache_hit_tokens: 3, prompt_cache_miss_tokens: 17 }],
    [{ cached_tokens: 3 }],
    [{ num_cached_tokens: 3 }],
  ])('finds cached tokens in %j', (counts) => {
    expect(usageOf({ prompt_tokens: 20, completion_tokens: 1, ...counts })).toMatchObject({
      cachedTokens: 3,
    });
  });

  test('has the tokens written to a cache, under either name', () => {
    const written = (details: object) =>
      usageOf({ prompt_tokens: 20, completion_tokens: 1, prompt_tokens_details: details });
    expect(written({ cache_write_tokens: 6 })).toMatchObject({ cacheWriteTokens: 6 });
    expect(written({ cache_creation_input_tokens: 7 })).toMatchObject({ cacheWriteTokens: 7 });
    expect(written({ cache_write_tokens: 6, cache_creation_input_tokens: 7 })).toMatchObject({
      cacheWriteTokens: 6,
    });
    expect(written({ cache_write_tokens: -6 })).toBeUndefined();
  });

  test('has the tokens of audio, which are part of the input', () => {
    const heard = (audio_tokens: unknown) =>
      usageOf({ prompt_tokens: 20, completion_tokens: 1, prompt_tokens_details: { audio_tokens } });
    expect(heard(6)).toMatchObject({ inputAudioTokens: 6 });
    expect(heard(60)).toMatchObject({ inputAudioTokens: 20 });
    expect(heard(0)).not.toHaveProperty('inputAudioTokens');
    expect(heard(-1)).toBeUndefined();
  });

  test('has no more details than tokens', () => {
    const details = {
      prompt_tokens_details: { cached_tokens: 50 },
      completion_tokens_details: { reasoning_tokens: 40 },
    };
    expect(usageOf({ prompt_tokens: 20, completion_tokens: 9, ...details })).toMatchObject({
      cachedTokens: 20,
      completionTokens: 9,
      reasoningTokens: 9,
    });
  });

  test.each([
    [{ prompt_tokens: 20 }, { promptTokens: 20, completionTokens: 0 }],
    [{ completion_tokens: 9 }, { promptTokens: 0, completionTokens: 9 }],
  ])('of %j is known', (counts, expected) => {
    expect(usageOf(counts)).toMatchObject(expected);
  });

  test('of a stream is known before its end', () => {
    const decoder = openaiChat.decodeStream();
    for (const frame of toFrames([chunk({ content: 'a' })])) decoder.onFrame(frame);
    expect(decoder.usageSoFar?.()).toBeUndefined();
    for (const frame of toFrames([usageChunk])) decoder.onFrame(frame);
    expect(decoder.usageSoFar?.()).toMatchObject({ promptTokens: 20 });
  });

  test('of a body that is not decoded has its tier', () => {
    expect(openaiChat.readUsage({ usage, service_tier: 'flex' })).toMatchObject({
      raw: usage,
      serviceTier: 'flex',
    });
    expect(openaiChat.readUsage({ usage })).not.toHaveProperty('serviceTier');
    expect(openaiChat.readUsage({ service_tier: 'flex' })).toBeUndefined();
  });

  test('is absent if the host reports none', () => {
    expect(usageOf({})).toBeUndefined();
  });
});
