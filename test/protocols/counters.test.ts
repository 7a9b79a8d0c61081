/** Counting tokens without an answer, compaction, and the counts of an answer that cannot be decoded. */
import { describe, expect, test } from 'vitest';
import type { TokenCounter } from '../../lib/core/generation/original/protocol.ts';
import { anthropicMessages, messagesCounter } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse, converseCounter } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { cohereChat } from '../../lib/protocols/cohere-chat/protocol.ts';
import {
  geminiCounter,
  googleGenerateContent,
  vertexCounter,
} from '../../lib/protocols/google-generate-content/protocol.ts';
import { responsesCompactor, responsesCounter } from '../../lib/protocols/openai-responses/protocol.ts';
import { protocol as openaiResponses } from './openai-responses/frames.ts';

interface Row {
  readonly counter: TokenCounter;
  readonly path: string;
  readonly request: object;
  readonly body: object;
  /** The name of the count. */
  readonly count: string;
}

const turns = { messages: [], system: [] };
const contents = { contents: [], tools: [], generationConfig: {} };

const rows: Readonly<Record<string, Row>> = {
  Anthropic: {
    counter: messagesCounter,
    path: '/messages/count_tokens',
    request: {
      model: 'a:1',
      ...turns,
      newer: true,
      max_tokens: 5,
      stream: true,
      temperature: 1,
      thread: 'x',
    },
    body: { model: 'a:1', ...turns, newer: true },
    count: 'input_tokens',
  },
  Bedrock: {
    counter: converseCounter,
    path: '/model/a%3A1/count-tokens',
    request: { ...turns, inferenceConfig: {}, toolConfig: {}, serviceTier: {} },
    body: { input: { converse: { ...turns, toolConfig: {} } } },
    count: 'inputTokens',
  },
  Gemini: {
    counter: geminiCounter,
    path: '/models/a%3A1:countTokens',
    request: contents,
    body: { generateContentRequest: { model: 'models/a:1', ...contents } },
    count: 'totalTokens',
  },
  Vertex: {
    counter: vertexCounter,
    path: '/publishers/google/models/a%3A1:countTokens',
    request: { ...contents, toolConfig: {} },
    body: contents,
    count: 'totalTokens',
  },
  OpenAI: {
    counter: responsesCounter,
    path: '/responses/input_tokens',
    request: { model: 'a:1', input: [], tools: [], store: false, max_output_tokens: 5 },
    body: { model: 'a:1', input: [], tools: [] },
    count: 'input_tokens',
  },
};

describe.each(Object.entries(rows))('%s', (_, { counter, path, request, body, count }) => {
  test('counts what would be answered', () => {
    expect(counter.path('a:1')).toBe(path);
    expect(counter.body({ ...request }, 'a:1')).toStrictEqual(body);
  });

  test.each([
    [7, 7],
    [0, 0],
    [-1, undefined],
    [1.5, undefined],
    ['7', undefined],
    [undefined, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(counter.read({ [count]: value, other: 9 })).toBe(expected);
    expect(counter.read(undefined)).toBeUndefined();
  });
});

test.each(['us', 'eu', 'apac', 'global', 'us-gov'])('Bedrock counts with the model behind %s', (profile) => {
  expect(converseCounter.path(`${profile}.a.us.b`)).toBe('/model/a.us.b/count-tokens');
});

test('Anthropic says what it would edit', () => {
  const context_management = { original_input_tokens: 9 };
  expect(messagesCounter.readOthers?.({ input_tokens: 7, context_management })).toStrictEqual({
    context_management,
  });
  expect(messagesCounter.readOthers?.({ input_tokens: 7 })).toStrictEqual({});
});

describe('compaction', () => {
  const compaction = { type: 'compaction', encrypted_content: 'gAAA' };
  const usage = { input_tokens: 7, output_tokens: 5 };

  test('takes some of the fields of a request', () => {
    const taken = { model: 'a', input: [], prompt_cache_key: 'k' };
    expect(responsesCompactor.body({ ...taken, tools: [], store: false })).toStrictEqual(taken);
  });

  test('has its items and what they cost', () => {
    expect(
      responsesCompactor.read({ output: [{ type: 'message' }, compaction, 'none'], usage }),
    ).toStrictEqual({
      items: [{ type: 'message' }, compaction],
      usage: expect.objectContaining({ promptTokens: 7, completionTokens: 5 }),
      rawUsage: usage,
    });
    expect(responsesCompactor.read({ output: [compaction] })).toStrictEqual({ items: [compaction] });
    expect(responsesCompactor.read({ output: [compaction], usage: {} })).toStrictEqual({
      items: [compaction],
      rawUsage: {},
    });
  });

  test.each([undefined, {}, { output: [] }, { output: [{ type: 'message' }] }])('is not in %j', (answer) => {
    expect(responsesCompactor.read(answer)).toBeUndefined();
  });
});

describe('the counts of a body that cannot be decoded', () => {
  const counts = { input_tokens: 7, output_tokens: 5 };
  const gemini = { promptTokenCount: 7, candidatesTokenCount: 5 };
  const tokens = { tokens: counts };

  test.each([
    ['Anthropic', anthropicMessages, { usage: counts }, counts, undefined],
    [
      'Anthropic, with a tier',
      anthropicMessages,
      { usage: { ...counts, service_tier: 'priority' } },
      { ...counts, service_tier: 'priority' },
      'priority',
    ],
    [
      'Bedrock',
      bedrockConverse,
      { usage: { inputTokens: 7, outputTokens: 5 }, serviceTier: { type: 'flex' } },
      { inputTokens: 7, outputTokens: 5 },
      'flex',
    ],
    ['Cohere', cohereChat, { usage: tokens }, tokens, undefined],
    ['Gemini', googleGenerateContent, { usageMetadata: gemini }, gemini, undefined],
    [
      'Gemini, with a tier',
      googleGenerateContent,
      { usageMetadata: { ...gemini, serviceTier: 'flex' } },
      { ...gemini, serviceTier: 'flex' },
      'flex',
    ],
    ['Responses', openaiResponses, { usage: counts, service_tier: 'flex' }, counts, 'flex'],
  ])('%s', (_, protocol, body, raw, serviceTier) => {
    expect(protocol.readUsage(body)).toStrictEqual({
      usage: expect.objectContaining({ promptTokens: 7, completionTokens: 5 }),
      raw,
      ...(serviceTier !== undefined && { serviceTier }),
    });
    for (const none of [undefined, {}, { usage: {}, usageMetadata: {} }, { usage: null }])
      expect(protocol.readUsage(none)).toBeUndefined();
  });
});
