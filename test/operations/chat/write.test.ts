/** Chat answers from events, as one body and as chunks: both have the same. */
import { expect, test } from 'vitest';
import { pipe } from '../../../lib/async/pipe.ts';
import type { GenerationEvent, TokenLogprob } from '../../../lib/core/generation/events.ts';
import type { ReasoningDetail } from '../../../lib/core/generation/request.ts';
import { hideReasoning } from '../../../lib/operations/chat/write/hide-reasoning.ts';
import { writeChatBody } from '../../../lib/operations/chat/write/write-body.ts';
import { chatStream } from '../../../lib/operations/chat/write/write-stream.ts';

const identity = { id: 'chatcmpl-1', created: 1, model: 'acme/one' };

async function* source(given: readonly GenerationEvent[]) {
  yield given;
}

async function bodyOf(given: readonly GenerationEvent[], debug: object | undefined = undefined) {
  const body = await writeChatBody(source(given), identity, () => debug, undefined);
  return JSON.parse(JSON.stringify(body));
}

interface StreamOptions {
  readonly includeUsage?: boolean;
  readonly debug?: object;
}

async function chunksOf(
  given: readonly GenerationEvent[],
  { includeUsage = false, debug }: StreamOptions = {},
) {
  const stream = chatStream({ identity, includeUsage, debug: () => debug });
  const lists = await Array.fromAsync(pipe(source(given), stream));
  const data = lists.flat().map((event) => String(event.data));
  expect(data.at(-1)).toBe('[DONE]');
  return data.slice(0, -1).map((text) => JSON.parse(text));
}

const deltasOf = async (given: readonly GenerationEvent[]) =>
  (await chunksOf(given)).flatMap(({ choices }) => choices.map(({ delta }: { delta: object }) => delta));

const token = (text: string): TokenLogprob => ({ token: text, logprob: -1, bytes: null, top_logprobs: [] });

const usage = {
  promptTokens: 3,
  cachedTokens: 1,
  cacheWriteTokens: 2,
  completionTokens: 4,
  reasoningTokens: 1,
};

const writtenUsage = {
  prompt_tokens: 3,
  completion_tokens: 4,
  total_tokens: 7,
  prompt_tokens_details: { cached_tokens: 1, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 1 },
};

const detail = (data: string, index: number, id?: string) => ({
  type: 'reasoning.encrypted' as const,
  data,
  format: 'google-gemini-v1',
  index,
  ...(id !== undefined && { id }),
});

const signed = (data: string) => ({ extra_content: { google: { thought_signature: data } } });

const whole: readonly GenerationEvent[] = [
  { type: 'start', fingerprint: 'fp_1', serviceTier: 'flex' },
  { type: 'reasoning', choice: 0, text: 'Hm' },
  { type: 'reasoning', choice: 0, text: '.' },
  { type: 'text', choice: 0, text: 'Yes' },
  { type: 'text', choice: 0, text: '.' },
  { type: 'logprobs', choice: 0, content: [token('Yes')], refusal: [] },
  { type: 'logprobs', choice: 0, content: [token('.')], refusal: [token('No')] },
  { type: 'reasoning-detail', choice: 0, detail: detail('first', 0, 'one') },
  { type: 'reasoning-detail', choice: 0, detail: detail('other', 1, 'one') },
  { type: 'reasoning-detail', choice: 0, detail: detail('own', 2) },
  { type: 'tool-call', choice: 0, call: 0, id: 'one', name: 'look' },
  { type: 'tool-arguments', choice: 0, call: 0, text: '{"a":' },
  { type: 'tool-arguments', choice: 0, call: 0, text: '1}' },
  { type: 'tool-call', choice: 0, call: 1, id: 'two', name: 'draw', kind: 'custom' },
  { type: 'tool-arguments', choice: 0, call: 1, text: 'a line' },
  { type: 'finish', choice: 0, reason: 'tool_calls' },
  { type: 'usage', usage },
];

const details = [detail('first', 0, 'one'), detail('other', 1, 'one'), detail('own', 2)];

test('a body has all of the answer', async () => {
  expect(await bodyOf(whole)).toEqual({
    ...identity,
    object: 'chat.completion',
    system_fingerprint: 'fp_1',
    service_tier: 'flex',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Yes.',
          refusal: null,
          reasoning_content: 'Hm.',
          reasoning_details: details,
          tool_calls: [
            {
              id: 'one',
              type: 'function',
              function: { name: 'look', arguments: '{"a":1}' },
              ...signed('first'),
            },
            { id: 'two', type: 'custom', custom: { name: 'draw', input: 'a line' } },
          ],
        },
        logprobs: { content: [token('Yes'), token('.')], refusal: [token('No')] },
        finish_reason: 'tool_calls',
      },
    ],
    usage: writtenUsage,
  });
});

test('chunks have the same, the details in one list before the finish', async () => {
  const chunks = await chunksOf(whole);
  expect(chunks[0]).toEqual({
    ...identity,
    object: 'chat.completion.chunk',
    system_fingerprint: 'fp_1',
    service_tier: 'flex',
    choices: [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
  });
  expect(await deltasOf(whole)).toEqual([
    { role: 'assistant', content: '' },
    { reasoning_content: 'Hm' },
    { reasoning_content: '.' },
    { content: 'Yes' },
    { content: '.' },
    {},
    {},
    {
      tool_calls: [
        {
          index: 0,
          id: 'one',
          type: 'function',
          function: { name: 'look', arguments: '' },
          ...signed('first'),
        },
      ],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
    { tool_calls: [{ index: 1, id: 'two', type: 'custom', custom: { name: 'draw', input: '' } }] },
    { tool_calls: [{ index: 1, custom: { input: 'a line' } }] },
    { reasoning_details: details },
    {},
  ]);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  expect(choices.flatMap(({ logprobs }) => logprobs ?? [])).toEqual([
    { content: [token('Yes')], refusal: null },
    { content: [token('.')], refusal: [token('No')] },
  ]);
  expect(choices.map(({ finish_reason }) => finish_reason).filter(Boolean)).toEqual(['tool_calls']);
});

test('usage and debug are in the last chunk', async () => {
  const debug = { routing: [] };
  const short: readonly GenerationEvent[] = [
    { type: 'text', choice: 0, text: 'Yes.' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage },
  ];
  const withUsage = await chunksOf(short, { includeUsage: true, debug });
  expect(withUsage.at(-1)).toEqual(expect.objectContaining({ choices: [], usage: writtenUsage, debug }));
  expect(withUsage.at(-2)).not.toHaveProperty('debug');
  const without = await chunksOf(short, { debug });
  expect(without.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], debug });
  expect(without.some((chunk) => 'usage' in chunk)).toBe(false);
  expect((await chunksOf(short.slice(0, 2), { includeUsage: true })).at(-1)).toMatchObject({ usage: null });
  expect(await bodyOf(short.slice(0, 2), debug)).toMatchObject({ debug });
  expect(await bodyOf(short.slice(0, 2))).not.toHaveProperty('usage');
  const onlyAudio = [{ type: 'usage', usage: { ...usage, inputAudioTokens: 5 } }] as const;
  expect((await bodyOf(onlyAudio)).usage.prompt_tokens_details).toMatchObject({ audio_tokens: 5 });
});

test('what only the end of a choice holds back is sent in order, also of several choices', async () => {
  const two: readonly GenerationEvent[] = [
    { type: 'text', choice: 1, text: 'B' },
    { type: 'finish', choice: 1, reason: 'length' },
    { type: 'refusal', choice: 0, text: 'No' },
    { type: 'refusal', choice: 0, text: '.' },
    { type: 'finish', choice: 0, reason: 'content_filter' },
  ];
  const choices = (await chunksOf(two)).flatMap((chunk) => chunk.choices);
  expect(choices.map(({ index, delta, finish_reason }) => [index, delta, finish_reason])).toEqual([
    [1, { role: 'assistant', content: '' }, null],
    [1, { content: 'B' }, null],
    [1, {}, 'length'],
    [0, { role: 'assistant', content: '' }, null],
    [0, { refusal: 'No' }, null],
    [0, { refusal: '.' }, null],
    [0, {}, 'content_filter'],
  ]);
  const body = await bodyOf(two);
  expect(body.choices).toEqual([
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: 'No.' },
      logprobs: null,
      finish_reason: 'content_filter',
    },
    {
      index: 1,
      message: { role: 'assistant', content: 'B', refusal: null },
      logprobs: null,
      finish_reason: 'length',
    },
  ]);
});

test('content is null beside calls, and empty without them', async () => {
  const call: GenerationEvent = { type: 'tool-call', choice: 0, call: 0, id: 'one', name: 'look' };
  const finish: GenerationEvent = { type: 'finish', choice: 0, reason: 'stop' };
  const content = async (...events: GenerationEvent[]) => (await bodyOf(events)).choices[0].message.content;
  expect([await content(call, finish), await content(finish)]).toEqual([null, '']);
});

test('only a signature of Gemini stands beside its call', async () => {
  const events = (format: string): readonly GenerationEvent[] => [
    { type: 'reasoning-detail', choice: 0, detail: { ...detail('d', 0, 'one'), format } },
    { type: 'tool-call', choice: 0, call: 0, id: 'one', name: 'look' },
  ];
  const calls = async (format: string) => (await bodyOf(events(format))).choices[0].message.tool_calls;
  expect((await calls('google-gemini-v1'))[0]).toMatchObject(signed('d'));
  expect((await calls('unknown'))[0]).not.toHaveProperty('extra_content');
});

test('the texts of several messages are one, and citations move with them', async () => {
  const cited = { url: 'https://a.example', title: 'A', start_index: 0, end_index: 3 };
  const annotation = { type: 'url_citation' as const, url_citation: cited };
  const events: readonly GenerationEvent[] = [
    { type: 'message', choice: 0 },
    { type: 'text', choice: 0, text: 'One' },
    { type: 'annotation', choice: 0, annotation },
    { type: 'message', choice: 0 },
    { type: 'text', choice: 0, text: 'Two' },
    { type: 'text', choice: 0, text: '!' },
    { type: 'annotation', choice: 0, annotation },
    { type: 'finish', choice: 0, reason: 'stop' },
  ];
  const shifted = { type: 'url_citation', url_citation: { ...cited, start_index: 2, end_index: 5 } };
  const { message } = (await bodyOf(events)).choices[0];
  expect(message).toMatchObject({ content: 'One\n\nTwo!', annotations: [annotation, shifted] });
  expect((await deltasOf(events)).slice(1, -1)).toEqual([
    { content: 'One' },
    { annotations: [annotation] },
    { content: '\n\nTwo' },
    { content: '!' },
    { annotations: [shifted] },
  ]);
});

test('without its reasoning, an answer keeps what a provider needs back after a call', async () => {
  const more = { format: 'f', index: 0 };
  const of = (detail: ReasoningDetail): GenerationEvent => ({ type: 'reasoning-detail', choice: 0, detail });
  const kept: readonly GenerationEvent[] = [
    of(detail('d', 0)),
    of({ type: 'reasoning.text', text: 'Hm.', signature: 's', ...more }),
  ];
  const text: GenerationEvent = { type: 'text', choice: 0, text: 'Yes.' };
  const events: readonly GenerationEvent[] = [
    { type: 'reasoning', choice: 0, text: 'Hm.' },
    of({ type: 'reasoning.summary', summary: 'So.', ...more }),
    of({ type: 'reasoning.text', text: 'Hm.', ...more }),
    ...kept,
    text,
  ];
  const shown = async (hasTools: boolean) => {
    const piped = pipe<readonly GenerationEvent[], GenerationEvent>(source(events), {
      each: (list, out) => out.push(...list),
    });
    return (await Array.fromAsync(hideReasoning(piped, hasTools))).flat();
  };
  expect(await shown(true)).toEqual([...kept, text]);
  expect(await shown(false)).toEqual([text]);
});
