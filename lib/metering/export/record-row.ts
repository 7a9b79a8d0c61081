/** A record of the ledger as one row, for csv and jsonl. It has what the provider takes: these exports are the operator's. */
import { type LedgerAttempt, type LedgerRecord, usageOf } from '../../core/accounting/ledger.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { attemptRow, dollars, priceFrom } from './attempt-rows.ts';

interface Exported {
  readonly record: LedgerRecord;
  readonly usage: Usage | undefined;
  readonly last: LedgerAttempt | undefined;
}

/** The columns in their order. */
const columns: Readonly<Record<string, (exported: Exported) => unknown>> = {
  request_id: ({ record }) => record.requestId,
  time: ({ record }) => new Date(record.at).toISOString(),
  tenant: ({ record }) => record.tenant,
  key: ({ record }) => record.key,
  user: ({ record }) => record.user ?? null,
  session: ({ record }) => record.session ?? null,
  tags: ({ record }) => record.tags ?? null,
  operation: ({ record }) => record.operation,
  requested_model: ({ record }) => record.requestedModel,
  model: ({ record }) => record.model,
  provider: ({ record }) => record.provider,
  region: ({ record }) => record.region,
  attempts: ({ record }) => record.attempts.length,
  status: ({ record }) => record.status,
  error: ({ record }) => record.error ?? null,
  streamed: ({ record }) => record.streamed,
  prompt_tokens: ({ usage }) => usage?.promptTokens ?? null,
  cached_tokens: ({ usage }) => usage?.cachedTokens ?? null,
  cache_write_tokens: ({ usage }) => usage?.cacheWriteTokens ?? null,
  completion_tokens: ({ usage }) => usage?.completionTokens ?? null,
  reasoning_tokens: ({ usage }) => usage?.reasoningTokens ?? null,
  input_image_tokens: ({ usage }) => usage?.inputImageTokens ?? null,
  output_image_tokens: ({ usage }) => usage?.outputImageTokens ?? null,
  web_searches: ({ usage }) => usage?.webSearches ?? null,
  estimated: ({ record }) => record.attempts.some(({ estimated }) => estimated === true),
  cost_usd: ({ record }) => dollars(record.cost),
  charge_usd: ({ record }) => dollars(record.charge),
  pricing: ({ record }) => record.pricing ?? null,
  first_byte_ms: ({ record }) => record.firstByteMs ?? null,
  total_ms: ({ record }) => record.totalMs,
  // Of the last attempt, and of all; `calls` has each by itself.
  service_tier: ({ last }) => last?.tier ?? null,
  price_from: ({ last }) => (last ? priceFrom(last) : null),
  cache_write_hour_tokens: ({ usage }) => usage?.cacheWriteHourTokens ?? null,
  input_audio_tokens: ({ usage }) => usage?.inputAudioTokens ?? null,
  images: ({ usage }) => usage?.images ?? null,
  input_images: ({ usage }) => usage?.inputImages ?? null,
  hosted_calls: ({ usage }) => usage?.hostedCalls ?? null,
  search_units: ({ usage }) => usage?.searchUnits ?? null,
  characters: ({ usage }) => usage?.characters ?? null,
  audio_ms: ({ usage }) => usage?.audioMs ?? null,
  calls: ({ record }) => record.attempts.map(attemptRow),
  batch: ({ record }) => record.batch ?? null,
};

export const recordColumns = Object.keys(columns);

export function recordRow(record: LedgerRecord): Readonly<Record<string, unknown>> {
  const exported = { record, usage: usageOf(record), last: record.attempts.at(-1) };
  return Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, of(exported)]));
}
