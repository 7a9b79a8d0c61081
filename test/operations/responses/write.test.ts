/** The conversion of an answer's events to the items of a response, streamed and as one body. */
import { ResponseStream } from 'openai/lib/responses/ResponseStream';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { ReasoningDetail } from '../../../lib/core/generation/request.ts';
import { decodeReasoning } from '../../../lib/operations/responses/write/encrypted-content.ts';
import { hasOpenAiSchema, openAiSchema } from '../../harness/openai-schema.ts';
import { type WrittenResponse, writtenResponse } from '../../harness/responses/written-response.ts';

const choice = 0;
const start: GenerationEvent = { type: 'start', serviceTier: 'flex' };
const finish: GenerationEvent = { type: 'finish', choice, reason: 'stop' };
const usage: GenerationEvent = {
  type: 'usage',
  usage: { promptTokens: 7, cachedTokens: 2, cacheWriteTokens: 1, completionTokens: 5, reasoningTokens: 3 },
};
const text = (text: string): GenerationEvent => ({ type: 'text', choice, text });
const reasoning = (text: string): GenerationEvent => ({ type: 'reasoning', choice, text });
const call = (call: number): GenerationEvent => ({
  type: 'tool-call',
  choice,
  call,
  id: `call_${call}`,
  name: 'look',
});
const argument = (call: number, text: string): GenerationEvent => ({
  type: 'tool-arguments',
  choice,
  call,
  text,
});
const thought: ReasoningDetail = {
  type: 'reasoning.text',
  text: 'Hm.',
  signature: 'a',
  format: 'f',
  index: 0,
};
const encoded: ReasoningDetail = { type: 'reasoning.encrypted', data: 'b', format: 'f', index: 1 };
const detail = (detail: ReasoningDetail): GenerationEvent => ({ type: 'reasoning-detail', choice, detail });
const token = (token: string) => ({
  token,
  logprob: -1,
  bytes: null,
  top_logprobs: [{ token, logprob: -1, bytes: null }],
});
const probable = (...tokens: string[]): GenerationEvent => ({
  type: 'logprobs',
  choice,
  content: tokens.map(token),
  refusal: [],
});
const cite = (start_index: number, end_index: number): GenerationEvent => ({
  type: 'annotation',
  choice,
  annotation: {
    type: 'url_citation',
    url_citation: { url: 'https://example.com/', title: 'Example', start_index, end_index },
  },
});
const found = { type: 'search', query: 'fjords', sources: [{ type: 'url', url: 'https://example.com/' }] };

const write = (events: readonly GenerationEvent[], changes = {}) =>
  writtenResponse(() => [start, ...events, finish, usage], changes);

/** A short form of the output. */
const shortly = ({ response }: WrittenResponse) =>
  response.output.map((item) => {
    const content = item.type === 'message' ? (item.content as { text?: string; refusal?: string }[]) : [];
    const summary = item.type === 'reasoning' ? (item.summary as { text: string }[]) : [];
    const said = [...content, ...summary].map((part) => ('refusal' in part ? `!${part.refusal}` : part.text));
    return [item.type, ...said, ...(item.type === 'function_call' ? [item.arguments] : [])].join(' ');
  });

const answers: readonly { what: string; events: readonly GenerationEvent[]; output: readonly string[] }[] = [
  { what: 'text', events: [text('Hel'), text('lo')], output: ['message Hello'] },
  { what: 'nothing', events: [text(''), reasoning('')], output: [] },
  {
    what: 'reasoning, then text',
    events: [reasoning('Hm'), reasoning('.'), text('Hi')],
    output: ['reasoning Hm.', 'message Hi'],
  },
  {
    what: 'reasoning in several parts',
    events: [reasoning('Hm.'), detail(thought), reasoning('So.'), detail(encoded), reasoning(' Yes.')],
    output: ['reasoning Hm. So. Yes.'],
  },
  {
    what: 'a refusal after text',
    events: [text('I '), { type: 'refusal', choice, text: 'will not.' }],
    output: ['message I  !will not.'],
  },
  {
    what: 'text after calls',
    events: [text('Look:'), call(0), argument(0, '{}'), call(1), argument(1, '{"a":1}'), text('Done.')],
    output: ['message Look:', 'function_call {}', 'function_call {"a":1}', 'message Done.'],
  },
  {
    what: 'interleaved calls with text between them',
    events: [
      call(0),
      argument(0, '{"a"'),
      call(1),
      argument(1, '{"b"'),
      text('Both.'),
      argument(0, ':1}'),
      argument(1, ':2}'),
    ],
    output: ['function_call {"a":1}', 'function_call {"b":2}', 'message Both.'],
  },
  {
    what: 'several messages of one answer',
    events: [
      { type: 'message', choice, phase: 'commentary' },
      text('Wait.'),
      { type: 'message', choice, phase: 'final_answer' },
      text('Now.'),
    ],
    output: ['message Wait.', 'message Now.'],
  },
  {
    what: 'reasoning during a text',
    events: [text('Signed'), detail(encoded), text(' text.'), call(0), argument(0, '{}')],
    output: ['message Signed text.', 'reasoning', 'function_call {}'],
  },
  {
    what: 'a search between texts',
    events: [
      text('Searching.'),
      { type: 'web-search', choice, search: 0 },
      { type: 'web-search-end', choice, search: 0, status: 'completed', action: found },
      text('Found.'),
    ],
    output: ['message Searching.', 'web_search_call', 'message Found.'],
  },
  {
    what: 'searches that overlap, and one that fails',
    events: [
      { type: 'web-search', choice, search: 0 },
      { type: 'web-search', choice, search: 1 },
      { type: 'web-search-end', choice, search: 1, status: 'failed', action: found },
      { type: 'web-search-end', choice, search: 0, status: 'completed', action: found },
    ],
    output: ['web_search_call', 'web_search_call'],
  },
  {
    what: 'another choice, which is ignored',
    events: [text('One.'), { type: 'text', choice: 1, text: 'Two.' }],
    output: ['message One.'],
  },
];

test.each(answers)('$what', async ({ events, output }) => {
  const written = await write(events);
  expect(written.response.status).toBe('completed');
  expect(shortly(written)).toEqual(output);
  expect(written.body, 'the body is the last object of the stream').toEqual(written.response);
  if (hasOpenAiSchema) expect(openAiSchema('Response')(written.body)).toEqual([]);
});

test.each(answers)('$what: the official SDK reads the stream to the same end', async ({ events }) => {
  const { response, ...written } = await write(events);
  const lines = written.events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const reader = ResponseStream.fromReadableStream(new Blob([lines]).stream());
  const types: string[] = [];
  reader.on('event', ({ type }) => types.push(type));
  const { output } = await reader.finalResponse();
  expect(types).toEqual(written.events.map(({ type }) => type));
  expect(output).toMatchObject(response.output);
});

test('the response has the full usage and the service tier that was used', async () => {
  expect((await write([text('Hi')])).response).toMatchObject({
    object: 'response',
    model: 'acme/one',
    created_at: 1,
    completed_at: 2,
    service_tier: 'flex',
    usage: {
      input_tokens: 7,
      input_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 12,
    },
  });
});

test('a message has its phase', async () => {
  const { response } = await write([{ type: 'message', choice, phase: 'commentary' }, text('Wait.')]);
  expect(response.output).toMatchObject([{ phase: 'commentary' }]);
});

test('consecutive calls are completed one after another', async () => {
  const { events } = await write([
    call(0),
    argument(0, '{"a"'),
    argument(0, ':1}'),
    call(1),
    argument(1, '{}'),
  ]);
  const items = events.filter(({ type }) => type.startsWith('response.output_item'));
  expect(items.map(({ type, output_index }) => `${type} ${output_index}`)).toEqual([
    'response.output_item.added 0',
    'response.output_item.done 0',
    'response.output_item.added 1',
    'response.output_item.done 1',
  ]);
});

test.each([
  { reason: 'length', details: { reason: 'max_output_tokens' } },
  { reason: 'content_filter', details: { reason: 'content_filter' } },
] as const)('an answer that ends by $reason is incomplete, and so is its open item', async (row) => {
  const events = [text('One.'), call(0), argument(0, '{}'), call(1), argument(1, '{"a')];
  const { response, body } = await writtenResponse(() => [
    ...events,
    { ...finish, reason: row.reason },
    usage,
  ]);
  expect(response).toMatchObject({ status: 'incomplete', incomplete_details: row.details });
  const statuses = response.output.map(({ status }) => status);
  expect(statuses).toEqual(['completed', 'completed', 'incomplete']);
  expect(body).toEqual(response);
});

test('log probabilities stay with their text, always with their bytes', async () => {
  const { response, events } = await write([probable('H'), text('Hé'), probable('é')]);
  const written = (name: string, bytes: number[]) => ({
    ...token(name),
    bytes,
    top_logprobs: [{ ...token(name).top_logprobs[0], bytes }],
  });
  const all = [written('H', [72]), written('é', [195, 169])];
  expect(response.output).toMatchObject([{ content: [{ text: 'Hé', logprobs: all }] }]);
  const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
  expect(deltas.map(({ delta }) => delta)).toEqual(['Hé', '']);
});

test('log probabilities of an answer without text open no message', async () => {
  const { response } = await write([call(0), argument(0, '{}'), probable('{')]);
  expect(response.output).toHaveLength(1);
});

test('citations count within their own text', async () => {
  const { response } = await write([
    text('Before.'),
    call(0),
    argument(0, '{}'),
    text('Cited text.'),
    cite(7, 12),
    cite(0, 9),
  ]);
  const reported = [
    { start_index: 0, end_index: 5 },
    { start_index: 0, end_index: 2 },
  ];
  expect(response.output.at(-1)).toMatchObject({ content: [{ text: 'Cited text.', annotations: reported }] });
});

test('a citation that follows completed text has its own message', async () => {
  const { response } = await write([text('Cited.'), call(0), argument(0, '{}'), cite(0, 6)]);
  expect(response.output.at(-1)).toMatchObject({
    type: 'message',
    content: [{ text: '', annotations: [{ url: 'https://example.com/', start_index: 0, end_index: 0 }] }],
  });
});

test('reasoning details are stored, and shown only to callers who ask for them', async () => {
  const events = [
    reasoning('Hm.'),
    detail(thought),
    detail(encoded),
    text('Hi'),
    detail({ ...encoded, index: 2 }),
  ];
  const hidden = await write(events);
  expect(hidden.response.output.map((item) => item.encrypted_content)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const shown = await write(events, { include: ['reasoning.encrypted_content'] });
  for (const output of [shown.response.output, hidden.stored?.output]) {
    const texts = (output as { encrypted_content?: string }[]).map((item) => item.encrypted_content);
    expect(decodeReasoning(texts[0] ?? '')).toEqual([thought, encoded]);
    expect(texts[1]).toBeUndefined();
    expect(decodeReasoning(texts[2] ?? '')).toEqual([{ ...encoded, index: 2 }]);
  }
});

test('the sources of a search are stored, and shown only to callers who ask for them', async () => {
  const events: GenerationEvent[] = [
    { type: 'web-search', choice, search: 0 },
    { type: 'web-search-end', choice, search: 0, status: 'completed', action: found },
  ];
  const { sources: _sources, ...action } = found;
  const hidden = await write(events);
  expect(hidden.response.output).toMatchObject([{ status: 'completed', action }]);
  expect(hidden.response.output[0]?.action).not.toHaveProperty('sources');
  expect(hidden.stored?.output).toMatchObject([{ action: found }]);
  expect(
    (await write(events, { include: ['web_search_call.action.sources'] })).response.output,
  ).toMatchObject([{ action: found }]);
});

test('a response that could not be stored says so, and is still returned', async () => {
  const debug = (isStored: boolean) => ({ isStored });
  const { response, body } = await write([text('Hi')], { store: async () => false, debug });
  expect(response).toMatchObject({ status: 'completed', store: false, debug: { isStored: false } });
  expect(body).toEqual(response);
});

test('an answer without an end is never completed', async () => {
  const { response, error, body, stored } = await writtenResponse(() => [start, text('Hel')]);
  expect(error).toMatchObject({ code: 'provider_stream_cut', param: null });
  expect(response).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  expect([body, stored]).toEqual([undefined, undefined]);
});

function* breakingOff(kind: 'upstream_failed' | 'upstream_rate_limited'): Generator<GenerationEvent> {
  yield* [
    start,
    reasoning('Hm.'),
    { type: 'web-search', choice, search: 0 } as const,
    text('Half'),
    cite(0, 4),
  ];
  yield* [call(0), argument(0, '{"a"'), text('a'), usage];
  throw new GatewayError(kind, 'It broke.');
}

test.each([
  ['upstream_failed', 'server_error'],
  ['upstream_rate_limited', 'rate_limit_exceeded'],
] as const)('after %s the response has the output so far, and is not stored', async (kind, code) => {
  const debug = () => ({ routing: [] });
  const { response, error, stored } = await writtenResponse(() => breakingOff(kind), { debug });
  expect(error).toMatchObject({ message: 'It broke.' });
  expect(response).toMatchObject({
    error: { code, message: 'It broke.' },
    store: false,
    debug: { routing: [] },
  });
  expect(response.output.map(({ type, status }) => [type, status])).toEqual([
    ['reasoning', undefined],
    ['web_search_call', 'failed'],
    ['message', 'completed'],
    ['function_call', 'incomplete'],
    ['message', 'incomplete'],
  ]);
  expect(response.usage).toMatchObject({ total_tokens: 12 });
  expect(stored).toBeUndefined();
});
