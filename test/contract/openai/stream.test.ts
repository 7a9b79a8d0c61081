/** Streamed answers. */
import { expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { providerRows, reasoningRows } from '../../harness/matrix/providers.ts';

const client = useSdk();

test.each(providerRows)('$provider streams its answer in chunks', async ({ model }) => {
  const stream = await client().chat.completions.create({
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'Say zebra.' }],
  });
  const texts: string[] = [];
  const finishes: string[] = [];
  let usage: unknown;
  for await (const chunk of stream) {
    const [choice] = chunk.choices;
    if (choice?.delta.content) texts.push(choice.delta.content);
    if (choice?.finish_reason) finishes.push(choice.finish_reason);
    usage = chunk.usage ?? usage;
  }
  expect(texts.length).toBeGreaterThan(1);
  expect(texts.join('')).toContain('zebra');
  expect(finishes).toEqual(['stop']);
  expect(usage).toMatchObject({ prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) });
});

test.each(providerRows)('$provider gives the same answer streamed or not', async ({ model }) => {
  const request = { model, messages: [{ role: 'user' as const, content: 'Say zebra.' }] };
  const whole = await client().chat.completions.create(request);
  const streamed = await client()
    .chat.completions.stream({ ...request, stream_options: { include_usage: true } })
    .finalChatCompletion();
  expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
  expect(streamed.usage).toEqual(whole.usage);
});

test.each(reasoningRows)(
  '$provider streams its reasoning separately from its answer',
  async ({ reasoning, showsReasoning = true }) => {
    const stream = await client().chat.completions.create({
      model: reasoning,
      stream: true,
      reasoning_effort: 'low',
      messages: [{ role: 'user', content: 'Say zebra.' }],
    });
    let thought = '';
    let text = '';
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined;
      thought += delta?.reasoning_content ?? '';
      text += delta?.content ?? '';
    }
    expect(text).toContain('zebra');
    expect(text).not.toContain('think>');
    if (showsReasoning) expect(thought).not.toBe('');
  },
);
