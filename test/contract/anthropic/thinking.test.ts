/** Anthropic's SDK: thinking that is handed back with the results of tools. */
import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { bothGenerations, useAnthropic } from '../../harness/clients/sdk-anthropic.ts';
import { messageModels } from '../../harness/matrix/message-models.ts';

const client = useAnthropic();

const tool: Anthropic.Tool = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const question: Anthropic.MessageParam = {
  role: 'user',
  content: 'What is the weather in Oslo? sandbox call get_weather {"city": "Oslo"}',
};

const thoughtsOf = ({ content }: Anthropic.Message) => content.filter(({ type }) => type === 'thinking');

function withResult({ content }: Anthropic.Message): Anthropic.MessageParam[] {
  const call = content.find((block) => block.type === 'tool_use');
  if (!call) throw new Error('There is no call.');
  const result = { type: 'tool_result' as const, tool_use_id: call.id, content: 'Four degrees and drizzle.' };
  return [question, { role: 'assistant', content }, { role: 'user', content: [result] }];
}

const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

// The sandbox rejects reasoning with an invalid signature, as the providers do.
describe.each(bothGenerations)('$sdk', (sdk) => {
  describe.each(messageModels)('$family', ({ reasoning: model }) => {
    const asked = {
      model,
      max_tokens: 8000,
      tools: [tool],
      thinking: { type: 'adaptive' as const },
      output_config: { effort: 'low' as const },
    };

    test('thinks, calls a tool in a stream, and continues from what the SDK put together', async () => {
      const first = await client(sdk)
        .messages.stream({ ...asked, messages: [question] })
        .finalMessage();
      expect(first.stop_reason).toBe('tool_use');
      expect(thoughtsOf(first)).toMatchObject([
        { thinking: expect.any(String), signature: expect.stringMatching(/./) },
      ]);
      const second = await client(sdk)
        .messages.stream({ ...asked, messages: withResult(first) })
        .finalMessage();
      expect(textOf(second)).toContain('drizzle');
    });

    test('the same without a stream', async () => {
      const first = await client(sdk).messages.create({ ...asked, messages: [question] });
      expect(thoughtsOf(first)).toMatchObject([
        { thinking: expect.any(String), signature: expect.stringMatching(/./) },
      ]);
      const second = await client(sdk).messages.create({ ...asked, messages: withResult(first) });
      expect(textOf(second)).toContain('drizzle');
    });

    test.each(messageModels)('continues on $family', async ({ reasoning: other }) => {
      const first = await client(sdk).messages.create({ ...asked, messages: [question] });
      const second = await client(sdk).messages.create({
        ...asked,
        model: other,
        messages: withResult(first),
      });
      expect(textOf(second)).toContain('drizzle');
    });
  });
});
