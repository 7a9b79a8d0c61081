/** OpenAI's agents SDK with the Responses API: an agent with two tools, in every protocol. */
import { Agent, OpenAIResponsesModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { useSdk } from '../../harness/clients/sdk.ts';
import { protocolRows } from '../../harness/matrix/providers.ts';

setTracingDisabled(true);
const client = useSdk();

const answers = { get_weather: 'Four degrees and drizzle.', get_time: 'Half past six.' };

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
  const instructions = 'Answer with what the tools say.';
  const agent = new Agent({
    name: 'Guide',
    instructions,
    model: new OpenAIResponsesModel(client(), model),
    tools,
  });
  return { agent, called };
}

const question = 'Both, please: sandbox call get_weather, sandbox call get_time';

test.each(protocolRows)(
  'an agent on $provider calls both tools, in a stream too, and continues from the previous response',
  async ({ model, reasoning = model }) => {
    const whole = newAgent(model);
    const first = await new Runner().run(whole.agent, question);
    const streaming = newAgent(reasoning);
    const second = await new Runner().run(streaming.agent, question, { stream: true });
    await second.completed;
    for (const { called } of [whole, streaming])
      expect(called.toSorted()).toEqual(['get_time string', 'get_weather string']);
    for (const { finalOutput } of [first, second])
      for (const answer of Object.values(answers)) expect(finalOutput).toContain(answer);
    const next = await new Runner().run(streaming.agent, 'Say zebra.', {
      ...(second.lastResponseId !== undefined && { previousResponseId: second.lastResponseId }),
    });
    expect(next.lastResponseId).not.toBe(second.lastResponseId);
    expect(next.finalOutput).toBeTruthy();
  },
);
