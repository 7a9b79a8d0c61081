/** Structured output. */
import { expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const client = useSdk();

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
};

test.each(providerRows)('$provider answers with a JSON schema', async ({ model }) => {
  const completion = await client().chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'The weather in Oslo.' }],
    response_format: { type: 'json_schema', json_schema: { name: 'weather', strict: true, schema } },
  });
  const [choice] = completion.choices;
  expect(choice?.finish_reason).toBe('stop');
  expect(choice?.message.tool_calls).toBeUndefined();
  expect(JSON.parse(choice?.message.content ?? '')).toEqual({
    city: expect.any(String),
    degrees: expect.any(Number),
  });
});

test.each(providerRows)('$provider answers with a JSON schema in a stream', async ({ model }) => {
  const completion = await client()
    .chat.completions.stream({
      model,
      messages: [{ role: 'user', content: 'The weather in Oslo.' }],
      response_format: { type: 'json_schema', json_schema: { name: 'weather', strict: true, schema } },
    })
    .finalChatCompletion();
  expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toHaveProperty('degrees');
  expect(completion.choices[0]?.finish_reason).toBe('stop');
});

test.each(providerRows)('$provider answers in JSON mode', async ({ model }) => {
  const completion = await client().chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Answer in JSON: the weather in Oslo.' }],
    response_format: { type: 'json_object' },
  });
  expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toBeTypeOf('object');
});
