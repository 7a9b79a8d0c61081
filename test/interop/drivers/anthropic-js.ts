/** Anthropic's SDK in TypeScript. */
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import {
  apiKey,
  expectEqual,
  expectIn,
  models,
  operation,
  timeAnswer,
  timeQuestion,
  weatherAnswer,
  weatherQuestion,
} from './driver.ts';

const client = new Anthropic({ apiKey: null, authToken: apiKey, maxRetries: 0 });
const all = [...models, 'deepseek/deepseek-v4-flash'];

const said = (content: string) => ({ max_tokens: 8000, messages: [{ role: 'user' as const, content }] });

const textOf = ({ content }: { readonly content: readonly { readonly type: string }[] }): string =>
  content.map((block) => ('text' in block ? block.text : '')).join('');

await operation(
  'chat',
  async (model) => expectIn('zebra', textOf(await client.messages.create({ model, ...said('Say zebra.') }))),
  all,
);

await operation(
  'stream',
  async (model) => {
    const message = await client.messages.stream({ model, ...said('Say zebra.') }).finalMessage();
    expectIn('zebra', textOf(message));
    expectEqual(message.usage.output_tokens > 0, true);
  },
  all,
);

const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const;
const answers = { get_weather: weatherAnswer, get_time: timeAnswer };
const tools = Object.entries(answers).map(([name, answer]) =>
  betaTool({ name, description: `Gives the ${name.slice(4)}.`, inputSchema, run: () => answer }),
);

/** The loop of the SDK, with its defaults: the second turn continues what the first one left. */
async function runTools(model: string, more: object = {}): Promise<void> {
  const first = client.beta.messages.toolRunner({ model, tools, ...said(weatherQuestion), ...more });
  const answered = await first.runUntilDone();
  expectIn(weatherAnswer, textOf(answered));
  const messages = [...first.params.messages];
  if (messages.at(-1)?.role !== 'assistant') messages.push({ role: 'assistant', content: answered.content });
  messages.push({ role: 'user', content: timeQuestion });
  const second = client.beta.messages.toolRunner({ model, max_tokens: 8000, tools, messages, ...more });
  expectIn(timeAnswer, textOf(await second.runUntilDone()));
}

await operation('tools', (model) => runTools(model), all);

await operation(
  'structured',
  async (model) => {
    const schema = { ...inputSchema, additionalProperties: false };
    const output_config = { format: { type: 'json_schema' as const, schema } };
    const asked = said('The weather in Oslo.');
    const message = await client.messages.create({ model, output_config, ...asked });
    expectEqual(Object.keys(JSON.parse(textOf(message))), ['city']);
  },
  all,
);

await operation(
  'extras',
  async (model) => {
    await runTools(model, { stream: true });
    await runTools(model, { thinking: { type: 'adaptive' } });
    const counted = await client.messages.countTokens({ model, messages: said('Say zebra.').messages });
    expectEqual(counted.input_tokens > 0, true);
    const listed = await Array.fromAsync(client.models.list({ limit: 100 }));
    expectIn(model, JSON.stringify(listed));
  },
  all,
);
