/** Examples of the operations on usage. */
import type { Example } from './example.ts';

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

export const usageExamples = {
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
} satisfies Readonly<Record<string, Example>>;
