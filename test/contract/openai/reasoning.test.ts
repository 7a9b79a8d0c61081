/** Reasoning that is sent back: a message as the SDK assembles it from a stream is enough for the next turn. */
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources';
import { expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { reasoningRows } from '../../harness/matrix/providers.ts';

const client = useSdk();

const tools: ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];
const question: ChatCompletionMessageParam = {
  role: 'user',
  content: 'What is the weather in Oslo? sandbox call get_weather',
};

// The sandbox rejects reasoning with an invalid signature, as the providers do.
test.each(reasoningRows.filter(({ tools: takes }) => takes !== 'none'))(
  '$provider reasons, calls a tool in a stream, and continues from the SDK’s message',
  async ({ reasoning: model }) => {
    const asked = { model, tools, reasoning_effort: 'high' as const };
    const first = await client()
      .chat.completions.stream({ ...asked, messages: [question] })
      .finalChatCompletion();
    const message = first.choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (!message || !call) throw new Error('The model called no tool.');
    const result: ChatCompletionMessageParam = {
      role: 'tool',
      tool_call_id: call.id,
      content: 'Four degrees and drizzle.',
    };
    const second = await client().chat.completions.create({
      ...asked,
      messages: [question, message, result],
    });
    expect(second.choices[0]?.message.content).toContain('drizzle');
  },
);
