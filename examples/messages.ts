/** A stream of the Messages API. The SDK reads ANTHROPIC_BASE_URL and ANTHROPIC_AUTH_TOKEN on its own. */
import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic();

const stream = client.messages.stream({
  // Any model that can chat.
  model: 'google/gemini-3.5-flash',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Say hello.' }],
});

stream.on('text', (text) => process.stdout.write(text));
const { usage } = await stream.finalMessage();
process.stdout.write(`\n${usage.input_tokens} tokens in, ${usage.output_tokens} out\n`);
