/** Anthropic's SDK: the model calls tools, the caller answers, the model continues. */
import type Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { describe, expect, test } from 'vitest';
import { bothGenerations, useAnthropic } from '../../harness/clients/sdk-anthropic.ts';
import { messageModels } from '../../harness/matrix/message-models.ts';
import { pixel } from '../../harness/matrix/providers.ts';

const client = useAnthropic();

const tools: Anthropic.Tool[] = ['get_weather', 'get_time'].map((name) => ({
  name,
  description: `The ${name.slice(4)} of a city`,
  input_schema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}));

const question: Anthropic.MessageParam = {
  role: 'user',
  content: 'What is the weather in Oslo? sandbox call get_weather {"city": "Oslo"}',
};

const callsOf = ({ content }: Anthropic.Message) => content.filter((block) => block.type === 'tool_use');

const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

const results = (calls: readonly Anthropic.ToolUseBlock[], texts: readonly string[]) => ({
  role: 'user' as const,
  content: calls.map(
    ({ id }, index): Anthropic.ToolResultBlockParam => ({
      type: 'tool_result',
      tool_use_id: id,
      content: texts[index] ?? '',
    }),
  ),
});

describe.each(bothGenerations)('$sdk', (sdk) => {
  describe.each(messageModels)('$family', ({ model, takesImages }) => {
    const asked = { model, max_tokens: 1000, tools };

    test('calls a tool and uses its result', async () => {
      const first = await client(sdk).messages.create({ ...asked, messages: [question] });
      expect(first.stop_reason).toBe('tool_use');
      expect(callsOf(first)).toMatchObject([{ name: 'get_weather', input: { city: 'Oslo' } }]);
      const second = await client(sdk).messages.create({
        ...asked,
        messages: [
          question,
          { role: 'assistant', content: first.content },
          results(callsOf(first), ['Four degrees and drizzle.']),
        ],
      });
      expect(second.stop_reason).toBe('end_turn');
      expect(textOf(second)).toContain('drizzle');
    });

    test('calls two tools at once in a stream, and accepts both results', async () => {
      const both: Anthropic.MessageParam = {
        role: 'user',
        content:
          'Both, please: sandbox call get_weather {"city": "Oslo"}, sandbox call get_time {"city": "Rome"}',
      };
      const first = await client(sdk)
        .messages.stream({ ...asked, messages: [both] })
        .finalMessage();
      expect(first.stop_reason).toBe('tool_use');
      const calls = callsOf(first);
      expect(calls).toMatchObject([
        { name: 'get_weather', input: { city: 'Oslo' } },
        { name: 'get_time', input: { city: 'Rome' } },
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      const second = await client(sdk)
        .messages.stream({
          ...asked,
          messages: [
            both,
            { role: 'assistant', content: first.content },
            results(calls, ['Four degrees and drizzle.', 'Half past six.']),
          ],
        })
        .finalMessage();
      expect(second.stop_reason).toBe('end_turn');
      expect(textOf(second)).toContain('drizzle');
      expect(textOf(second)).toContain('Half past six');
    });

    test('calls the tool that is required, one at a time, or none', async () => {
      const forced = await client(sdk).messages.create({
        ...asked,
        messages: [{ role: 'user', content: 'The time in Oslo?' }],
        tool_choice: { type: 'tool', name: 'get_time', disable_parallel_tool_use: true },
      });
      expect(callsOf(forced)).toMatchObject([{ name: 'get_time' }]);
      expect(forced.stop_reason).toBe('tool_use');
      const none = await client(sdk).messages.create({
        ...asked,
        messages: [question],
        tool_choice: { type: 'none' },
      });
      expect(callsOf(none)).toEqual([]);
      expect(none.stop_reason).toBe('end_turn');
    });

    test('runs its tools with the defaults of the tool runner', async () => {
      const inputSchema = { type: 'object', properties: { city: { type: 'string' } } } as const;
      const run = ({ city }: { readonly city?: string }) => `Four degrees and drizzle in ${city}.`;
      const tool = betaTool({ name: 'get_weather', description: 'The weather', inputSchema, run });
      const { beta } = client(sdk);
      for (const stream of [false, true]) {
        const runner = beta.messages.toolRunner({ ...asked, tools: [tool], messages: [question], stream });
        expect(textOf((await runner.runUntilDone()) as Anthropic.Message)).toContain('drizzle in Oslo');
      }
    });

    /** The answer to the result of the one call that the model made. */
    const afterResult = async (
      result: Omit<Anthropic.ToolResultBlockParam, 'type' | 'tool_use_id'>,
    ): Promise<Anthropic.Message> => {
      const first = await client(sdk).messages.create({ ...asked, messages: [question] });
      const [call] = callsOf(first);
      if (!call) throw new Error('There is no call.');
      const block = { type: 'tool_result' as const, tool_use_id: call.id, ...result };
      return await client(sdk).messages.create({
        ...asked,
        messages: [
          question,
          { role: 'assistant', content: first.content },
          { role: 'user', content: [block] },
        ],
      });
    };

    test.runIf(takesImages)('is shown the image in a tool result', async () => {
      const data = pixel.slice(pixel.indexOf(',') + 1);
      const second = await afterResult({
        content: [
          { type: 'text', text: 'A picture of the sky.' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
        ],
      });
      expect(second.stop_reason).toBe('end_turn');
      expect(textOf(second)).toContain('I was shown 1 image.');
    });

    test('is given a failure of a tool', async () => {
      const second = await afterResult({ content: 'The station is closed.', is_error: true });
      expect(second.stop_reason).toBe('end_turn');
      expect(textOf(second)).toContain('The station is closed.');
    });
  });
});
