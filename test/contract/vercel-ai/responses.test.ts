/** Vercel's AI SDK with its own provider for the Responses API. */
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const gateway = useGateway();

const responses = (model: string) =>
  createOpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey }).responses(model);

describe.each(providerRows)('$provider', (row) => {
  test('answers in a stream', async () => {
    const { text, finishReason } = streamText({ model: responses(row.model), prompt: 'Say zebra.' });
    expect(await text).toContain('zebra');
    expect(await finishReason).toBe('stop');
  });

  test.runIf(row.tools !== 'none')('calls a tool and uses its result', async () => {
    const called: string[] = [];
    const get_weather = tool({
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        called.push(typeof city);
        return 'Four degrees and drizzle.';
      },
    });
    const result = await generateText({
      model: responses(row.reasoning ?? row.model),
      tools: { get_weather },
      prompt: 'What is the weather in Oslo? sandbox call get_weather',
      stopWhen: isStepCount(3),
    });
    expect(called).toEqual(['string']);
    expect(result.text).toContain('drizzle');
  });
});
