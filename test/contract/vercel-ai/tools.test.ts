/** Vercel's AI SDK: its own loop calls tools and continues with their results. */
import { generateText, isStepCount, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useVercel } from '../../harness/clients/sdk-vercel.ts';
import { rowsThat } from '../../harness/matrix/providers.ts';

const model = useVercel();

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

describe.each(rowsThat(({ tools }) => tools !== 'none'))('$provider', (row) => {
  test('calls a tool and uses its result', async () => {
    const { called, tools } = newTools();
    const result = await generateText({
      model: model(row.model),
      tools,
      prompt: 'What is the weather in Oslo? sandbox call get_weather',
      stopWhen: isStepCount(3),
    });
    expect(called).toEqual(['get_weather string']);
    expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(result.text).toContain('drizzle');
  });

  test('calls several tools at once in a stream, and uses their results', async () => {
    const { called, tools } = newTools();
    const stream = streamText({
      model: model(row.model),
      tools,
      prompt: 'Both, please: sandbox call get_weather, sandbox call get_time',
      stopWhen: isStepCount(3),
    });
    const text = await stream.text;
    expect(called.toSorted()).toEqual(['get_time string', 'get_weather string']);
    expect(text).toContain('drizzle');
    expect(text).toContain('Half past six');
    expect((await stream.steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
  });

  test.runIf(row.tools === 'as-required')('calls the required tool', async () => {
    const { tools } = newTools();
    const { toolCalls } = await generateText({
      model: model(row.model),
      tools,
      toolChoice: { type: 'tool', toolName: 'get_time' },
      prompt: 'What is the weather in Oslo? sandbox call get_weather',
    });
    expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['get_time']);
  });

  test.runIf(row.reasoning)('reasons, calls a tool, and continues', async () => {
    const { called, tools } = newTools();
    const result = await generateText({
      model: model(row.reasoning ?? row.model),
      tools,
      prompt: 'What is the weather in Oslo? sandbox call get_weather',
      providerOptions: { gateway: { reasoningEffort: 'low' } },
      stopWhen: isStepCount(3),
    });
    expect(called).toEqual(['get_weather string']);
    expect(result.text).toContain('drizzle');
  });
});
