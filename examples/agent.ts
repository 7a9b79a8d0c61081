/** An agent: the model calls tools, the program runs them, until the model answers without a call. */
import OpenAI from 'openai';

const client = new OpenAI();

const tools: OpenAI.Chat.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Gives the weather of a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];

/** What the tools do. */
const run: Record<string, (input: { city?: string }) => object> = {
  get_weather: ({ city }) => ({ city, weather: 'sunny', celsius: 21 }),
};

const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
  { role: 'user', content: process.argv[2] ?? 'What is the weather in Lisbon?' },
];

for (let turn = 1; turn <= 10; turn += 1) {
  const completion = await client.chat.completions.create({ model: 'openai/gpt-4.1', messages, tools });
  const message = completion.choices[0]?.message;
  if (!message) throw new Error('The model gave no answer.');
  // Send the message back unchanged: it may hold reasoning that the provider signed.
  messages.push(message);
  if (!message.tool_calls?.length) {
    console.log(message.content);
    break;
  }
  for (const call of message.tool_calls) {
    if (call.type !== 'function') continue;
    const result = run[call.function.name]?.(JSON.parse(call.function.arguments));
    console.log(`${call.function.name}(${call.function.arguments})`);
    messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result ?? 'unknown tool') });
  }
}
