/** Answers of very many pieces: the time of decoding and of writing them grows with their number, and not faster. */
import { expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import type { Frame, GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import { createInputReader } from '../../lib/normalization/tools/custom-input.ts';
import { deltaWriter } from '../../lib/operations/chat/write/delta.ts';
import { writeChatBody } from '../../lib/operations/chat/write/write-body.ts';
import { createEventQueue } from '../../lib/operations/responses/write/response-object.ts';
import { createOutput } from '../../lib/operations/responses/write/write-output.ts';
import { codeFence } from '../../lib/pipeline/generation/json/hold-to-format.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { createEventStreamReader } from '../../lib/transport/framing/event-stream.ts';
import { createServerSentEventReader } from '../../lib/transport/framing/sse.ts';
import {
  argument,
  call,
  finish,
  type ProtocolScript,
  protocolScripts,
  reasoning,
  type Step,
  start,
  text,
} from '../harness/protocol-scripts.ts';
import { growthOf } from './growth.ts';

const protocols: Readonly<Record<string, GenerationProtocol | undefined>> = {
  ...Object.fromEntries(
    protocolScripts.map(({ protocol: name }) => [name, providers.get(name)?.generation?.protocol]),
  ),
  responses: providers.get('openai')?.responses?.protocol,
};

function protocolOf(name: string): GenerationProtocol {
  const protocol = protocols[name];
  if (!protocol) throw new Error(`No protocol of ${name}.`);
  return protocol;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Small answers, and sixteen times as large ones: quadratic work takes sixteen times as long for each piece. */
const [small, factor, most] = [500, 16, 5];

const answers: readonly (readonly [string, (count: number) => readonly Step[]])[] = [
  ['texts', (count) => times(count, () => text('word '))],
  ['white space', (count) => times(count, () => text(' '))],
  ['thoughts', (count) => times(count, () => reasoning('hm '))],
  [
    'thoughts and texts in turn',
    (count) => times(count, (index) => (index % 2 === 0 ? reasoning('hm ') : text('word '))),
  ],
  [
    'pieces of the arguments of one call',
    (count) => [call(0, 'one'), ...times(count, () => argument(0, 'x'))],
  ],
  [
    'blank pieces of arguments',
    (count) => [call(0, 'one'), ...times(count, () => argument(0, ' ')), argument(0, '{}')],
  ],
  ['calls', (count) => times(count, (index) => call(index, 'one'))],
  [
    'calls with arguments',
    (count) => times(count, (index) => [call(index, 'one'), argument(index, '{}')]).flat(),
  ],
  [
    'calls whose arguments come later',
    (count) => [
      ...times(count, (index) => call(index, 'one')),
      ...times(count, (index) => argument(index, '{"a":1}')),
    ],
  ],
];

/** Some scripts take the square of the number of calls themselves: those are in the list below. */
const slowScripts = ['google', 'cohere'];

const cases = protocolScripts.flatMap((script) =>
  answers
    .filter(([name]) => !slowScripts.includes(script.protocol) || !/call/.test(name))
    .map(([name, steps]) => ({ name, steps, script, protocol: script.protocol })),
);

function framesOf(
  { stream }: ProtocolScript,
  { framing }: GenerationProtocol,
  steps: readonly Step[],
): readonly Frame[] {
  const reader = framing === 'sse' ? createServerSentEventReader() : createEventStreamReader();
  const bytes = stream([start, ...steps, { ...finish, reason: 'calls' }, { type: 'end' }]);
  return [...bytes.flatMap((chunk) => [...reader.read(chunk)]), ...reader.end()];
}

function decode(protocol: GenerationProtocol, frames: readonly Frame[]): readonly GenerationEvent[] {
  const decoder = protocol.decodeStream();
  const events: GenerationEvent[] = [];
  try {
    for (const frame of frames) for (const event of decoder.onFrame(frame)) events.push(event);
    for (const event of decoder.onEnd()) events.push(event);
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
  }
  return events;
}

test.each(cases)('$protocol: $name are decoded in linear time', ({ script, steps }) => {
  const protocol = protocolOf(script.protocol);
  const growth = growthOf(
    (count) => {
      const frames = framesOf(script, protocol, steps(count));
      return () => void decode(protocol, frames);
    },
    small,
    factor,
  );
  expect(growth).toBeLessThan(most);
});

const chunk = (delta: object, more: object = {}) => ({ choices: [{ delta, ...more }] });
const candidate = (part: object, more: object = {}) => ({
  candidates: [{ content: { parts: [part] }, ...more }],
});
const block = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const event = (type: string, more: object) => ({ type: `response.${type}`, ...more });
const callNamed = (id: string) => ({ id, function: { name: 'f', arguments: '{}' } });
const itemOf = (index: number) => ({
  type: 'function_call',
  call_id: `c${index}`,
  name: 'f',
  arguments: '{}',
});

type Write = (index: number) => object;

/** What the scripts do not write. */
const written: Readonly<Record<string, Readonly<Record<string, Write>>>> = {
  openai: {
    details: (index) => chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'a', index }] }),
    'encrypted details': (index) =>
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'a', index }] }),
    'calls without an index': (index) => chunk({ tool_calls: [callNamed(`c${index}`)] }),
    'calls that never get a name': (index) =>
      chunk({ tool_calls: [{ index, function: { arguments: ' ' } }] }),
    choices: (index) => chunk({ content: 'a' }, { index }),
    sources: (index) => ({ ...chunk({ content: 'a' }), citations: [`https://a.example/${index}`] }),
  },
  google: {
    calls: () => candidate({ functionCall: { name: 'f', args: {} }, thoughtSignature: 'a' }),
    'fields of the grounding': (index) =>
      candidate({ text: 'a' }, { groundingMetadata: { [`f${index}`]: 1 } }),
    choices: (index) => candidate({ text: 'a' }, { index }),
  },
  anthropic: {
    'fields of the usage': (index) => ({ type: 'message_delta', delta: {}, usage: { [`f${index}`]: 1 } }),
    'tools of the provider': (index) => block(index, { type: 'server_tool_use', name: `t${index}` }),
    searches: (index) => block(index, { type: 'server_tool_use', name: 'web_search', id: `s${index}` }),
  },
  cohere: {
    calls: (index) => ({
      type: 'tool-call-start',
      index,
      delta: { message: { tool_calls: callNamed(`c${index}`) } },
    }),
  },
  responses: {
    'pieces of arguments': (index) =>
      index === 0
        ? event('output_item.added', { output_index: 0, item: { type: 'function_call', name: 'f' } })
        : event('function_call_arguments.delta', { output_index: 0, delta: 'word' }),
    'thoughts and texts in turn': (index) =>
      event(index % 2 === 0 ? 'output_text.delta' : 'reasoning_text.delta', {
        output_index: index,
        delta: 'a',
      }),
    'parts of a thought': (index) =>
      event('reasoning_text.delta', { output_index: 0, content_index: index, delta: 'a' }),
    'items without a position': (index) => event('output_item.added', { item: itemOf(index) }),
    'ends without a position': (index) => event('output_item.done', { item: itemOf(index) }),
    'texts that end again and again': (index) =>
      index % 2 === 0
        ? event('output_text.delta', { output_index: 0, delta: 'a' })
        : event('output_text.done', { output_index: 0, text: 'b' }),
  },
};

const frames = Object.entries(written).flatMap(([protocol, kinds]) =>
  Object.entries(kinds).map(([kind, write]) => [protocol, kind, write] as const),
);

test.each(frames)('%s: %s are decoded in linear time', (name, _, write) => {
  const protocol = protocolOf(name);
  const growth = growthOf(
    (count) => {
      const given = times(count, (index) => ({ event: '', data: JSON.stringify(write(index)) }));
      return () => void decode(protocol, given);
    },
    small,
    factor,
  );
  expect(growth).toBeLessThan(most);
});

test('places that an answer cites are found in linear time', () => {
  const protocol = protocolOf('google');
  const body = (count: number) => ({
    candidates: [
      {
        content: { parts: [{ text: 'a'.repeat(count * 20) }] },
        finishReason: 'STOP',
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://a.example' } }],
          groundingSupports: times(count, (index) => ({
            segment: { startIndex: index * 20, endIndex: index * 20 + 20, text: 'b' },
            groundingChunkIndices: [0],
          })),
        },
      },
    ],
  });
  const growth = growthOf(
    (count) => {
      const given = body(count);
      return () => void protocol.decodeBody(given);
    },
    1_000,
    factor,
  );
  expect(growth).toBeLessThan(most);
});

const callEvent = (index: number) =>
  ({ type: 'tool-call', choice: 0, call: index, id: `c${index}`, name: 'f' }) as const;
const detailEvent = (index: number): GenerationEvent => {
  const detail = {
    type: 'reasoning.encrypted',
    data: 'x',
    format: 'google-gemini-v1',
    id: `d${index}`,
  } as const;
  return { type: 'reasoning-detail', choice: 0, detail: { ...detail, index } };
};
const likely = [{ token: 'a', logprob: 0, bytes: null, top_logprobs: [] }];

const events: readonly (readonly [string, (count: number) => readonly GenerationEvent[]])[] = [
  ['calls that stay open', (count) => times(count, callEvent)],
  [
    'calls and pieces of a first one',
    (count) =>
      times(count, (index): GenerationEvent[] => [
        callEvent(index),
        { type: 'tool-arguments', choice: 0, call: 0, text: index === 0 ? '{"a":"' : '}' },
      ]).flat(),
  ],
  ['details, then calls', (count) => [...times(count, detailEvent), ...times(count, callEvent)]],
  [
    'probabilities without text',
    (count) => times(count, () => ({ type: 'logprobs', choice: 0, content: likely, refusal: [] })),
  ],
];

test.each(events)('%s are written in linear time', (_, make) => {
  const chunks = (count: number) => {
    const given = make(count);
    return () => {
      const write = deltaWriter();
      for (const event of given)
        if (
          event.type === 'tool-call' ||
          event.type === 'reasoning-detail' ||
          event.type === 'tool-arguments'
        )
          write(event);
    };
  };
  const bodies = (count: number) => {
    const given = make(count);
    const list = async function* () {
      yield given;
    };
    return () => void writeChatBody(list(), { id: '', created: 0, model: '' }, () => undefined, undefined);
  };
  const responses = (count: number) => {
    const given = make(count);
    return () => {
      const output = createOutput({ responseId: 'resp_1', queue: createEventQueue(), shown: (item) => item });
      for (const event of given)
        if (event.type !== 'start' && event.type !== 'finish' && event.type !== 'usage') output.write(event);
      output.close('completed');
    };
  };
  for (const work of [chunks, bodies, responses]) expect(growthOf(work, small, factor)).toBeLessThan(most);
});

type Add = (text: string) => void;

/** The texts that come first, and what is repeated after them. */
const readers: readonly (readonly [string, string, string, () => Add])[] = [
  ['the text of a custom tool', '{"input":"', 'word', () => createInputReader().add],
  ['blanks before the text of a custom tool', '', '    ', () => createInputReader().add],
  ['blanks before a code fence', '', '    ', () => codeFence().add],
  ['blanks in a code fence', '```\n', '    ', () => codeFence().add],
];

test.each(readers)('%s: read in linear time', (_, first, again, create) => {
  const work = (count: number) => () => {
    const add = create();
    if (first !== '') add(first);
    for (let index = 0; index < count; index++) add(again);
  };
  expect(growthOf(work, 8_000, factor)).toBeLessThan(most);
});
