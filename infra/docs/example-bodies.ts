/** Example requests and answers of the operations. The tests send the requests and check the answers. */
import type { OperationName } from '../../lib/core/operations.ts';

export interface Example {
  /** Query and path parameters, or the body. */
  readonly request?: Readonly<Record<string, unknown>>;
  readonly answer: object;
  /** The data of some events of a stream. */
  readonly events?: readonly object[];
}

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

const claudeHaiku = {
  id: 'anthropic/claude-haiku-4-5',
  object: 'model',
  created: 1_760_486_400,
  owned_by: 'anthropic',
  status: 'active',
  modalities: { input: ['text', 'image', 'pdf'], output: ['text'] },
  endpoints: ['chat_completions', 'responses'],
  aliases: ['claude-haiku-4-5-20251001'],
};

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

const sums = {
  requests: 12,
  failed_requests: 0,
  unpriced_requests: 0,
  prompt_tokens: 3_400,
  cached_tokens: 1_200,
  cache_write_tokens: 0,
  input_image_tokens: 0,
  completion_tokens: 900,
  reasoning_tokens: 250,
  output_image_tokens: 0,
  web_searches: 0,
  cost: '0.0184',
  cost_nano_usd: 18_400_000,
};

export const examples: Readonly<Record<Exclude<OperationName, 'openapi'>, Example>> = {
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
  embeddings: {
    request: {
      model: 'openai/text-embedding-3-small',
      input: ['A text to find.', 'Another one.'],
      dimensions: 256,
    },
    answer: {
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.0123, -0.0456] },
        { object: 'embedding', index: 1, embedding: [0.0789, 0.0012] },
      ],
      model: 'openai/text-embedding-3-small',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    },
  },
  'images-generations': {
    request: {
      model: 'openai/gpt-image-1-mini',
      prompt: 'A lighthouse at night',
      size: '1024x1024',
      output_format: 'webp',
    },
    answer: {
      created: 1_774_000_000,
      background: 'opaque',
      output_format: 'webp',
      quality: 'low',
      size: '1024x1024',
      usage: {
        input_tokens: 11,
        input_tokens_details: { text_tokens: 11, image_tokens: 0, cached_tokens: 0 },
        output_tokens: 272,
        output_tokens_details: { image_tokens: 272, text_tokens: 0 },
        total_tokens: 283,
      },
      data: [{ b64_json: 'UklGRiQAAABXRUJQ' }],
    },
  },
  models: {
    request: { status: 'active' },
    answer: {
      object: 'list',
      data: [claudeHaiku],
    },
  },
  'models-retrieve': {
    request: { model: 'anthropic/claude-haiku-4-5' },
    answer: claudeHaiku,
  },
  'usage-request': {
    request: { request_id: '019b0b12-7c40-7b7e-9a55-0c3d8f6a1e2b' },
    answer: {
      object: 'usage.request',
      id: '019b0b12-7c40-7b7e-9a55-0c3d8f6a1e2b',
      created_at: '2025-12-10T23:22:06.144Z',
      status: 'done',
      operation: 'chat-completions',
      requested_model: 'anthropic/claude-haiku-4-5',
      model: 'anthropic/claude-haiku-4-5',
      key: 'key_0123456789ab',
      user: null,
      session: null,
      tags: { team: 'search' },
      streamed: false,
      http_status: 200,
      error: null,
      total_ms: 840,
      attempts: [
        {
          provider: 'anthropic',
          model: 'anthropic/claude-haiku-4-5',
          region: 'global',
          service_tier: null,
          error: null,
          usage: {
            prompt_tokens: 1_000,
            cached_tokens: 0,
            cache_write_tokens: 0,
            completion_tokens: 100,
            reasoning_tokens: 0,
            web_searches: 0,
          },
          estimated: false,
          cost: '0.0018',
          cost_nano_usd: 1_800_000,
          arithmetic: [
            { what: 'input', quantity: 1_000, unit_price: '0.0000012', per: 1, amount: '0.0012' },
            { what: 'output', quantity: 100, unit_price: '0.000006', per: 1, amount: '0.0006' },
          ],
        },
      ],
      cost: '0.0018',
      cost_nano_usd: 1_800_000,
    },
  },
  'usage-retrieve': {
    request: { from: '2026-01-01', to: '2026-01-31', group_by: 'model' },
    answer: {
      object: 'list',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      source: 'daily_counters',
      complete_from: '2026-01-01T00:00:00.000Z',
      group_by: ['model'],
      data: [{ object: 'usage', model: 'anthropic/claude-haiku-4-5', ...sums }],
      has_more: false,
      next_after: null,
      total: sums,
    },
  },
};
