/** Vercel's AI SDK with its provider for Anthropic. */
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useVercelAnthropic } from '../../harness/clients/sdk-vercel-anthropic.ts';
import { messageModels } from '../../harness/matrix/message-models.ts';
import { pixel } from '../../harness/matrix/providers.ts';

const model = useVercelAnthropic();

const answers: Readonly<Record<string, string>> = {
  get_weather: 'Four degrees and drizzle.',
  get_time: 'Half past six.',
};

/** Tools that record their arguments. */
function newTools() {
  const called: string[] = [];
  const answering = (name: string) =>
    tool({
      description: `The ${name.slice(4)} of a city`,
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        called.push(`${name} ${typeof city}`);
        return answers[name] ?? '';
      },
    });
  return { called, tools: { get_weather: answering('get_weather'), get_time: answering('get_time') } };
}

const both = 'Both, please: sandbox call get_weather, sandbox call get_time';
const thinking = { anthropic: { thinking: { type: 'adaptive' as const }, effort: 'low' as const } };

describe.each(messageModels)('$family', (row) => {
  test('answers a question', async () => {
    const { text, finishReason, usage, response } = await generateText({
      model: model(row.model),
      instructions: 'Be brief.',
      prompt: 'Say zebra.',
      maxOutputTokens: 100,
    });
    expect(text).toContain('zebra');
    expect(finishReason).toBe('stop');
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
    expect(response.modelId).toBe(row.model);
  });

  test('streams its answer in chunks', async () => {
    const stream = streamText({ model: model(row.model), prompt: 'Say zebra.' });
    const pieces = await Array.fromAsync(stream.textStream);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toContain('zebra');
    expect(await stream.finishReason).toBe('stop');
    expect((await stream.usage).outputTokens).toBeGreaterThan(0);
  });

  test('calls several tools at once in a stream, and uses their results', async () => {
    const { called, tools } = newTools();
    const stream = streamText({ model: model(row.model), tools, prompt: both, stopWhen: isStepCount(3) });
    const text = await stream.text;
    expect(called.toSorted()).toEqual(['get_time string', 'get_weather string']);
    expect(text).toContain('drizzle');
    expect(text).toContain('Half past six');
    expect((await stream.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
  });

  test.each([true, false])('thinks, calls tools, and continues (streamed: %s)', async (streamed) => {
    const { called, tools } = newTools();
    const asked = {
      model: model(row.reasoning),
      tools,
      prompt: both,
      providerOptions: thinking,
      stopWhen: isStepCount(3),
    };
    const done = streamed ? streamText(asked) : await generateText(asked);
    expect(await done.text).toContain('drizzle');
    expect(called).toHaveLength(2);
    const [first] = await done.steps;
    expect(first?.reasoning.length).toBeGreaterThan(0);
  });

  test('answers with an object', async () => {
    const schema = z.object({ city: z.string(), degrees: z.number() });
    const { output } = await generateText({
      model: model(row.model),
      output: Output.object({ schema }),
      prompt: 'The weather in Oslo.',
    });
    expect(output).toEqual({ city: expect.any(String), degrees: expect.any(Number) });
  });

  test.runIf(row.takesImages)('is shown an image', async () => {
    const { text } = await generateText({
      model: model(row.model),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'file', data: pixel, mediaType: 'image/png' },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
    });
    expect(text).toContain('I was shown 1 image.');
  });
});
