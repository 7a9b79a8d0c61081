/** OpenAI's agents SDK with the Responses API: an agent with two tools, for every provider. */
import { Agent, OpenAIResponsesModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useSdk } from '../../harness/clients/sdk.ts';
import { rowsThat } from '../../harness/matrix/providers.ts';

setTracingDisabled(true);
const client = useSdk();

const answers: Readonly<Record<string, string>> = {
  get_weather: 'Four degrees and drizzle.',
  get_time: 'Half past six.',
};

function newAgent(model: string) {
  const called: string[] = [];
  const tools = Object.entries(answers).map(([name, answer]) =>
    tool({
      name,
      description: `The ${name.slice(4)} of a city`,
      parameters: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        called.push(`${name} ${typeof city}`);
        return answer;
      },
    }),
  );
  const agent = new Agent({
    name: 'Guide',
    instructions: 'Answer with what the tools say.',
    model: new OpenAIResponsesModel(client(), model),
    tools,
  });
  return { agent, called };
}

const question = 'Both, please: sandbox call get_weather, sandbox call get_time';

describe.each(rowsThat(({ tools }) => tools !== 'none'))('an agent on $provider', (row) => {
  test('calls both tools and uses their results', async () => {
    const { agent, called } = newAgent(row.model);
    const result = await new Runner().run(agent, question);
    expect(called.toSorted()).toEqual(['get_time string', 'get_weather string']);
    expect(result.finalOutput).toContain('drizzle');
    expect(result.finalOutput).toContain('Half past six');
  });

  test('does so in a stream, and continues from the previous response', async () => {
    const { agent, called } = newAgent(row.reasoning ?? row.model);
    const result = await new Runner().run(agent, question, { stream: true });
    await result.completed;
    expect(called.toSorted()).toEqual(['get_time string', 'get_weather string']);
    expect(result.finalOutput).toContain('drizzle');
    const next = await new Runner().run(agent, 'Say zebra.', {
      ...(result.lastResponseId !== undefined && { previousResponseId: result.lastResponseId }),
    });
    expect(next.lastResponseId).not.toBe(result.lastResponseId);
    expect(next.finalOutput).toBeTruthy();
  });
});
