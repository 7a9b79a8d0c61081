/** What both providers of Vercel's AI SDK do. */
import {
  type EmbeddingModel,
  embedMany,
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  tool,
} from 'ai';
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

const inputSchema = z.object({ city: z.string() });
const tools = {
  get_weather: tool({ description: 'Gives the weather.', inputSchema, execute: async () => weatherAnswer }),
  get_time: tool({ description: 'Gives the time.', inputSchema, execute: async () => timeAnswer }),
};

export async function driveAiSdk(
  languageModel: (id: string) => LanguageModel,
  embeddingModel: (id: string) => EmbeddingModel,
): Promise<void> {
  await operation('chat', async (id) => {
    const { text } = await generateText({ model: languageModel(id), prompt: 'Say zebra.' });
    expectIn('zebra', text);
  });

  await operation('stream', async (id) => {
    expectIn('zebra', await streamText({ model: languageModel(id), prompt: 'Say zebra.' }).text);
  });

  await operation('tools', async (id) => {
    const messages: ModelMessage[] = [{ role: 'user', content: weatherQuestion }];
    const settings = { model: languageModel(id), tools, stopWhen: isStepCount(4) };
    const first = await generateText({ ...settings, messages });
    expectIn(weatherAnswer, first.text);
    const more: ModelMessage[] = [
      ...messages,
      ...first.response.messages,
      { role: 'user', content: timeQuestion },
    ];
    expectIn(timeAnswer, await streamText({ ...settings, messages: more }).text);
  });

  await operation('structured', async (id) => {
    const { output } = await generateText({
      model: languageModel(id),
      prompt: 'The weather in Oslo.',
      output: Output.object({ schema: z.object({ city: z.string(), degrees: z.number() }) }),
    });
    expectEqual(Object.keys(output), ['city', 'degrees']);
  });

  await operation(
    'extras',
    async (id) => {
      const { embeddings } = await embedMany({ model: embeddingModel(id), values: ['one', 'two'] });
      expectEqual(embeddings.length, 2);
    },
    ['openai/text-embedding-3-small'],
  );
}
