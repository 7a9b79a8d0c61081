/** A response, streamed or not, from every provider. */
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const client = useSdk();

test.each(providerRows)('$provider answers a question', async ({ model }) => {
  const response = await client().responses.create({
    model,
    instructions: 'Be brief.',
    input: 'Say zebra.',
  });
  expect(response).toMatchObject({ object: 'response', status: 'completed', model, error: null });
  expect(response.output_text).toContain('zebra');
  const { usage } = response;
  expect(usage?.output_tokens).toBeGreaterThan(0);
  expect(usage?.total_tokens).toBe((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0));
  expect(usage).toMatchObject({
    input_tokens_details: { cached_tokens: expect.any(Number) },
    output_tokens_details: { reasoning_tokens: expect.any(Number) },
  });
});

test.each(providerRows)(
  '$provider answers in a stream that ends with the complete answer',
  async ({ model }) => {
    const stream = client().responses.stream({ model, input: [{ role: 'user', content: 'Say zebra.' }] });
    let streamed = '';
    const numbers: number[] = [];
    for await (const event of stream) {
      numbers.push(event.sequence_number);
      if (event.type === 'response.output_text.delta') streamed += event.delta;
    }
    const response = await stream.finalResponse();
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(streamed).toContain('zebra');
    expect(response.output_text).toBe(streamed);
    expect(response.status).toBe('completed');
  },
);

test.each(providerRows)('$provider reports that it stopped at the requested length', async ({ model }) => {
  const response = await client().responses.create({
    model,
    max_output_tokens: 16,
    input: `Repeat: ${'a long story with many words '.repeat(20)}`,
  });
  expect(response.status).toBe('incomplete');
  expect(response.incomplete_details).toEqual({ reason: 'max_output_tokens' });
});

test.each(providerRows)('$provider continues from its own response', async ({ model }) => {
  const first = await client().responses.create({ model, input: 'Say one.' });
  const second = await client().responses.create({
    model,
    input: [
      { role: 'user', content: 'Say one.' },
      ...first.output,
      { role: 'user', content: 'Say two.' },
    ] as OpenAI.Responses.ResponseInput,
  });
  expect(second.output_text).toContain('two');
});
