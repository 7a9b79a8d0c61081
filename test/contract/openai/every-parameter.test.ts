/**
 * The calls of the official SDK's own generated tests, with every parameter that this API has: each family takes them.
 * Source: openai/openai-node, tests/api-resources. What the API leaves out on purpose (functions, audio output) is not sent.
 */
import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';

const client = useSdk();

const families = [
  'openai/gpt-4.1',
  'openai/gpt-5.5',
  'anthropic/claude-opus-5',
  'google/gemini-3.5-flash',
  'mistral/mistral-large-2512',
  'amazon/nova-pro',
  'cohere/command-a-vision-07-2025',
  'deepseek/deepseek-v4-flash',
];

const parameters = { type: 'object', properties: { place: { type: 'string' } } };

describe.each(families)('%s', (model) => {
  test('chat completions', async () => {
    const completion = await client().chat.completions.create({
      model,
      messages: [
        { role: 'developer', name: 'name', content: 'Be brief.' },
        { role: 'user', name: 'someone', content: 'Hello.' },
      ],
      frequency_penalty: -2,
      logit_bias: { 50256: -100 },
      logprobs: true,
      max_completion_tokens: 200,
      metadata: { project: 'test' },
      modalities: ['text'],
      n: 1,
      parallel_tool_calls: true,
      prediction: { type: 'content', content: 'Hello.' },
      presence_penalty: -2,
      prompt_cache_key: 'key',
      prompt_cache_retention: '24h',
      reasoning_effort: 'low',
      response_format: { type: 'text' },
      safety_identifier: 'someone',
      seed: 7,
      service_tier: 'auto',
      stop: '###',
      store: false,
      stream: false,
      temperature: 1,
      tool_choice: 'none',
      tools: [
        { type: 'function', function: { name: 'look', description: 'Looks.', parameters, strict: false } },
      ],
      top_logprobs: 0,
      top_p: 1,
      user: 'someone',
      verbosity: 'low',
    });
    expect(completion.choices[0]?.message.role).toBe('assistant');
  });

  test('responses, and what is done with a stored one', async () => {
    const responses = client().responses;
    const created: OpenAI.Responses.Response = await responses.create({
      model,
      input: 'Hello.',
      background: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'Be brief.',
      max_output_tokens: 200,
      max_tool_calls: 3,
      metadata: { project: 'test' },
      parallel_tool_calls: true,
      prompt_cache_key: 'key',
      reasoning: { effort: 'low', summary: 'auto' },
      safety_identifier: 'someone',
      service_tier: 'auto',
      store: true,
      temperature: 1,
      text: { format: { type: 'text' }, verbosity: 'low' },
      tool_choice: 'none',
      tools: [{ type: 'function', name: 'look', parameters, strict: false }],
      top_p: 1,
      truncation: 'auto',
      user: 'someone',
    });
    expect(created.status).toBe('completed');
    expect((await responses.retrieve(created.id)).id).toBe(created.id);
    const items = await responses.inputItems.list(created.id, { limit: 20, order: 'asc' });
    expect(items.data).toHaveLength(1);
    const counted = await responses.inputTokens.count({ model, input: 'Hello.', instructions: 'Be brief.' });
    expect(counted.input_tokens).toBeGreaterThan(0);
    await responses.delete(created.id);
    await expect(responses.retrieve(created.id)).rejects.toMatchObject({ status: 404 });
  });
});

test.each(['openai/text-embedding-3-small', 'google/gemini-embedding-001'])(
  'embeddings of %s',
  async (model) => {
    const settings = { model, input: 'The quick fox', dimensions: 256, user: 'someone' };
    const { data } = await client().embeddings.create({ ...settings, encoding_format: 'float' });
    expect(data[0]?.embedding).toHaveLength(256);
  },
);

test('images', async () => {
  const { data } = await client().images.generate({
    model: 'openai/gpt-image-2',
    prompt: 'A fox.',
    background: 'opaque',
    moderation: 'low',
    n: 1,
    output_compression: 80,
    output_format: 'jpeg',
    quality: 'medium',
    size: '1024x1024',
    user: 'someone',
  });
  expect(data).toHaveLength(1);
});

test.each(families)('completions of %s', async (model) => {
  const settings = { model, prompt: 'This is a test.', max_tokens: 200, n: 1, seed: 0, stop: '###' };
  const completion = await client().completions.create({
    ...settings,
    temperature: 1,
    top_p: 1,
    user: 'someone',
  });
  expect(completion.choices[0]?.text).toEqual(expect.any(String));
});
