/** A record of the ledger as one row, for csv and jsonl. It has what the provider takes: these exports are the operator's. */
import { type LedgerRecord, usageOf } from '../../core/accounting/ledger.ts';
import { formatDollars } from '../../core/accounting/money.ts';

export const recordColumns = [
  'request_id',
  'time',
  'tenant',
  'key',
  'user',
  'session',
  'tags',
  'operation',
  'requested_model',
  'model',
  'provider',
  'region',
  'attempts',
  'status',
  'error',
  'streamed',
  'prompt_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'input_image_tokens',
  'output_image_tokens',
  'web_searches',
  'estimated',
  'cost_usd',
  'charge_usd',
  'pricing',
  'first_byte_ms',
  'total_ms',
] as const;

export function recordRow(record: LedgerRecord): Readonly<Record<(typeof recordColumns)[number], unknown>> {
  const usage = usageOf(record);
  return {
    request_id: record.requestId,
    time: new Date(record.at).toISOString(),
    tenant: record.tenant,
    key: record.key,
    user: record.user ?? null,
    session: record.session ?? null,
    tags: record.tags ?? null,
    operation: record.operation,
    requested_model: record.requestedModel,
    model: record.model,
    provider: record.provider,
    region: record.region,
    attempts: record.attempts.length,
    status: record.status,
    error: record.error ?? null,
    streamed: record.streamed,
    prompt_tokens: usage?.promptTokens ?? null,
    cached_tokens: usage?.cachedTokens ?? null,
    cache_write_tokens: usage?.cacheWriteTokens ?? null,
    completion_tokens: usage?.completionTokens ?? null,
    reasoning_tokens: usage?.reasoningTokens ?? null,
    input_image_tokens: usage?.inputImageTokens ?? null,
    output_image_tokens: usage?.outputImageTokens ?? null,
    web_searches: usage?.webSearches ?? null,
    estimated: record.attempts.some(({ estimated }) => estimated === true),
    cost_usd: dollars(record.cost),
    charge_usd: dollars(record.charge),
    pricing: record.pricing ?? null,
    first_byte_ms: record.firstByteMs ?? null,
    total_ms: record.totalMs,
  };
}

const dollars = (amount: number | null) => (amount === null ? null : formatDollars(amount));
