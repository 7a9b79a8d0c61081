/** Vercel's AI SDK: a question and its answer, streamed or not. */
import { generateText, streamText } from 'ai';
import { describe, expect, test } from 'vitest';
import { useVercel } from '../../harness/clients/sdk-vercel.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const model = useVercel();

describe.each(providerRows)('$provider', (row) => {
  test('answers a question', async () => {
    const { text, finishReason, usage, response } = await generateText({
      model: model(row.model),
      instructions: 'Be brief.',
      prompt: 'Say zebra.',
      temperature: 0.5,
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

  test.runIf(row.reasoning)('continues a conversation with reasoning', async () => {
    const first = await generateText({
      model: model(row.reasoning ?? row.model),
      prompt: 'Say one.',
      providerOptions: { gateway: { reasoningEffort: 'low' } },
    });
    const second = await generateText({
      model: model(row.reasoning ?? row.model),
      providerOptions: { gateway: { reasoningEffort: 'low' } },
      messages: [
        { role: 'user', content: 'Say one.' },
        ...first.response.messages,
        { role: 'user', content: 'Say two.' },
      ],
    });
    expect(second.text).toContain('two');
    if (row.showsReasoning ?? true) expect(second.reasoningText).toBeTruthy();
  });

  test('stops at the requested length', async () => {
    const { finishReason } = await generateText({
      model: model(row.model),
      prompt: 'Tell a long story.',
      maxOutputTokens: 3,
    });
    expect(finishReason).toBe('length');
  });
});
