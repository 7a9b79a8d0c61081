/** Structured output of responses. */
import { zodTextFormat } from 'openai/helpers/zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { useSdk } from '../../harness/clients/sdk.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const client = useSdk();

const weather = z.object({ city: z.string(), degrees: z.number().int() });
const text = { format: zodTextFormat(weather, 'weather') };
const input = 'The weather in Oslo.';

test.each(providerRows)('$provider answers with a schema, parsed by the SDK', async ({ model }) => {
  const response = await client().responses.parse({ model, input, text });
  expect(weather.safeParse(response.output_parsed).success).toBe(true);
});

test.each(providerRows)(
  '$provider answers with a schema in a stream, parsed by the SDK',
  async ({ model }) => {
    const response = await client().responses.stream({ model, input, text }).finalResponse();
    expect(weather.safeParse(response.output_parsed).success).toBe(true);
  },
);

test.each(providerRows)('$provider answers in JSON mode', async ({ model }) => {
  const response = await client().responses.create({
    model,
    input: 'Answer in JSON: the weather in Oslo.',
    text: { format: { type: 'json_object' } },
  });
  expect(JSON.parse(response.output_text)).toBeTypeOf('object');
});
