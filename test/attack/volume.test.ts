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

/** What the scripts do not write. */
const frames: readonly (readonly [string, string, (index: number) => object])[] = [
  [
    'openai',
    'details',
    (index) => ({
      choices: [{ delta: { reasoning_details: [{ type: 'reasoning.text', text: 'a', index }] } }],
    }),
  ],
  [
    'openai',
    'encrypted details',
    (index) => ({
      choices: [{ delta: { reasoning_details: [{ type: 'reasoning.encrypted', data: 'a', index }] } }],
    }),
  ],
  [
    'openai',
    'calls without an index',
    (index) => ({
      choices: [{ delta: { tool_calls: [{ id: `c${index}`, function: { name: 'f', arguments: '{}' } }] } }],
    }),
  ],
  [
    'openai',
    'calls that never get a name',
    (index) => ({ choices: [{ delta: { tool_calls: [{ index, function: { arguments: ' ' } }] } }] }),
  ],
  ['openai', 'choices', (index) => ({ choices: [{ index, delta: { content: 'a' } }] })],
  [
    'openai',
    'sources',
    (index) => ({ choices: [{ delta: { content: 'a' } }], citations: [`https://a.example/${index}`] }),
  ],
  [
    'google',
    'calls',
    () => ({
      candidates: [
        { content: { parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'a' }] } },
      ],
    }),
  ],
  [
    'google',
    'fields of the grounding',
    (index) => ({
      candidates: [{ content: { parts: [{ text: 'a' }] }, groundingMetadata: { [`f${index}`]: 1 } }],
    }),
  ],
  ['google', 'choices', (index) => ({ candidates: [{ index, content: { parts: [{ text: 'a' }] } }] })],
  [
    'anthropic',
    'fields of the usage',
    (index) => ({ type: 'message_delta', delta: {}, usage: { [`f${index}`]: 1 } }),
  ],
  [
    'anthropic',
    'tools of the provider',
    (index) => ({
      type: 'content_block_start',
      index,
      content_block: { type: 'server_tool_use', name: `t${index}` },
    }),
  ],
  [
    'anthropic',
    'searches',
    (index) => ({
      type: 'content_block_start',
      index,
      content_block: { type: 'server_tool_use', name: 'web_search', id: `s${index}` },
    }),
  ],
  [
    'cohere',
    'calls',
    (index) => ({
      type: 'tool-call-start',
      index,
      delta: { message: { tool_calls: { id: `c${index}`, function: { name: 'f', arguments: '' } } } },
    }),
  ],
  [
    'responses',
    'pieces of arguments',
    (index) =>
      index === 0
        ? { type: 'response.output_item.added', output_index: 0, item: { type: 'function_call', name: 'f' } }
        : { type: 'response.function_call_arguments.delta', output_index: 0, delta: 'word' },
  ],
  [
    'responses',
    'thoughts and texts in turn',
    (index) => ({
      type: index % 2 === 0 ? 'response.output_text.delta' : 'response.reasoning_text.delta',
      output_index: index,
      delta: 'a',
    }),
  ],
  [
    'responses',
    'parts of a thought',
    (index) => ({ type: 'response.reasoning_text.delta', output_index: 0, content_index: index, delta: 'a' }),
  ],
  [
    'responses',
    'items without a position',
    (index) => ({
      type: 'response.output_item.added',
      item: { type: 'function_call', call_id: `c${index}`, name: 'f' },
    }),
  ],
  [
    'responses',
    'ends without a position',
    (index) => ({
      type: 'response.output_item.done',
      item: { type: 'function_call', call_id: `c${index}`, name: 'f', arguments: '{}' },
    }),
  ],
  [
    'responses',
    'texts that end again and again',
    (index) =>
      index % 2 === 0
        ? { type: 'response.output_text.delta', output_index: 0, delta: 'a' }
        : { type: 'response.output_text.done', output_index: 0, text: 'b' },
  ],
];

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

const events: readonly (readonly [string, (count: number) => readonly GenerationEvent[]])[] = [
  [
    'calls that stay open',
    (count) =>
      times(count, (index) => ({ type: 'tool-call', choice: 0, call: index, id: `c${index}`, name: 'f' })),
  ],
  [
    'calls and pieces of a first one',
    (count) =>
      times(count, (index): GenerationEvent[] => [
        { type: 'tool-call', choice: 0, call: index, id: `c${index}`, name: 'f' },
        { type: 'tool-arguments', choice: 0, call: 0, text: index === 0 ? '{"a":"' : '}' },
      ]).flat(),
  ],
  [
    'details, then calls',
    (count) => [
      ...times(
        count,
        (index): GenerationEvent => ({
          type: 'reasoning-detail',
          choice: 0,
          detail: {
            type: 'reasoning.encrypted',
            data: 'x',
            format: 'google-gemini-v1',
            index,
            id: `d${index}`,
          },
        }),
      ),
      ...times(
        count,
        (index): GenerationEvent => ({
          type: 'tool-call',
          choice: 0,
          call: index,
          id: `c${index}`,
          name: 'f',
        }),
      ),
    ],
  ],
  [
    'probabilities without text',
    (count) =>
      times(count, () => ({
        type: 'logprobs',
        choice: 0,
        content: [{ token: 'a', logprob: 0, bytes: null, top_logprobs: [] }],
        refusal: [],
      })),
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

const readers: readonly (readonly [
  string,
  (piece: (text: string) => void, count: number) => void,
  () => (text: string) => void,
])[] = [
  [
    'the text of a custom tool',
    (add, count) => {
      add('{"input":"');
      for (let index = 0; index < count; index++) add('word');
    },
    () => createInputReader().add,
  ],
  [
    'blanks before the text of a custom tool',
    (add, count) => {
      for (let index = 0; index < count; index++) add('    ');
    },
    () => createInputReader().add,
  ],
  [
    'blanks before a code fence',
    (add, count) => {
      for (let index = 0; index < count; index++) add('    ');
    },
    () => codeFence().add,
  ],
  [
    'blanks in a code fence',
    (add, count) => {
      add('```\n');
      for (let index = 0; index < count; index++) add('    ');
    },
    () => codeFence().add,
  ],
];

test.each(readers)('%s: read in linear time', (_, feed, create) => {
  const work = (count: number) => () => {
    const add = create();
    feed((text) => void add(text), count);
  };
  expect(growthOf(work, 8_000, factor)).toBeLessThan(most);
});
