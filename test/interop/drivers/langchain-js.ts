/** LangChain in TypeScript. */
import { AIMessageChunk } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { z } from 'zod';
import {
  apiKey,
  baseUrl,
  expectEqual,
  expectIn,
  operation,
  timeAnswer,
  timeQuestion,
  weatherAnswer,
  weatherQuestion,
} from './driver.ts';

const configuration = { baseURL: baseUrl };
const chatModel = (model: string, more = {}) =>
  new ChatOpenAI({ model, apiKey, configuration, maxRetries: 0, ...more });

const schema = z.object({ city: z.string() });
const tools = [
  tool(async () => weatherAnswer, { name: 'get_weather', description: 'Gives the weather.', schema }),
  tool(async () => timeAnswer, { name: 'get_time', description: 'Gives the time.', schema }),
];

await operation('chat', async (model) => {
  expectIn('zebra', (await chatModel(model).invoke('Say zebra.')).text);
});

await operation('stream', async (model) => {
  const pieces = await Array.fromAsync(await chatModel(model).stream('Say zebra.'));
  expectIn('zebra', pieces.reduce((one, other) => one.concat(other), new AIMessageChunk('')).text);
});

/** The agent is only in the package that `npm run interop` installs. */
const agents = 'langchain';
const { createAgent } = await import(agents);

const runTools = async (model: ChatOpenAI) => {
  const agent = createAgent({ model, tools });
  const first = await agent.invoke({ messages: [{ role: 'user', content: weatherQuestion }] });
  expectIn(weatherAnswer, first.messages.at(-1).text);
  const messages = [...first.messages, { role: 'user', content: timeQuestion }];
  expectIn(timeAnswer, (await agent.invoke({ messages })).messages.at(-1).text);
};

await operation('tools', async (model) => await runTools(chatModel(model)));

await operation('structured', async (model) => {
  const weather = z.object({ city: z.string(), degrees: z.number() });
  const answer = await chatModel(model).withStructuredOutput(weather, { name: 'weather' }).invoke('In Oslo.');
  expectEqual(Object.keys(answer), ['city', 'degrees']);
});

await operation('extras', async (model) => await runTools(chatModel(model, { useResponsesApi: true })));

await operation(
  'extras',
  async (model) => {
    const embeddings = new OpenAIEmbeddings({ model, apiKey, configuration });
    expectEqual((await embeddings.embedDocuments(['one', 'two'])).length, 2);
  },
  ['openai/text-embedding-3-small'],
);
