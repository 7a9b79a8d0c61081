/** Text completions from the events of an answer, as one body and as chunks. */
import { describe, expect, test } from 'vitest';
import { pipe } from '../../../lib/async/pipe.ts';
import type { GenerationEvent, TokenLogprob } from '../../../lib/core/generation/events.ts';
import { chunkStream } from '../../../lib/operations/chat/write/write-stream.ts';
import { textWriter, writeCompletionBody } from '../../../lib/operations/completions/endpoint.ts';

const identity = { id: 'cmpl-1', created: 1, model: 'acme/one' };

const probability = (token: string, logprob: number, ...others: readonly string[]): TokenLogprob => ({
  token,
  logprob,
  bytes: null,
  top_logprobs: [token, ...others].map((one, index) => ({
    token: one,
    logprob: logprob - index,
    bytes: null,
  })),
});

const usage = {
  promptTokens: 3,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 4,
  reasoningTokens: 1,
};

const events: readonly GenerationEvent[] = [
  { type: 'start', fingerprint: 'fp_1' },
  { type: 'reasoning', choice: 0, text: 'Hm.' },
  { type: 'text', choice: 0, text: 'Grüße 🙂' },
  { type: 'logprobs', choice: 0, content: [probability('Grüße', -1, 'Hi')], refusal: [] },
  { type: 'logprobs', choice: 0, content: [probability(' 🙂', -2), probability('!', -3)], refusal: [] },
  { type: 'text', choice: 0, text: '!' },
  { type: 'finish', choice: 0, reason: 'length' },
  { type: 'usage', usage },
];

async function* source(given: readonly GenerationEvent[]) {
  yield given;
}

const asBody = (given: readonly GenerationEvent[], echoed = '') =>
  writeCompletionBody(source(given), identity, { echoed, cost: undefined, debug: () => undefined });

async function asChunks(given: readonly GenerationEvent[], echoed = '') {
  const options = { identity, includeUsage: true, debug: () => ({ routing: [] }) };
  const stream = chunkStream({ ...options, object: 'text_completion', write: textWriter(echoed) });
  const lists = await Array.fromAsync(pipe(source(given), stream));
  const data = lists.flat().map((event) => String(event.data));
  expect(data.at(-1)).toBe('[DONE]');
  return data.slice(0, -1).map((text) => JSON.parse(text));
}

const written = {
  prompt_tokens: 3,
  completion_tokens: 4,
  total_tokens: 7,
  prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 1 },
};

describe('a body', () => {
  test('has the text, the probabilities with the places of the tokens, and the usage', async () => {
    expect(await asBody(events)).toEqual({
      ...identity,
      object: 'text_completion',
      system_fingerprint: 'fp_1',
      choices: [
        {
          index: 0,
          text: 'Grüße 🙂!',
          logprobs: {
            tokens: ['Grüße', ' 🙂', '!'],
            token_logprobs: [-1, -2, -3],
            top_logprobs: [{ Grüße: -1, Hi: -2 }, { ' 🙂': -2 }, { '!': -3 }],
            text_offset: [0, 5, 7],
          },
          finish_reason: 'length',
        },
      ],
      usage: expect.objectContaining(written),
    });
  });

  test('begins each choice with the echoed prompt, in the order of the choices', async () => {
    const two: readonly GenerationEvent[] = [
      { type: 'refusal', choice: 1, text: 'No.' },
      { type: 'text', choice: 0, text: 'Yes.' },
      { type: 'finish', choice: 1, reason: 'content_filter' },
      { type: 'finish', choice: 0, reason: 'stop' },
    ];
    expect(await asBody(two, 'Well? ')).toMatchObject({
      choices: [
        { index: 0, text: 'Well? Yes.', logprobs: null, finish_reason: 'stop' },
        { index: 1, text: 'Well? No.', logprobs: null, finish_reason: 'content_filter' },
      ],
    });
  });
});

describe('chunks', () => {
  test('have the same, and the places of tokens go on', async () => {
    const chunks = await asChunks(events);
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(new Set(chunks.map(({ id, object, model }) => `${id} ${object} ${model}`))).toEqual(
      new Set(['cmpl-1 text_completion acme/one']),
    );
    expect(choices.map(({ text }) => text).join('')).toBe('Grüße 🙂!');
    expect(choices.flatMap(({ logprobs }) => logprobs?.text_offset ?? [])).toEqual([0, 5, 7]);
    expect(choices.map(({ finish_reason }) => finish_reason).filter(Boolean)).toEqual(['length']);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: written, debug: { routing: [] } });
  });

  test('begin with the echoed prompt, also where nothing follows', async () => {
    const chunks = await asChunks([{ type: 'finish', choice: 0, reason: 'stop' }], 'Well?');
    expect(chunks.flatMap(({ choices }) => choices)).toEqual([
      { index: 0, text: 'Well?', logprobs: null, finish_reason: null },
      { index: 0, text: '', logprobs: null, finish_reason: 'stop' },
    ]);
  });
});
