/** Decoding answers of the OpenAI Responses protocol, streamed or not, with the differences between hosts. */
import { describe, expect, test } from 'vitest';
import type { FinishReason } from '../../../lib/core/generation/events.ts';
import { createOpenaiResponses } from '../../../lib/protocols/openai-responses/protocol.ts';
import { decodeFrames, errorOf, expectGrammar, joined, only, toFrames } from '../answer.ts';
import * as event from '../events.ts';
import { citation, cited, text } from '../events.ts';
import {
  added,
  completed,
  created,
  decode,
  decodeBody,
  done,
  format,
  functionCall,
  itemEvent,
  type Json,
  message,
  protocol,
  reasoning,
  response,
  usage,
} from './frames.ts';

const detail = (value: Json) => event.detail({ format, index: 0, id: 'rs_1', ...value });

/** A message as a stream has it: in pieces, then complete, three times. */
const streamedMessage = (at: number, pieces: readonly string[], parts: Json = {}): readonly Json[] => {
  const whole = pieces.join('');
  return [
    added(at, message('', { content: [], ...parts })),
    itemEvent('content_part.added', at, { content_index: 0, part: { type: 'output_text', text: '' } }),
    ...pieces.map((delta) => itemEvent('output_text.delta', at, { content_index: 0, delta })),
    itemEvent('output_text.done', at, { content_index: 0, text: whole }),
    itemEvent('content_part.done', at, { content_index: 0, part: { type: 'output_text', text: whole } }),
    done(at, message(whole, parts)),
  ];
};

/** An answer in both forms, which must give the same events. */
interface Pair {
  readonly name: string;
  readonly stream: readonly Json[];
  readonly output: readonly Json[];
  readonly events: readonly object[];
  readonly finish?: FinishReason;
}

const search = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search', query: 'q' },
};
const source = { type: 'url_citation', ...citation('https://one.example/', 'One', 0, 2).url_citation };
const logprob = { token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] };
const refused = message('', { content: [{ type: 'refusal', refusal: 'I cannot.' }] });
const citedMessage = message('Hi', { content: [{ type: 'output_text', text: 'Hi', annotations: [source] }] });
const likely = message('Hi', { content: [{ type: 'output_text', text: 'Hi', logprobs: [logprob] }] });
const rawReasoning = reasoning([], { content: [{ type: 'reasoning_text', text: 'I think.' }] });

const pairs: readonly Pair[] = [
  {
    name: 'a text',
    stream: streamedMessage(0, ['Hel', 'lo']),
    output: [message('Hello')],
    events: [{ type: 'message', choice: 0 }, text('Hello')],
  },
  {
    name: 'two messages with their phases',
    stream: [
      ...streamedMessage(0, ['I look.'], { phase: 'commentary' }),
      ...streamedMessage(1, ['Found.'], { phase: 'final_answer' }),
    ],
    output: [message('I look.', { phase: 'commentary' }), message('Found.', { phase: 'final_answer' })],
    events: [
      { type: 'message', choice: 0, phase: 'commentary' },
      text('I look.'),
      { type: 'message', choice: 0, phase: 'final_answer' },
      text('Found.'),
    ],
  },
  {
    name: 'a refusal',
    stream: [
      added(0, message('', { content: [] })),
      itemEvent('refusal.delta', 0, { content_index: 0, delta: 'I ' }),
      itemEvent('refusal.delta', 0, { content_index: 0, delta: 'cannot.' }),
      itemEvent('refusal.done', 0, { content_index: 0, refusal: 'I cannot.' }),
      done(0, refused),
    ],
    output: [refused],
    events: [
      { type: 'message', choice: 0 },
      { type: 'refusal', choice: 0, text: 'I cannot.' },
    ],
  },
  {
    name: 'reasoning summaries and encrypted reasoning',
    stream: [
      added(0, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'early' }),
      itemEvent('reasoning_summary_part.added', 0, {
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      }),
      itemEvent('reasoning_summary_text.delta', 0, { summary_index: 0, delta: 'Fir' }),
      itemEvent('reasoning_summary_text.delta', 0, { summary_index: 0, delta: 'st' }),
      itemEvent('reasoning_summary_text.done', 0, { summary_index: 0, text: 'First' }),
      itemEvent('reasoning_summary_part.done', 0, {
        summary_index: 0,
        part: { type: 'summary_text', text: 'First' },
      }),
      itemEvent('reasoning_summary_text.delta', 0, { summary_index: 1, delta: 'Second' }),
      done(0, reasoning(['First', 'Second'], { encrypted_content: 'gAAA' })),
      ...streamedMessage(1, ['Yes.']),
    ],
    output: [reasoning(['First', 'Second'], { encrypted_content: 'gAAA' }), message('Yes.')],
    events: [
      event.reasoning('First'),
      detail({ type: 'reasoning.summary', summary: 'First' }),
      event.reasoning('Second'),
      detail({ type: 'reasoning.summary', summary: 'Second' }),
      detail({ type: 'reasoning.encrypted', data: 'gAAA' }),
      { type: 'message', choice: 0 },
      text('Yes.'),
    ],
  },
  {
    name: 'plain reasoning',
    stream: [
      added(0, { type: 'reasoning', id: 'rs_1', summary: [], content: [] }),
      itemEvent('reasoning_text.delta', 0, { content_index: 0, delta: 'I think.' }),
      itemEvent('reasoning_text.done', 0, { content_index: 0, text: 'I think.' }),
      itemEvent('content_part.done', 0, {
        content_index: 0,
        part: { type: 'reasoning_text', text: 'I think.' },
      }),
      done(0, rawReasoning),
    ],
    output: [rawReasoning],
    events: [event.reasoning('I think.'), detail({ type: 'reasoning.text', text: 'I think.' })],
  },
  {
    name: 'two calls',
    stream: [
      added(0, functionCall('call_a', 'one', '')),
      itemEvent('function_call_arguments.delta', 0, { delta: '{"a"' }),
      itemEvent('function_call_arguments.delta', 0, { delta: ':1}' }),
      itemEvent('function_call_arguments.done', 0, { arguments: '{"a":1}' }),
      done(0, functionCall('call_a', 'one', '{"a":1}')),
      added(1, functionCall('call_b', 'two', '')),
      done(1, functionCall('call_b', 'two', '')),
    ],
    output: [functionCall('call_a', 'one', '{"a":1}'), functionCall('call_b', 'two', '')],
    events: [...event.call(0, 'call_a', 'one', '{"a":1}'), ...event.call(1, 'call_b', 'two', '{}')],
    finish: 'tool_calls',
  },
  {
    name: 'a search, and a source that a later message cites',
    stream: [
      ...streamedMessage(0, ['Wait.']),
      added(1, { type: 'web_search_call', id: 'ws_1', status: 'in_progress' }),
      itemEvent('web_search_call.in_progress', 1, {}),
      itemEvent('web_search_call.searching', 1, {}),
      itemEvent('web_search_call.completed', 1, {}),
      done(1, search),
      added(2, message('', { content: [] })),
      itemEvent('output_text.delta', 2, { content_index: 0, delta: 'Hi' }),
      itemEvent('output_text.annotation.added', 2, {
        content_index: 0,
        annotation_index: 0,
        annotation: source,
      }),
      done(2, citedMessage),
    ],
    output: [message('Wait.'), search, citedMessage],
    events: [
      { type: 'message', choice: 0 },
      text('Wait.'),
      { type: 'web-search', choice: 0, search: 0, id: 'ws_1' },
      { type: 'web-search-end', choice: 0, search: 0, status: 'completed', action: search.action },
      { type: 'message', choice: 0 },
      text('Hi'),
      cited('https://one.example/', 'One', 5, 7),
    ],
  },
  {
    name: 'log probabilities',
    stream: [
      added(0, message('', { content: [] })),
      itemEvent('output_text.delta', 0, { content_index: 0, delta: 'Hi', logprobs: [logprob] }),
      itemEvent('output_text.done', 0, { content_index: 0, text: 'Hi', logprobs: [logprob] }),
      done(0, likely),
    ],
    output: [likely],
    events: [
      { type: 'message', choice: 0 },
      text('Hi'),
      { type: 'logprobs', choice: 0, content: [logprob], refusal: [] },
    ],
  },
];

const end = (reason: FinishReason = 'stop') => [
  event.finish(reason),
  { ...event.usage({ cachedTokens: 4, cacheWriteTokens: 2, reasoningTokens: 3 }), raw: usage },
];

describe.each(pairs)('$name', ({ stream, output, events, finish }) => {
  const expected = [{ type: 'start' }, ...events, ...end(finish)];

  test('is decoded from a stream', () => {
    expect(decode(created, ...stream, completed(...output))).toStrictEqual(expected);
  });

  test('is decoded from a body', () => {
    expect(decodeBody(response(output))).toStrictEqual(expected);
  });

  test('is emitted once if the last event omits the items or the first ones are missing', () => {
    expect(decode(...stream, completed())).toStrictEqual(expected);
    expect(decode(completed(...output))).toStrictEqual(expected);
  });

  test('is decoded if only the ends of items arrive', () => {
    const ends = output.map((item, at) => done(at, item));
    expect(decode(created, ...ends, completed(...output))).toStrictEqual(expected);
  });
});

describe('calls', () => {
  const call = (id: string, name: string, value: string) => ({ id, name, arguments: value });

  test('at the same time keep their own arguments', () => {
    const events = decode(
      added(0, functionCall('call_a', 'one', '')),
      added(1, functionCall('call_b', 'two', '')),
      itemEvent('function_call_arguments.delta', 1, { delta: '{"b"' }),
      itemEvent('function_call_arguments.delta', 0, { delta: '{"a"' }),
      itemEvent('function_call_arguments.delta', 1, { delta: ':2}' }),
      itemEvent('function_call_arguments.delta', 0, { delta: ':1}' }),
      done(1, functionCall('call_b', 'two', '{"b":2}')),
      done(0, functionCall('call_a', 'one', '{"a":1}')),
      completed(),
    );
    expectGrammar(events);
    expect(only(events).calls).toStrictEqual([
      call('call_a', 'one', '{"a":1}'),
      call('call_b', 'two', '{"b":2}'),
    ]);
  });

  test.each([
    ['at their own end', itemEvent('function_call_arguments.done', 0, { arguments: '{"a":1}' })],
    ['at the end of the call', done(0, functionCall('call_a', 'one', '{"a":1}'))],
    ['as an object', done(0, { ...functionCall('call_a', 'one', ''), arguments: { a: 1 } })],
  ])('may have their arguments only %s', (_name, event) => {
    const events = decode(added(0, functionCall('call_a', 'one', '')), event, completed());
    expect(only(events).calls).toStrictEqual([call('call_a', 'one', '{"a":1}')]);
  });

  test('inside a wrapper of the model are emitted one by one', () => {
    const uses = [
      { recipient_name: 'functions.weather', parameters: { city: 'Rome' } },
      { recipient_name: 'time', parameters: {} },
    ];
    for (const name of ['multi_tool_use.parallel', 'parallel']) {
      const wrapper = functionCall('call_w', name, JSON.stringify({ tool_uses: uses }));
      const events = decode(
        added(0, { ...wrapper, arguments: '' }),
        itemEvent('function_call_arguments.delta', 0, { delta: wrapper.arguments }),
        done(0, wrapper),
        completed(wrapper),
      );
      expectGrammar(events);
      expect(events).toStrictEqual(decodeBody(response([wrapper])));
      expect(only(events).calls).toStrictEqual([
        call('call_w_0', 'weather', '{"city":"Rome"}'),
        call('call_w_1', 'time', '{}'),
      ]);
    }
  });

  test('of a tool of the caller that is named like a wrapper stay unchanged', () => {
    const events = decodeBody(response([functionCall('call_a', 'parallel', '{"lanes":2}')]));
    expect(only(events).calls).toStrictEqual([call('call_a', 'parallel', '{"lanes":2}')]);
  });

  test('without a name are an invalid answer', () => {
    const nameless = { type: 'function_call', call_id: 'call_a', arguments: '{}' };
    expect(errorOf(() => decodeBody(response([nameless]))).kind).toBe('upstream_invalid_answer');
  });
});

describe('calls of custom tools', () => {
  const custom = (input: string) => ({
    type: 'custom_tool_call',
    id: 'ct_1',
    call_id: 'call_a',
    name: 'sql',
    input,
  });
  const withTools = createOpenaiResponses({ reasoningFormat: format, hasCustomTools: true });
  const opened = { type: 'tool-call', choice: 0, call: 0, id: 'call_a', name: 'sql', kind: 'custom' };
  const written = (value: string) => ({ type: 'tool-arguments', choice: 0, call: 0, text: value });
  const closed = { type: 'tool-call-end', choice: 0, call: 0 };

  test.each(['', ' ', 'SELECT 1'])('are the caller’s, with the text %j', (input) => {
    const pieces = [input.slice(0, 1), input.slice(1)].map((delta) =>
      itemEvent('custom_tool_call_input.delta', 0, { delta }),
    );
    const whole = itemEvent('custom_tool_call_input.done', 0, { input });
    const expected = [
      { type: 'start' },
      opened,
      ...(input === '' ? [] : [written(input)]),
      closed,
      ...end('tool_calls'),
    ];
    const streams = [
      [added(0, custom('')), ...pieces, whole, done(0, custom(input))],
      [added(0, custom('')), whole],
      [done(0, custom(input))],
    ];
    for (const stream of streams)
      expect(joined(decodeFrames(withTools, toFrames([...stream, completed()])))).toStrictEqual(expected);
    expect(joined(withTools.decodeBody(response([custom(input)])))).toStrictEqual(expected);
  });

  test('are items of a host that has no custom tools', () => {
    const delta = itemEvent('custom_tool_call_input.delta', 0, { delta: 'SELECT' });
    const whole = itemEvent('custom_tool_call_input.done', 0, { input: 'SELECT' });
    expect(
      decode(
        added(0, custom('')),
        { ...delta, obfuscation: 'x' },
        whole,
        done(0, custom('SELECT')),
        completed(),
      ),
    ).toStrictEqual([
      { type: 'start' },
      { type: 'protocol-item', choice: 0, item: 0, body: custom('') },
      { type: 'protocol-item-event', choice: 0, item: 0, body: delta },
      { type: 'protocol-item-event', choice: 0, item: 0, body: whole },
      { type: 'protocol-item-end', choice: 0, item: 0, body: custom('SELECT') },
      ...end(),
    ]);
  });
});

describe('items of the protocol alone', () => {
  const item = (status: string) => ({ type: 'mcp_call', id: 'mcp_1', status });
  const opened = { type: 'protocol-item', choice: 0, item: 0, body: item('in_progress') };
  const progress = itemEvent('mcp_call.in_progress', 0, {});

  test('are passed on with their events, until they end', () => {
    const events = decode(
      itemEvent('mcp_call.in_progress', 7, {}),
      added(0, item('in_progress')),
      progress,
      done(0, item('completed')),
      progress,
      completed(),
    );
    expect(events).toStrictEqual([
      { type: 'start' },
      opened,
      { type: 'protocol-item-event', choice: 0, item: 0, body: progress },
      { type: 'protocol-item-end', choice: 0, item: 0, body: item('completed') },
      ...end(),
    ]);
  });

  test('end as they began where the host does not end them, and are numbered', () => {
    const other = { type: 'code_interpreter_call', id: 'ci_1' };
    expect(decode(added(0, item('in_progress')), added(1, other), completed())).toStrictEqual([
      { type: 'start' },
      opened,
      { type: 'protocol-item', choice: 0, item: 1, body: other },
      { type: 'protocol-item-end', choice: 0, item: 0, body: item('in_progress') },
      { type: 'protocol-item-end', choice: 0, item: 1, body: other },
      ...end(),
    ]);
  });

  test('have a type', () => {
    const read = () => decodeBody(response([{ id: 'mcp_1' }]));
    expect(errorOf(read).kind).toBe('upstream_invalid_answer');
  });
});

describe('unusual hosts', () => {
  test('may end plain reasoning with its part only, and skip texts that are empty', () => {
    const part = { type: 'reasoning_text', text: 'I think.' };
    const events = decode(
      added(0, { type: 'reasoning', id: 'rs_1' }),
      itemEvent('reasoning_text.delta', 0, { content_index: 0, delta: '' }),
      itemEvent('reasoning_text.delta', 0, { content_index: 0, delta: 'I ' }),
      itemEvent('content_part.done', 0, { content_index: 0, part }),
      itemEvent('reasoning_text.delta', 0, { content_index: 1, delta: 'So.' }),
      completed(),
    );
    expect(events).toStrictEqual([
      { type: 'start' },
      event.reasoning('I think.'),
      detail({ type: 'reasoning.text', text: 'I think.' }),
      event.reasoning('So.'),
      detail({ type: 'reasoning.text', text: 'So.' }),
      ...end(),
    ]);
  });

  test('may number reasoning, without ids, among what the caller sends back', () => {
    const encrypted = (data: string) => ({ type: 'reasoning', encrypted_content: data });
    const events = decodeBody(
      response([
        encrypted('a'),
        encrypted('b'),
        message('Hi'),
        functionCall('call_a', 'one', '{}'),
        encrypted('c'),
      ]),
    );
    const known = (data: string, index: number) => ({ type: 'reasoning.encrypted', data, format, index });
    expect(only(events).details).toStrictEqual([known('a', 0), known('b', 1), known('c', 4)]);
  });

  test('may write white space before the arguments of a call, or nothing else', () => {
    const pieces = (...deltas: readonly string[]) =>
      deltas.map((delta) => itemEvent('function_call_arguments.delta', 0, { delta }));
    const argumentsOf = (...deltas: readonly string[]) =>
      only(decode(added(0, functionCall('call_a', 'one', '')), ...pieces(...deltas), completed())).calls;
    expect(argumentsOf(' ', '\n')).toMatchObject([{ arguments: '{}' }]);
    expect(argumentsOf(' ', '{}')).toMatchObject([{ arguments: ' {}' }]);
  });

  test('may put an item at a place that one of another type had, without numbers from there', () => {
    const { output_index: _, ...delta } = itemEvent('function_call_arguments.delta', 0, { delta: '{"a":1}' });
    const nameless = decode(
      added(0, functionCall('call_a', 'one', '')),
      added(0, message('')),
      {
        ...added(1, functionCall('call_b', 'two', '')),
      },
      delta,
      completed(),
    );
    expect(only(nameless).calls).toMatchObject([{ arguments: '{}' }, { arguments: '{"a":1}' }]);
    const replaced = () =>
      decode(added(0, functionCall('call_a', 'one', '')), added(0, message('')), delta, completed());
    expect(errorOf(replaced).kind).toBe('upstream_invalid_answer');
  });

  test('may end a text as another one than it was, of which nothing is repeated', () => {
    const ended = (whole: string) =>
      only(
        decode(
          added(0, message('', { content: [] })),
          itemEvent('output_text.delta', 0, { content_index: 0, delta: 'Hello' }),
          itemEvent('output_text.done', 0, { content_index: 0, text: whole }),
          completed(),
        ),
      ).text;
    expect(['Hello!', 'Jello!', 'Hel', 'Hello', ''].map(ended)).toStrictEqual([
      'Hello!',
      'Hello',
      'Hello',
      'Hello',
      'Hello',
    ]);
  });

  test('may cite what is no address', () => {
    const file = { type: 'file_citation', file_id: 'file_1' };
    const annotations = [{ type: 'url_citation' }, { url: 'https://x.example/' }, file];
    const content = [
      { type: 'output_text', text: 'Hi', annotations },
      { type: 'other', text: 'No.' },
    ];
    expect(decodeBody(response([message('', { content })]))).toStrictEqual([
      { type: 'start' },
      { type: 'message', choice: 0 },
      text('Hi'),
      { type: 'protocol-annotation', choice: 0, annotation: file },
      ...end(),
    ]);
  });

  test('may repeat the start of an item, and what belongs to one that ended', () => {
    const events = decode(
      added(0, functionCall('call_a', 'one', '')),
      added(0, functionCall('call_a', 'one', '')),
      done(0, functionCall('call_a', 'one', '{}')),
      done(0, functionCall('call_a', 'one', '{}')),
      itemEvent('function_call_arguments.delta', 0, { delta: '{}' }),
      itemEvent('output_text.delta', 0, { delta: 'No.' }),
      itemEvent('reasoning_text.delta', 0, { delta: 'No.' }),
      completed(),
    );
    expect(events).toStrictEqual([
      { type: 'start' },
      ...event.call(0, 'call_a', 'one', '{}'),
      ...end('tool_calls'),
    ]);
  });

  test('may number no items: an event belongs to the last open item of its type', () => {
    const without = ({ output_index: _, ...rest }: Json): Json => rest;
    const events = decode(
      without(added(0, functionCall('call_a', 'one', ''))),
      without(added(1, functionCall('call_b', 'two', ''))),
      without(itemEvent('function_call_arguments.delta', 1, { delta: '{"b":1}' })),
      without(done(1, functionCall('call_b', 'two', '{"b":1}'))),
      without(itemEvent('function_call_arguments.delta', 0, { delta: '{"a":1}' })),
      without(done(0, functionCall('call_a', 'one', '{"a":1}'))),
      without(itemEvent('output_text.delta', 2, { delta: 'Hi' })),
      completed(),
    );
    expect(only(events)).toMatchObject({
      text: 'Hi',
      calls: [{ arguments: '{"a":1}' }, { arguments: '{"b":1}' }],
    });
  });

  test('may change the ids of items from event to event', () => {
    const events = decode(
      added(0, reasoning([], { id: 'a' })),
      { ...itemEvent('reasoning_summary_text.delta', 0, { summary_index: 0, delta: 'So' }), item_id: 'b' },
      done(0, reasoning(['So'], { id: 'c', encrypted_content: 'gAAA' })),
      added(1, message('', { id: 'd', content: [] })),
      { ...itemEvent('output_text.delta', 1, { content_index: 0, delta: 'Yes' }), item_id: 'e' },
      done(1, message('Yes', { id: 'f' })),
      completed(reasoning(['So'], { id: 'g' }), message('Yes', { id: 'h' })),
    );
    expect(only(events)).toMatchObject({
      text: 'Yes',
      reasoning: 'So',
      details: [
        { type: 'reasoning.summary', id: 'a' },
        { type: 'reasoning.encrypted', id: 'a' },
      ],
    });
  });

  test('may omit the position of an item, and its start', () => {
    const { output_index: __, ...delta } = itemEvent('output_text.delta', 0, {
      content_index: 0,
      delta: 'Hel',
    });
    const { output_index: ___, ...rest } = done(0, message('Hello'));
    expect(decode(delta, rest, completed())).toStrictEqual(decodeBody(response([message('Hello')])));
  });

  test('may cite without offsets, and have the query of a search in its arguments', () => {
    const source = { type: 'url_citation', url: 'https://x.example/' };
    const items = [
      {
        type: 'web_search_call',
        id: 'fc_1',
        status: 'completed',
        name: 'web_search',
        arguments: '{"query":"q"}',
      },
      { type: 'web_search_call', id: 'fc_2', status: 'completed', arguments: '{"url":"https://x.example/"}' },
      message('Hello', { content: [{ type: 'output_text', text: 'Hello', annotations: [source] }] }),
    ];
    const events = decodeBody(response(items));
    expect(events).toContainEqual(cited('https://x.example/', '', 0, 5));
    const actions = events.flatMap((event) => (event.type === 'web-search-end' ? [event.action] : []));
    expect(actions).toStrictEqual([
      { type: 'search', query: 'q' },
      { type: 'open_page', url: 'https://x.example/' },
    ]);
  });

  test('may put an item at the position of another one, which ends it', () => {
    const events = decode(
      added(0, functionCall('call_a', 'one', '')),
      added(0, message('', { content: [] })),
      itemEvent('output_text.delta', 0, { content_index: 0, delta: 'Hi' }),
      completed(),
    );
    expectGrammar(events);
    expect(only(events)).toMatchObject({ text: 'Hi', calls: [{ name: 'one', arguments: '{}' }] });
  });

  test('may send unknown events', () => {
    const events = decode(
      { type: 'response.queued', response: {} },
      added(0, { type: 'x_search_call', id: 'x_1' }),
      itemEvent('x_search_call.delta', 0, { delta: '?' }),
      done(0, { type: 'x_search_call', id: 'x_1' }),
      { type: 'keepalive' },
      ...streamedMessage(1, ['Yes.']),
      completed(message('Yes.')),
    );
    expect(only(events).text).toBe('Yes.');
    const others = events.filter(({ type }) => !type.startsWith('protocol-item'));
    expect(decodeBody(response([message('Yes.')], { status: 'complete' }))).toStrictEqual(others);
  });

  test('may cite files, which are not web citations', () => {
    const annotations = [{ type: 'file_citation', file_id: 'file_1', index: 1 }, source];
    const events = decodeBody(
      response([message('', { content: [{ type: 'output_text', text: 'Hi', annotations }] })]),
    );
    expect(only(events).annotations).toStrictEqual([citation('https://one.example/', 'One', 0, 2)]);
  });
});

describe('the end of an answer', () => {
  const incomplete = (reason: string) => ({
    type: 'response.incomplete',
    response: response([], { status: 'incomplete', incomplete_details: { reason } }),
  });

  test.each<[string, FinishReason]>([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['something_new', 'length'],
  ])('by %s is %s', (reason, finish) => {
    const events = decode(...streamedMessage(0, ['Hel']).slice(0, 3), incomplete(reason));
    expect(only(events)).toMatchObject({ text: 'Hel', finish: [finish] });
    expect(decodeBody(incomplete(reason).response)).toContainEqual(event.finish(finish));
  });

  test('of a search without a result is a failed search', () => {
    const open = { type: 'web_search_call', id: 'ws_1', status: 'in_progress' };
    const events = decode(added(0, open), incomplete('max_output_tokens'));
    expect(events).toContainEqual(expect.objectContaining({ type: 'web-search-end', status: 'failed' }));
  });

  test('that is missing is a cut', () => {
    expect(errorOf(() => decode(created, ...streamedMessage(0, ['Hel']))).kind).toBe('upstream_cut');
  });

  test('is the last event', () => {
    const events = decode(
      ...streamedMessage(0, ['Yes.']),
      completed(),
      ...streamedMessage(1, ['No.']),
      completed(),
    );
    expect(only(events)).toMatchObject({ text: 'Yes.', finish: ['stop'] });
  });

  test('a malformed line is ignored', () => {
    const frames = toFrames(['{"type":', ...streamedMessage(0, ['Yes.']), '[DONE]', completed()]);
    expect(only(decodeFrames(protocol, frames)).text).toBe('Yes.');
  });

  test('the type of an event may be outside its data', () => {
    const { type, ...data } = completed(message('Yes.'));
    const frames = [{ event: String(type), data: JSON.stringify(data) }];
    expect(only(decodeFrames(protocol, frames)).text).toBe('Yes.');
  });

  test('the service tier is emitted if it is known', () => {
    expect(decodeBody(response([], { service_tier: 'flex' }))[0]).toStrictEqual({
      type: 'start',
      serviceTier: 'flex',
    });
    const started = { ...created, response: { service_tier: 'flex' } };
    expect(decode(started, completed())[0]).toStrictEqual({ type: 'start', serviceTier: 'flex' });
  });

  test('may be a cancelled response, or one that is still in progress', () => {
    const ending = (type: string, parts: Json) => () => decode({ type, response: response([], parts) });
    expect(errorOf(ending('response.cancelled', {})).kind).toBe('upstream_failed');
    expect(errorOf(ending('response.done', { status: 'cancelled' })).kind).toBe('upstream_failed');
    expect(errorOf(ending('response.done', { status: 'queued' })).kind).toBe('upstream_cut');
  });
});

describe('an error inside a 200', () => {
  const error = { type: 'tokens', code: 'rate_limit_exceeded', message: 'Slow down.', param: null };
  const { type: __, ...flat } = error;

  test.each<[string, Json]>([
    ['flat', { type: 'error', sequence_number: 2, ...flat }],
    ['nested', { type: 'error', sequence_number: 2, error }],
    [
      'of a response that failed',
      { type: 'response.failed', response: response([], { status: 'failed', error }) },
    ],
    ['in the last event of a success', { type: 'response.completed', response: response([], { error }) }],
    ['in the format of chat', { error }],
  ])('%s', (_name, event) => {
    expect(errorOf(() => decode(created, event))).toMatchObject({ kind: 'upstream_rate_limited' });
  });

  test.each([
    ['server_error', 'upstream_failed'],
    ['insufficient_quota', 'upstream_quota'],
    ['context_length_exceeded', 'upstream_context_length'],
    ['invalid_prompt', 'upstream_content_policy'],
    ['cyber_policy', 'upstream_content_policy'],
    ['image_too_large', 'upstream_bad_request'],
    ['invalid_image_url', 'upstream_bad_request'],
  ])('%s is %s, in a stream and in a body', (code, kind) => {
    const failed = response([], { status: 'failed', error: { code, message: 'It failed.' } });
    expect(errorOf(() => decode({ type: 'response.failed', response: failed })).kind).toBe(kind);
    expect(errorOf(() => decodeBody(failed)).kind).toBe(kind);
  });

  test('is reported after what the response has used', () => {
    const decoder = protocol.decodeStream();
    const failed = { type: 'response.failed', response: response([], { status: 'failed', error, usage }) };
    const used = decoder.onFrame({ event: failed.type, data: JSON.stringify(failed) });
    expect(used.map(({ type }) => type)).toEqual(['start', 'usage']);
    expect(errorOf(() => decoder.onEnd()).kind).toBe('upstream_rate_limited');
  });

  test('without a code is a failure', () => {
    for (const status of ['failed', 'cancelled']) {
      expect(errorOf(() => decodeBody(response([], { status }))).kind).toBe('upstream_failed');
    }
    expect(errorOf(() => decode({ type: 'error' })).kind).toBe('upstream_failed');
  });
});
