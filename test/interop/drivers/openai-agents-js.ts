/** OpenAI's agents SDK in TypeScript. */
import {
  Agent,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
  user,
} from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import {
  expectEqual,
  expectIn,
  operation,
  timeAnswer,
  timeQuestion,
  weatherAnswer,
  weatherQuestion,
} from './driver.ts';

setTracingDisabled(true);
const client = new OpenAI({ maxRetries: 0 });
const responses = (model: string) => new OpenAIResponsesModel(client, model);
const chat = (model: string) => new OpenAIChatCompletionsModel(client, model);

const parameters = z.object({ city: z.string() });
const tools = [
  tool({
    name: 'get_weather',
    description: 'Gives the weather.',
    parameters,
    execute: async () => weatherAnswer,
  }),
  tool({ name: 'get_time', description: 'Gives the time.', parameters, execute: async () => timeAnswer }),
];

const guide = (model: Model, more = {}) =>
  new Agent({ name: 'Guide', instructions: 'Be brief.', model, ...more });

async function runTools(model: Model): Promise<void> {
  const agent = guide(model, { tools });
  const first = await new Runner().run(agent, weatherQuestion);
  expectIn(weatherAnswer, first.finalOutput);
  const second = await new Runner().run(agent, [...first.history, user(timeQuestion)]);
  expectIn(timeAnswer, second.finalOutput);
}

await operation('chat', async (model) => {
  expectIn('zebra', (await new Runner().run(guide(responses(model)), 'Say zebra.')).finalOutput);
});

await operation('stream', async (model) => {
  const result = await new Runner().run(guide(responses(model)), 'Say zebra.', { stream: true });
  await result.completed;
  expectIn('zebra', result.finalOutput);
});

await operation('tools', async (model) => await runTools(responses(model)));

await operation('structured', async (model) => {
  const outputType = z.object({ city: z.string(), degrees: z.number() });
  const { finalOutput } = await new Runner().run(guide(responses(model), { outputType }), 'In Oslo.');
  expectEqual(Object.keys(Object(finalOutput)), ['city', 'degrees']);
});

await operation('extras', async (model) => await runTools(chat(model)));

await operation('extras', async (model) => {
  const other = new Agent({ name: 'Clerk', instructions: 'Be brief.', model: chat(model) });
  const first = guide(chat(model), { handoffs: [other] });
  const result = await new Runner().run(first, 'sandbox call transfer_to_Clerk');
  expectEqual(result.lastAgent?.name, 'Clerk');
});
