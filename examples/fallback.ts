/** Another model answers when the first one fails before its first token. */
import OpenAI from 'openai';

/** What the gateway adds to the body of a request. */
interface GatewayOptions {
  readonly extra: { readonly fallbacks: string[]; readonly debug: string[] };
}

/** What it adds to an answer. */
interface GatewayAnswer {
  readonly debug: {
    readonly routing: { model: string; provider: string; status: string; reason?: string }[];
  };
}

const client = new OpenAI();

const request: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming & GatewayOptions = {
  model: 'anthropic/claude-opus-5',
  messages: [{ role: 'user', content: 'Say hello.' }],
  extra: { fallbacks: ['openai/gpt-4.1', 'google/gemini-3.5-flash'], debug: ['routing'] },
};

const completion = (await client.chat.completions.create(request)) as OpenAI.Chat.ChatCompletion &
  GatewayAnswer;

for (const { model, provider, status, reason } of completion.debug.routing)
  console.log(`${model} at ${provider}: ${status}${reason ? ` (${reason})` : ''}`);
console.log(`${completion.model} answered: ${completion.choices[0]?.message.content}`);
