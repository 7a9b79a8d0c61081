/** The official SDK in TypeScript. */
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import {
  expectEqual,
  expectIn,
  models,
  operation,
  timeAnswer,
  timeQuestion,
  weatherAnswer,
  weatherQuestion,
} from './driver.ts';

const client = new OpenAI({ maxRetries: 0 });
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const answers: Readonly<Record<string, string>> = { get_weather: weatherAnswer, get_time: timeAnswer };

await operation('chat', async (model) => {
  const messages = [{ role: 'user' as const, content: 'Say zebra.' }];
  const completion = await client.chat.completions.create({ model, messages });
  expectIn('zebra', completion.choices[0]?.message.content);
  const response = await client.responses.create({ model, input: 'Say zebra.' });
  expectIn('zebra', response.output_text);
});

await operation('stream', async (model) => {
  const messages = [{ role: 'user' as const, content: 'Say zebra.' }];
  const stream = client.chat.completions.stream({ model, messages });
  expectIn('zebra', await stream.finalContent());
  const response = await client.responses.stream({ model, input: 'Say zebra.' }).finalResponse();
  expectIn('zebra', response.output_text);
});

const tools = Object.entries(answers).map(([name, answer]) => ({
  type: 'function' as const,
  function: {
    name,
    description: `Gives the ${name.slice(4)}.`,
    parameters: city,
    function: async () => answer,
  },
}));

await operation('tools', async (model) => {
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: weatherQuestion }];
  const first = client.chat.completions.runTools({ model, messages, tools });
  expectIn(weatherAnswer, await first.finalContent());
  const more = [...first.messages, { role: 'user' as const, content: timeQuestion }];
  const second = client.chat.completions.runTools({ model, messages: more, tools });
  expectIn(timeAnswer, await second.finalContent());
});

const schema = z.object({ city: z.string(), degrees: z.number() });

await operation('structured', async (model) => {
  const text = { format: zodTextFormat(schema, 'weather') };
  const response = await client.responses.parse({ model, input: 'The weather in Oslo.', text });
  expectEqual(Object.keys(response.output_parsed ?? {}), ['city', 'degrees']);
});

await operation('extras', async (model) => {
  const functions = [{ type: 'function' as const, name: 'get_weather', parameters: city, strict: false }];
  const first = await client.responses.create({ model, input: weatherQuestion, tools: functions });
  const call = first.output.find((item) => item.type === 'function_call');
  const second = await client.responses.create({
    model,
    previous_response_id: first.id,
    input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: weatherAnswer }],
    tools: functions,
  });
  expectIn(weatherAnswer, second.output_text);
  expectEqual((await client.responses.retrieve(second.id)).id, second.id);
});

await operation('extras', async (model) => {
  let response = await client.responses.create({ model, input: 'Say zebra.', background: true });
  while (response.status === 'queued' || response.status === 'in_progress') {
    await new Promise((resolve) => setTimeout(resolve, 50));
    response = await client.responses.retrieve(response.id);
  }
  expectIn('zebra', response.output_text);
});

await operation('extras', async () => {
  const listed = await Array.fromAsync(client.models.list());
  expectIn(models[0] ?? '', JSON.stringify(listed));
  const embedding = await client.embeddings.create({
    model: 'openai/text-embedding-3-small',
    input: 'zebra',
  });
  expectEqual(embedding.data.length, 1);
  const image = await client.images.generate({ model: 'openai/gpt-image-2', prompt: 'A zebra.' });
  expectEqual(image.data?.length, 1);
}, ['models, embeddings, images']);
