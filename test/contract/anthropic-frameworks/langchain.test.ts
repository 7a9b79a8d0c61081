/** LangChain's client for Anthropic. */
import {
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  type ToolMessage,
  type UsageMetadata,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useLangchainAnthropic } from '../../harness/clients/sdk-langchain-anthropic.ts';
import { messageModels } from '../../harness/matrix/message-models.ts';

const model = useLangchainAnthropic();

const answers: Readonly<Record<string, string>> = {
  get_weather: 'Four degrees and drizzle.',
  get_time: 'Half past six.',
};

const tools = Object.entries(answers).map(([name, answer]) =>
  tool(async () => answer, {
    name,
    description: `The ${name.slice(4)} of a city`,
    schema: z.object({ city: z.string() }),
  }),
);

/** The answer, and the results of the calls in it. */
async function withResults(answer: AIMessageChunk): Promise<BaseMessage[]> {
  const results = (answer.tool_calls ?? []).map(async (call) => {
    const found = tools.find(({ name }) => name === call.name);
    const result: unknown = await found?.invoke({ ...call, type: 'tool_call' });
    return result as ToolMessage;
  });
  return [answer, ...(await Promise.all(results))];
}

const both = new HumanMessage('Both, please: sandbox call get_weather, sandbox call get_time');

const usageOf = ({ usage_metadata: usage }: { usage_metadata?: UsageMetadata | undefined }) => usage;

describe.each(messageModels)('$family', (row) => {
  test('answers a question', async () => {
    const answer = await model(row.model).invoke('Say zebra.');
    expect(answer.text).toContain('zebra');
    expect(usageOf(answer)?.input_tokens).toBeGreaterThan(0);
    expect(usageOf(answer)?.output_tokens).toBeGreaterThan(0);
  });

  test('streams its answer in chunks', async () => {
    const pieces = await Array.fromAsync(await model(row.model).stream('Say zebra.'));
    const whole = pieces.reduce((one, other) => one.concat(other), new AIMessageChunk(''));
    expect(pieces.filter(({ text }) => text !== '').length).toBeGreaterThan(1);
    expect(whole.text).toContain('zebra');
    expect(usageOf(whole)?.output_tokens).toBeGreaterThan(0);
  });

  test.each([{}, { thinking: { type: 'adaptive' as const } }])(
    'calls several tools at once in a stream, and accepts all results (%j)',
    async (more) => {
      const bound = model(row.reasoning, more).bindTools(tools);
      const pieces = await Array.fromAsync(await bound.stream([both]));
      const first = pieces.reduce((one, other) => one.concat(other), new AIMessageChunk(''));
      expect(first.tool_calls?.map(({ name }) => name)).toEqual(['get_weather', 'get_time']);
      expect(first.invalid_tool_calls ?? []).toEqual([]);
      const second = await bound.invoke([both, ...(await withResults(first))]);
      expect(second.text).toContain('drizzle');
      expect(second.text).toContain('Half past six');
    },
  );

  test.each(['functionCalling', 'jsonSchema'] as const)('gives structured output by %s', async (method) => {
    const weather = z.object({ city: z.string(), degrees: z.number() });
    const structured = model(row.model).withStructuredOutput(weather, { method, name: 'weather' });
    expect(await structured.invoke('The weather in Oslo.')).toEqual({
      city: expect.any(String),
      degrees: expect.any(Number),
    });
  });
});
