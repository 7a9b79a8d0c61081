/** Examples of the Messages operations. */
import type { Example } from './example.ts';

const model = 'anthropic/claude-haiku-4-5';

export const messagesExamples = {
  messages: {
    request: { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello!' }] },
    answer: {
      id: 'msg_7d1f0c2a9b8e4c6d8f3a1b2c3d4e5f60',
      type: 'message',
      role: 'assistant',
      model,
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
