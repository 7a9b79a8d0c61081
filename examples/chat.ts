/** A streamed chat completion. The SDK reads OPENAI_BASE_URL and OPENAI_API_KEY on its own. */
import OpenAI from 'openai';

const client = new OpenAI();

const stream = await client.chat.completions.create({
  model: 'google/gemini-3.5-flash',
  messages: [{ role: 'user', content: 'Say hello.' }],
  stream: true,
});

for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
process.stdout.write('\n');
