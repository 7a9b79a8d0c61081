/** Vercel's AI SDK: structured output. */
import { generateText, jsonSchema, Output, streamText } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useVercel } from '../../harness/clients/sdk-vercel.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const model = useVercel();
const prompt = 'The weather in Oslo.';
const weather = z.object({ city: z.string(), degrees: z.number(), wind: z.enum(['calm', 'strong']) });
const seen = { city: expect.any(String), degrees: expect.any(Number), wind: expect.any(String) };

describe.each(providerRows)('$provider', (row) => {
  test('answers with an object', async () => {
    const output = Output.object({ schema: weather, name: 'weather', description: 'The weather of a city' });
    expect((await generateText({ model: model(row.model), output, prompt })).output).toEqual(seen);
  });

  test('streams an object', async () => {
    const stream = streamText({
      model: model(row.model),
      output: Output.object({ schema: weather }),
      prompt,
    });
    const partial = await Array.fromAsync(stream.partialOutputStream);
    expect(partial.at(-1)).toEqual(seen);
    expect(await stream.output).toEqual(seen);
  });

  test('answers with a list', async () => {
    const output = Output.array({ element: weather });
    const list = (await generateText({ model: model(row.model), output, prompt })).output;
    expect(list.every((one) => weather.safeParse(one).success)).toBe(true);
  });

  test('answers by a plain JSON schema', async () => {
    const schema = jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    });
    const output = Output.object({ schema });
    expect((await generateText({ model: model(row.model), output, prompt })).output.city).toBeTypeOf(
      'string',
    );
  });
});
