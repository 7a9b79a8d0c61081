/** Vercel's AI SDK with its providers for compatible hosts, for OpenAI's Responses and for Anthropic. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  generateImage,
  generateText,
  type ImageModel,
  isStepCount,
  type LanguageModel,
  Output,
  streamText,
  tool,
} from 'ai';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestGateway } from '../../harness/gateways/gateway.ts';
import { addImageModels, imageRows, lookAt } from '../../harness/matrix/images.ts';
import { messageModels } from '../../harness/matrix/message-models.ts';
import { pixel, protocolRows } from '../../harness/matrix/providers.ts';
import { use } from '../../harness/use.ts';

// Models that it does not know are warned of.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const gateway = use(() => startTestGateway());
beforeAll(() => addImageModels());

const settings = () => ({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey });
const compatible = () =>
  createOpenAICompatible({
    ...settings(),
    name: 'gateway',
    includeUsage: true,
    supportsStructuredOutputs: true,
  });

type GiveModel = (id: string) => LanguageModel;
const chat: GiveModel = (id) => compatible()(id);
const responses: GiveModel = (id) => createOpenAI(settings()).responses(id);
const messages: GiveModel = (id) => createAnthropic(settings())(id);

interface Row {
  readonly name: string;
  readonly give: GiveModel;
  readonly id: string;
  readonly reasoning: string;
  readonly takesImages: boolean;
}

const rows: readonly Row[] = [
  ...protocolRows.flatMap(({ provider, model: id, reasoning = id, images }) => {
    const row = { id, reasoning, takesImages: images !== undefined };
    return [
      { name: `chat, ${provider}`, give: chat, ...row },
      { name: `Responses, ${provider}`, give: responses, ...row },
    ];
  }),
  ...messageModels.map(({ family, model: id, ...row }) => {
    return { name: `Messages, ${family}`, give: messages, id, ...row };
  }),
];

const effort = {
  gateway: { reasoningEffort: 'low' },
  openai: { reasoningEffort: 'low' },
  anthropic: { thinking: { type: 'adaptive' }, effort: 'low' },
} as const;

/** Tools that record their arguments. */
function newTools() {
  const called: string[] = [];
  const answering = (name: string, answer: string) =>
    tool({
      description: `The ${name} of a city`,
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        called.push(`${name} ${typeof city}`);
        return answer;
      },
    });
  const get_weather = answering('weather', 'Four degrees and drizzle.');
  return { called, tools: { get_weather, get_time: answering('time', 'Half past six.') } };
}

const both = 'Both, please: sandbox call get_weather, sandbox call get_time';
const prompt = 'The weather in Oslo.';

describe.each(rows)('$name', ({ give, id, reasoning, takesImages }) => {
  test('answers a question', async () => {
    const { text, finishReason, usage, response } = await generateText({
      model: give(id),
      instructions: 'Be brief.',
      prompt: 'Say zebra.',
      maxOutputTokens: 100,
    });
    expect(text).toContain('zebra');
    expect(finishReason).toBe('stop');
    expect(usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
    expect(response.modelId).toBe(id);
  });

  test('streams its answer in chunks', async () => {
    const stream = streamText({ model: give(id), prompt: 'Say zebra.' });
    const pieces = await Array.fromAsync(stream.textStream);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toContain('zebra');
    expect(await stream.finishReason).toBe('stop');
    expect((await stream.usage).outputTokens).toBeGreaterThan(0);
  });

  test('stops at the requested length', async () => {
    const asked = { prompt: 'Tell a long story.', maxOutputTokens: 16 };
    const { finishReason } = await generateText({ model: give(id), ...asked });
    expect(finishReason).toBe('length');
  });

  test('calls several tools at once in a stream, and uses their results', async () => {
    const { called, tools } = newTools();
    const stream = streamText({ model: give(id), tools, prompt: both, stopWhen: isStepCount(3) });
    const text = await stream.text;
    expect(called.toSorted()).toEqual(['time string', 'weather string']);
    expect(text).toContain('drizzle');
    expect(text).toContain('Half past six');
    expect((await stream.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
  });

  test('calls the required tool', async () => {
    const { tools } = newTools();
    const toolChoice = { type: 'tool', toolName: 'get_time' } as const;
    const { toolCalls } = await generateText({ model: give(id), tools, toolChoice, prompt: both });
    expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['get_time']);
  });

  test.each([true, false])('thinks, calls tools, and continues (streamed: %s)', async (streamed) => {
    const { called, tools } = newTools();
    const asked = {
      model: give(reasoning),
      tools,
      prompt: both,
      providerOptions: effort,
      stopWhen: isStepCount(3),
    };
    const done = streamed ? streamText(asked) : await generateText(asked);
    expect(await done.text).toContain('drizzle');
    expect(called).toHaveLength(2);
  });

  test('answers with an object, whole and in a stream', async () => {
    const schema = z.object({ city: z.string(), degrees: z.number() });
    const seen = { city: expect.any(String), degrees: expect.any(Number) };
    const asked = { model: give(id), output: Output.object({ schema }), prompt };
    expect((await generateText(asked)).output).toEqual(seen);
    const stream = streamText(asked);
    expect((await Array.fromAsync(stream.partialOutputStream)).at(-1)).toEqual(seen);
    const list = Output.array({ element: schema });
    expect((await generateText({ ...asked, output: list })).output).toEqual(expect.any(Array));
  });

  test.runIf(takesImages)('is shown an image', async () => {
    const file = { type: 'file', data: pixel, mediaType: 'image/png' } as const;
    const content = [file, { type: 'text' as const, text: 'What is this?' }];
    const { text } = await generateText({ model: give(id), messages: [{ role: 'user', content }] });
    expect(text).toContain('1 image');
  });
});

const imageModels: Readonly<Record<string, (id: string) => ImageModel>> = {
  openai: (id) => createOpenAI(settings()).image(id),
  'openai-compatible': (id) => compatible().imageModel(id),
};

describe.each(Object.entries(imageModels))('images with the provider for %s', (_, imageModel) => {
  test.each(imageRows)('$provider', async ({ model, format }) => {
    const { images } = await generateImage({
      model: imageModel(model),
      prompt: 'A harbour in the morning',
      n: 2,
      size: '1024x1024',
      maxRetries: 0,
    });
    const seen = images.map(({ base64 }) => lookAt(base64));
    expect(seen).toEqual([format, format].map((one) => ({ format: one, size: '1024x1024' })));
  });
});
