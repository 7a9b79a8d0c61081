/** LangChain's client for OpenAI: the model calls tools, the caller answers, the model continues. */
import { AIMessageChunk, type BaseMessage, HumanMessage, type ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useLangchain } from '../../harness/clients/sdk-langchain.ts';
import { rowsThat } from '../../harness/matrix/providers.ts';

const model = useLangchain();

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

describe.each(rowsThat(({ tools }) => tools !== 'none'))('$provider', (row) => {
  test('calls a tool and uses its result', async () => {
    const question = new HumanMessage('What is the weather in Oslo? sandbox call get_weather');
    const bound = model(row.model).bindTools(tools);
    const first = await bound.invoke([question]);
    expect(first.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: expect.any(String) } }]);
    const second = await bound.invoke([question, ...(await withResults(first))]);
    expect(second.text).toContain('drizzle');
  });

  test('calls several tools at once in a stream, and accepts all results', async () => {
    const question = new HumanMessage('Both, please: sandbox call get_weather, sandbox call get_time');
    const bound = model(row.model).bindTools(tools, { parallel_tool_calls: true });
    const pieces = await Array.fromAsync(await bound.stream([question]));
    const first = pieces.reduce((one, other) => one.concat(other), new AIMessageChunk(''));
    expect(first.tool_calls?.map(({ name }) => name)).toEqual(['get_weather', 'get_time']);
    expect(first.invalid_tool_calls ?? []).toEqual([]);
    const second = await bound.invoke([question, ...(await withResults(first))]);
    expect(second.text).toContain('drizzle');
    expect(second.text).toContain('Half past six');
  });

  test.runIf(row.tools === 'as-required')('calls the required tool, strictly', async () => {
    const bound = model(row.model).bindTools(tools, { tool_choice: 'get_time', strict: true });
    const { tool_calls: calls } = await bound.invoke('What is the weather in Oslo? sandbox call get_weather');
    expect(calls?.map(({ name }) => name)).toEqual(['get_time']);
  });
});
