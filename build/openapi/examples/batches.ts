/** Examples of batches. */
import type { Example } from './example.ts';

const extra = {
  mode: 'native',
  plan: [
    {
      model: 'openai/gpt-4.1',
      provider: 'openai',
      region: 'global',
      lines: 2,
      by: 'native',
      price_factor: 0.5,
    },
  ],
  cost: 0.0031,
  saving: 0.0031,
};

const batch = {
  id: 'batch_019d0a1b2c3d5c7c2b1a9d4e4f5a8b3c6d7e8f901a2b',
  object: 'batch',
  endpoint: '/v1/chat/completions',
  model: 'openai/gpt-4.1',
  errors: null,
  input_file_id: 'file-019d0a1b2b005c7c2b1a9d4e4f5a8b3c6d7e8f901a2b',
  completion_window: '24h',
  status: 'completed',
  output_file_id: 'file-019d0a2c4e105c7c2b1a9d4e4f5a8b3c6d7e8f901a2b',
  error_file_id: null,
  created_at: 1_774_000_000,
  expires_at: 1_774_086_400,
  in_progress_at: 1_774_000_002,
  finalizing_at: 1_774_001_500,
  completed_at: 1_774_001_501,
  failed_at: null,
  expired_at: null,
  cancelling_at: null,
  cancelled_at: null,
  request_counts: { total: 2, completed: 2, failed: 0 },
  metadata: { run: 'nightly' },
  usage: {
    input_tokens: 900,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 550,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1_450,
  },
  extra,
};

const messageBatch = {
  id: 'msgbatch_019d0a1b2c3d5c7c2b1a9d4e4f5a8b3c6d7e8f901a2b',
  type: 'message_batch',
  processing_status: 'in_progress',
  request_counts: { processing: 1, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
  created_at: '2026-03-20T09:46:40Z',
  expires_at: '2026-03-21T09:46:40Z',
  ended_at: null,
  cancel_initiated_at: null,
  archived_at: null,
  results_url: null,
  extra: { mode: 'native', plan: [], cost: null, saving: null, output_file_id: null, error_file_id: null },
};

const page = (id: string) => ({ first_id: id, last_id: id, has_more: false });

const batchId = { batch_id: batch.id };
const messageBatchId = { message_batch_id: messageBatch.id };

export const batchesExamples = {
  'batches-create': {
    request: {
      input_file_id: batch.input_file_id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { run: 'nightly' },
    },
    answer: batch,
  },
  'batches-list': { request: { limit: 20 }, answer: { object: 'list', data: [batch], ...page(batch.id) } },
  'batches-retrieve': { request: batchId, answer: batch },
  'batches-cancel': {
    request: batchId,
    answer: {
      ...batch,
      status: 'cancelling',
      output_file_id: null,
      finalizing_at: null,
      completed_at: null,
      cancelling_at: 1_774_000_900,
    },
  },
  'message-batches-create': {
    request: {
      requests: [
        {
          custom_id: 'greeting',
          params: {
            model: 'anthropic/claude-haiku-4-5',
            max_tokens: 100,
            messages: [{ role: 'user', content: 'Hello!' }],
          },
        },
      ],
    },
    answer: messageBatch,
  },
  'message-batches-list': {
    request: { limit: 20 },
    answer: { data: [messageBatch], ...page(messageBatch.id) },
  },
  'message-batches-retrieve': { request: messageBatchId, answer: messageBatch },
  'message-batches-results': { request: messageBatchId },
  'message-batches-cancel': {
    request: messageBatchId,
    answer: {
      ...messageBatch,
      processing_status: 'canceling',
      cancel_initiated_at: '2026-03-20T10:01:40Z',
    },
  },
  'message-batches-delete': {
    request: messageBatchId,
    answer: { id: messageBatch.id, type: 'message_batch_deleted' },
  },
} satisfies Readonly<Record<string, Example>>;
