/** LangChain's clients for OpenAI and for Anthropic: chat, tools, structured output, embeddings and text completions. */
import { ChatAnthropic, type ChatAnthropicInput } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage, HumanMessage, type ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestGateway } from '../../harness/gateways/gateway.ts';
import { likeness } from '../../harness/matrix/embedders.ts';
import { messageModels } from '../../harness/matrix/message-models.ts';
import { protocolRows } from '../../harness/matrix/providers.ts';
import { use } from '../../harness/use.ts';

const gateway = use(() => startTestGateway());

const settings = (model: string) => ({
  model,
  apiKey: gateway.apiKey,
  configuration: { baseURL: `${gateway.url}/v1` },
  maxRetries: 0,
});

const anthropic = (model: string, more: ChatAnthropicInput = {}) =>
  new ChatAnthropic({
    model,
    apiKey: gateway.apiKey,
    anthropicApiUrl: gateway.url,
    maxTokens: 8000,
    maxRetries: 0,
    ...more,
  });

interface Row {
  readonly name: string;
  readonly chat: () => BaseChatModel;
}

const rows: readonly Row[] = [
  ...protocolRows.map(({ provider, model }) => {
    return { name: `ChatOpenAI, ${provider}`, chat: () => new ChatOpenAI(settings(model)) };
  }),
  ...messageModels.map(({ family, model }) => {
    return { name: `ChatAnthropic, ${family}`, chat: () => anthropic(model) };
  }),
];

/** The same with a model that reasons. */
const withThinking: readonly Row[] = messageModels.map(({ family, reasoning }) => {
  return {
    name: `ChatAnthropic, ${family}, thinking`,
    chat: () => anthropic(reasoning, { thinking: { type: 'adaptive' } }),
  };
});

const answers = { get_weather: 'Four degrees and drizzle.', get_time: 'Half past six.' };

const tools = Object.entries(answers).map(([name, answer]) =>
  tool(async () => answer, {
    name,
    description: `The ${name.slice(4)} of a city`,
    schema: z.object({ city: z.string() }),
  }),
);

const bound = (chat: BaseChatModel, more: object = {}) => {
  const model = chat.bindTools?.(tools, more);
  if (!model) throw new Error('It has no tools.');
  return model;
};

/** The answer, and the results of the calls in it. */
async function withResults(answer: AIMessageChunk): Promise<BaseMessage[]> {
  const results = (answer.tool_calls ?? []).map(async (call) => {
    const found = tools.find(({ name }) => name === call.name);
    const result: unknown = await found?.invoke({ ...call, type: 'tool_call' });
    return result as ToolMessage;
  });
  return [answer, ...(await Promise.all(results))];
}

const joined = (pieces: readonly AIMessageChunk[]) =>
  pieces.reduce((one, other) => one.concat(other), new AIMessageChunk(''));

describe.each(rows)('$name', ({ chat }) => {
  test('answers a question, and continues from its answer', async () => {
    const question = new HumanMessage('Say zebra.');
    const answer = await chat().invoke([question]);
    expect(answer.text).toContain('zebra');
    expect(answer.usage_metadata).toMatchObject({
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
    });
    expect((await chat().invoke([question, answer, new HumanMessage('Say two.')])).text).toContain('two');
  });

  test('streams its answer in chunks', async () => {
    const pieces = await Array.fromAsync(await chat().stream('Say zebra.'));
    expect(pieces.filter(({ text }) => text !== '').length).toBeGreaterThan(1);
    const whole = joined(pieces);
    expect(whole.text).toContain('zebra');
    expect(whole.usage_metadata).toMatchObject({ output_tokens: expect.any(Number) });
  });

  test('calls the tool that is required', async () => {
    const asked = 'What is the weather in Oslo? sandbox call get_weather';
    const { tool_calls: calls } = await bound(chat(), { tool_choice: 'get_time' }).invoke(asked);
    expect(calls?.map(({ name }) => name)).toEqual(['get_time']);
  });

  test.each(['functionCalling', 'jsonSchema'] as const)('gives structured output by %s', async (method) => {
    const weather = z.object({ city: z.string(), degrees: z.number() });
    const structured = chat().withStructuredOutput(weather, { method, name: 'weather' });
    const seen = { city: expect.any(String), degrees: expect.any(Number) };
    expect(await structured.invoke('The weather in Oslo: sandbox call weather')).toEqual(seen);
    // Its parser for Anthropic takes no calls in pieces.
    if (method !== 'jsonSchema') return;
    const pieces = await Array.fromAsync(
      await structured.stream('The weather in Oslo: sandbox call weather'),
    );
    expect(pieces.at(-1)).toEqual(seen);
  });
});

test.each([...rows, ...withThinking])(
  '$name: calls several tools at once in a stream, and accepts all results',
  async ({ chat }) => {
    const both = new HumanMessage('Both, please: sandbox call get_weather, sandbox call get_time');
    const model = bound(chat());
    const first = joined((await Array.fromAsync(await model.stream([both]))) as AIMessageChunk[]);
    expect(first.tool_calls?.map(({ name }) => name)).toEqual(['get_weather', 'get_time']);
    expect(first.invalid_tool_calls ?? []).toEqual([]);
    const { text } = (await model.invoke([both, ...(await withResults(first))])) as AIMessageChunk;
    for (const answer of Object.values(answers)) expect(text).toContain(answer);
  },
);

test.each([
  ['openai/text-embedding-3-large', undefined, 3072],
  ['openai/text-embedding-3-small', 512, 512],
  ['mistral/mistral-embed', undefined, 1024],
  ['amazon/titan-embed-text-v2', 256, 256],
])('%s finds the right document', async (model, dimensions, width) => {
  const embeddings = new OpenAIEmbeddings({
    ...settings(model),
    batchSize: 2,
    ...(dimensions !== undefined && { dimensions }),
  });
  const stored = await embeddings.embedDocuments([
    'Paris is the capital of France.',
    'Cats sleep most of the day.',
    'Bread is made of flour and water.',
  ]);
  const asked = await embeddings.embedQuery('Which bread is made of water?');
  expect(stored.map((vector) => vector.length)).toEqual([width, width, width]);
  const ranks = stored.map((vector) => likeness(vector, asked));
  expect(ranks.indexOf(Math.max(...ranks))).toBe(2);
});

test('a text is completed, whole and in a stream, of a prompt in a list', async () => {
  const model = new OpenAI(settings('anthropic/claude-haiku-4-5'));
  expect(await model.invoke('Once upon a time')).toContain('sandbox');
  const parts = await Array.fromAsync(await model.stream('Once upon a time'));
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.join('')).toContain('sandbox');
});
