/** Examples of the operations on responses. */
import type { Example } from './example.ts';

const tokenDetails = { cached_tokens: 0, cache_write_tokens: 0 };

const response = {
  id: 'resp_0af8c6d1b2e34f5a9c7d8e6f5a4b3c2d',
  object: 'response',
  created_at: 1_774_000_000,
  completed_at: 1_774_000_002,
  model: 'google/gemini-3.5-flash',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output: [
    {
      id: 'msg_1',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Blue.', annotations: [], logprobs: [] }],
    },
  ],
  usage: {
    input_tokens: 9,
    input_tokens_details: tokenDetails,
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 11,
  },
  service_tier: 'default',
  background: false,
  frequency_penalty: 0,
  presence_penalty: 0,
  instructions: 'Answer with one word.',
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
};

export const responsesExamples = {
  responses: {
    request: {
      model: 'google/gemini-3.5-flash',
      instructions: 'Answer with one word.',
      input: 'Name a colour.',
    },
    answer: response,
  },
  'responses-retrieve': {
    request: { response_id: response.id },
    answer: response,
  },
  'responses-cancel': {
    request: { response_id: response.id },
    answer: {
      ...response,
      background: true,
      status: 'cancelled',
      completed_at: null,
      output: [],
      usage: null,
    },
  },
  'responses-delete': {
    request: { response_id: response.id },
    answer: { id: response.id, object: 'response', deleted: true },
  },
  'responses-input-items': {
    request: { response_id: response.id, order: 'asc' },
    answer: {
      object: 'list',
      data: [
        {
          id: 'msg_0',
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Name a colour.' }],
        },
      ],
      first_id: 'msg_0',
      last_id: 'msg_0',
      has_more: false,
    },
  },
  'responses-compact': {
    request: {
      model: 'openai/gpt-5.5',
      input: [
        { role: 'user', content: 'Name a colour.' },
        { role: 'assistant', content: 'Blue.' },
      ],
    },
    answer: {
      id: 'resp_0b6d1f6ac1e94d0f8b1e2f3a4c5d6e7f',
      object: 'response.compaction',
      created_at: 1_774_000_000,
      model: 'openai/gpt-5.5',
      output: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Name a colour.' }] },
        { type: 'compaction', id: 'cmp_0b6d1f6ac1e94d0f8b1e2f3a4c5d6e7f', encrypted_content: 'gAAAAAB…' },
      ],
      usage: {
        input_tokens: 14,
        input_tokens_details: tokenDetails,
        output_tokens: 30,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 44,
      },
    },
  },
  'responses-input-tokens': {
    request: {
      model: 'google/gemini-3.5-flash',
      instructions: 'Answer with one word.',
      input: 'Name a colour.',
    },
    answer: { object: 'response.input_tokens', input_tokens: 14 },
  },
} satisfies Readonly<Record<string, Example>>;
