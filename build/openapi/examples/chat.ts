/** Examples of chat, of text completions and of messages. */
import type { Example } from './example.ts';

const chunk = {
  id: 'chatcmpl-7d1f0c2a9b8e4c6d8f3a1b2c3d4e5f60',
  object: 'chat.completion.chunk',
  created: 1_774_000_000,
  model: 'anthropic/claude-haiku-4-5',
};

const chunkOf = (delta: object, finish_reason: string | null = null) => ({
  ...chunk,
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
});

const tokenDetails = { cached_tokens: 0, cache_write_tokens: 0 };

export const chatExamples = {
  'streams-retrieve': {
    request: { stream_id: 'stream_0f3a9c1d2b7e48569d1c0a4b7f6e2d13', starting_after: 41 },
  },
  'chat-completions': {
    request: {
      model: 'anthropic/claude-haiku-4-5',
      messages: [{ role: 'user', content: 'Hello!' }],
      max_completion_tokens: 100,
      extra: { fallbacks: ['openai/gpt-4.1'], debug: ['routing'] },
    },
    answer: {
      id: 'chatcmpl-7d1f0c2a9b8e4c6d8f3a1b2c3d4e5f60',
      object: 'chat.completion',
      created: 1_774_000_000,
      model: 'anthropic/claude-haiku-4-5',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello! How can I help you?', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 10,
        total_tokens: 19,
        prompt_tokens_details: tokenDetails,
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      debug: {
        routing: [
          {
            provider: 'anthropic',
            region: 'global',
            status: 'succeeded',
            model: 'anthropic/claude-haiku-4-5',
            latency_ms: 412,
          },
        ],
      },
    },
    events: [
      chunkOf({ role: 'assistant', content: '' }),
      chunkOf({ content: 'Hello!' }),
      chunkOf({}, 'stop'),
    ],
  },
  completions: {
    request: { model: 'mistral/codestral-latest', prompt: 'A haiku about gateways:', max_tokens: 50 },
    answer: {
      id: 'cmpl-7d1f0c2a9b8e4c6d8f3a1b2c3d4e5f60',
      object: 'text_completion',
      created: 1_774_000_000,
      model: 'mistral/codestral-latest',
      choices: [{ index: 0, text: 'One door, many rooms.', logprobs: null, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 6,
        total_tokens: 15,
        prompt_tokens_details: tokenDetails,
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    },
  },
  messages: {
    request: { model: chunk.model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello!' }] },
    answer: {
      id: 'msg_7d1f0c2a9b8e4c6d8f3a1b2c3d4e5f60',
      type: 'message',
      role: 'assistant',
      model: chunk.model,
      content: [{ type: 'text', text: 'Hello! How can I help you?' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: {
        input_tokens: 9,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 12,
        service_tier: 'standard',
      },
    },
  },
  'messages-count-tokens': {
    request: {
      model: 'google/gemini-3.5-flash',
      system: 'Answer with one word.',
      messages: [{ role: 'user', content: 'Name a colour.' }],
    },
    answer: { input_tokens: 14 },
  },
} satisfies Readonly<Record<string, Example>>;
