/** Chat with the official SDK, at every provider: texts, streams, tools, structured output and reasoning. */
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { describe, expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { protocolRows, providerRows } from '../../harness/matrix/providers.ts';

const client = useSdk();

const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });
const zebra = [user('Say zebra.')];

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

const question = user('What is the weather in Oslo? sandbox call get_weather');

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
};
const weather = {
  messages: [user('The weather in Oslo.')],
  response_format: { type: 'json_schema', json_schema: { name: 'weather', strict: true, schema } },
} as const;

/** The calls of an answer as a later message has their results. */
function continued(
  message: { readonly tool_calls?: readonly { readonly id: string }[] } | undefined,
  text: string,
) {
  if (!message) throw new Error('There is no answer.');
  const results = (message.tool_calls ?? []).map(({ id }, index): ChatCompletionMessageParam => {
    return { role: 'tool', tool_call_id: id, content: `${text} ${index}` };
  });
  return [message as ChatCompletionMessageParam, ...results];
}

/** Requests to a model, whole and streamed. */
function askingOf(model: string) {
  const create = async (body: object) => {
    const asked = { model, messages: zebra, ...body, stream: false as const };
    const completion = await client().chat.completions.create(asked);
    return { ...completion, choice: completion.choices[0] };
  };
  const stream = async (body: object) => {
    const asked = { model, messages: zebra, stream_options: { include_usage: true }, ...body };
    const completion = await client().chat.completions.stream(asked).finalChatCompletion();
    return { ...completion, choice: completion.choices[0] };
  };
  return { create, stream };
}

describe.each(providerRows)('$provider', ({ model, tools: use, reasoning, showsReasoning = true }) => {
  const { create, stream } = askingOf(model);

  test('answers a question, the same in a stream', async () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, ...zebra];
    const whole = await create({ messages });
    expect(whole).toMatchObject({ object: 'chat.completion', model, choice: { finish_reason: 'stop' } });
    expect(whole.choice?.message.content).toContain('zebra');
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = whole.usage ?? {};
    expect(completion_tokens).toBeGreaterThan(0);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    const streamed = await stream({ messages });
    expect(streamed.choice?.message.content).toBe(whole.choice?.message.content);
    expect(streamed.choice?.finish_reason).toBe('stop');
    expect(streamed.usage).toEqual(whole.usage);
  });

  test('answers by a JSON schema, in a stream too, and in JSON mode', async () => {
    const seen = { city: expect.any(String), degrees: expect.any(Number) };
    for (const ask of [create, stream]) {
      const { choice } = await ask(weather);
      expect(JSON.parse(choice?.message.content ?? '')).toEqual(seen);
      expect(choice?.finish_reason).toBe('stop');
      expect(choice?.message.tool_calls ?? []).toEqual([]);
    }
    const messages = [user('Answer in JSON: the weather in Oslo.')];
    const { choice } = await create({ messages, response_format: { type: 'json_object' } });
    expect(JSON.parse(choice?.message.content ?? '')).toBeTypeOf('object');
  });

  describe.runIf(use !== 'none')('with tools', () => {
    test('calls several tools at once in a stream, and accepts all results', async () => {
      const both = user('Both, please: sandbox call get_weather, sandbox call get_time');
      const { choice } = await stream({ tools, messages: [both] });
      expect(choice?.finish_reason).toBe('tool_calls');
      const ids = choice?.message.tool_calls?.map(({ id }) => id) ?? [];
      expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
      const second = await create({ tools, messages: [both, ...continued(choice?.message, 'result')] });
      expect(second.choice?.message.content).toContain('result');
    });

    test.runIf(use === 'as-required')('calls the required tool', async () => {
      const tool_choice = { type: 'function', function: { name: 'get_time' } };
      const { choice } = await create({ tools, tool_choice, messages: [question] });
      expect(choice?.message.tool_calls).toMatchObject([{ function: { name: 'get_time' } }]);
    });

    test('calls no tool with tool_choice none', async () => {
      const { choice } = await create({ tools, tool_choice: 'none', messages: [question] });
      expect(choice?.message.tool_calls).toBeUndefined();
      expect(choice?.finish_reason).toBe('stop');
    });
  });

  describe.runIf(reasoning)('with reasoning', () => {
    test('streams it separately from the answer', async () => {
      const asked = { model: reasoning ?? model, reasoning_effort: 'low' as const, messages: zebra };
      const chunks = await Array.fromAsync(
        await client().chat.completions.create({ ...asked, stream: true }),
      );
      const deltas = chunks.map(({ choices }) => Object(choices[0]?.delta));
      const text = deltas.map(({ content }) => content ?? '').join('');
      expect(text).toContain('zebra');
      expect(text).not.toContain('think>');
      if (showsReasoning)
        expect(deltas.map(({ reasoning_content }) => reasoning_content ?? '').join('')).not.toBe('');
    });

    // The sandbox rejects reasoning with an invalid signature, as the providers do.
    test.runIf(use !== 'none')('continues from the message that the SDK made of a stream', async () => {
      const asked = { model: reasoning, tools, reasoning_effort: 'high' };
      const { choice } = await stream({ ...asked, messages: [question] });
      expect(choice?.message.tool_calls).toHaveLength(1);
      const second = await create({
        ...asked,
        messages: [question, ...continued(choice?.message, 'drizzle')],
      });
      expect(second.choice?.message.content).toContain('drizzle');
    });
  });
});

// Every host has these from its protocol.
describe.each(protocolRows)('$provider', ({ model }) => {
  const { create } = askingOf(model);

  test('streams its answer in chunks', async () => {
    const chunks = await Array.fromAsync(
      await client().chat.completions.create({ model, stream: true, messages: zebra }),
    );
    const texts = chunks.flatMap(({ choices }) => choices[0]?.delta.content || []);
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).toContain('zebra');
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['stop']);
  });

  test('stops at the requested length', async () => {
    const { choice } = await create({ max_completion_tokens: 3, messages: [user('Tell a long story.')] });
    expect(choice?.finish_reason).toBe('length');
  });

  test('continues a conversation', async () => {
    const { choice } = await create({});
    const second = await create({ messages: [...zebra, choice?.message, user('Say two.')] });
    expect(second.choice?.message.content).toContain('two');
  });

  test('calls a tool and uses its result in the next turn', async () => {
    const { choice } = await create({ tools, messages: [question] });
    expect(choice?.finish_reason).toBe('tool_calls');
    const [call] = choice?.message.tool_calls ?? [];
    if (call?.type !== 'function') throw new Error('There is no call.');
    expect(call.function.name).toBe('get_weather');
    expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.any(String) });
    const messages = [question, ...continued(choice?.message, 'drizzle')];
    const second = await create({ tools, messages });
    expect(second.choice).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringContaining('drizzle') },
    });
  });
});
