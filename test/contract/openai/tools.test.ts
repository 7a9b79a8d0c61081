/** Tools: the model calls them, the caller answers, the model continues. */
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources';
import { describe, expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { rowsThat } from '../../harness/matrix/providers.ts';

const client = useSdk();

const tools: ChatCompletionTool[] = ['get_weather', 'get_time'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `The ${name.slice(4)} of a city`,
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
}));

const question: ChatCompletionMessageParam = {
  role: 'user',
  content: 'What is the weather in Oslo? sandbox call get_weather',
};

describe.each(rowsThat(({ tools: use }) => use !== 'none'))('$provider', ({ model, tools: use }) => {
  test('calls a tool and uses its result in the next turn', async () => {
    const first = await client().chat.completions.create({ model, tools, messages: [question] });
    const [choice] = first.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    const [call] = choice?.message.tool_calls ?? [];
    if (!choice || call?.type !== 'function') throw new Error('There is no call.');
    expect(call.function.name).toBe('get_weather');
    expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.any(String) });
    const second = await client().chat.completions.create({
      model,
      tools,
      messages: [
        question,
        choice.message,
        { role: 'tool', tool_call_id: call.id, content: 'Four degrees and drizzle.' },
      ],
    });
    expect(second.choices[0]?.finish_reason).toBe('stop');
    expect(second.choices[0]?.message.content).toContain('drizzle');
  });

  test('calls several tools at once in a stream, and accepts all results', async () => {
    const asked: ChatCompletionMessageParam = {
      role: 'user',
      content: 'Both, please: sandbox call get_weather, sandbox call get_time',
    };
    const stream = client().chat.completions.stream({ model, tools, messages: [asked] });
    const first = await stream.finalChatCompletion();
    const calls = first.choices[0]?.message.tool_calls ?? [];
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    const message = first.choices[0]?.message;
    if (!message) throw new Error('There is no answer.');
    const results = calls.map(({ id }, index): ChatCompletionMessageParam => {
      return { role: 'tool', tool_call_id: id, content: `result ${index}` };
    });
    const second = await client().chat.completions.create({
      model,
      tools,
      messages: [asked, message, ...results],
    });
    expect(second.choices[0]?.message.content).toContain('result');
  });

  test.runIf(use === 'as-required')('calls the required tool', async () => {
    const completion = await client().chat.completions.create({
      model,
      tools,
      tool_choice: { type: 'function', function: { name: 'get_time' } },
      messages: [question],
    });
    const [call] = completion.choices[0]?.message.tool_calls ?? [];
    expect(call?.type === 'function' && call.function.name).toBe('get_time');
  });

  test('calls no tool with tool_choice none', async () => {
    const completion = await client().chat.completions.create({
      model,
      tools,
      tool_choice: 'none',
      messages: [question],
    });
    expect(completion.choices[0]?.message.tool_calls).toBeUndefined();
    expect(completion.choices[0]?.finish_reason).toBe('stop');
  });
});
