/**
 * The usage of a message, as Anthropic has it: input tokens exclude what was read from a cache or written to one. The counts of a
 * message are numbers and never null, so an answer whose provider counted nothing has the estimate that is billed for it; then
 * `output_tokens_details` is null.
 */
import { totalTokens, type Usage } from '../../../core/generation/usage.ts';

/** What the answer shows of its use by itself. */
export interface Seen {
  /** The estimate of the input, in tokens. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly searches: number;
}

const noCacheWrites = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 };

/** Of `message_start`. Clients show the input while the answer comes, and add the rest from the end. */
export function usageAtStart(inputTokens: number, serviceTier: string | undefined): object {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: noCacheWrites,
    output_tokens: 1,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: tierOf(serviceTier),
    inference_geo: null,
  };
}

/** Of `message_delta`: all counts again. `usage`: what the provider counted; undefined: nothing. */
export function usageAtEnd(usage: Usage | undefined, seen: Seen, serviceTier: string | undefined): object {
  const { inputTokens, outputTokens } = seen;
  const counted = usage && (totalTokens(usage) > 0 || outputTokens === 0) ? usage : undefined;
  const { cachedTokens, cacheWriteTokens, cacheWriteHourTokens = 0 } = counted ?? uncached;
  const searches = usage?.webSearches ?? seen.searches;
  return {
    input_tokens: counted ? Math.max(0, counted.promptTokens - cachedTokens - cacheWriteTokens) : inputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteTokens - cacheWriteHourTokens,
      ephemeral_1h_input_tokens: cacheWriteHourTokens,
    },
    output_tokens: counted?.completionTokens ?? outputTokens,
    output_tokens_details: counted ? { thinking_tokens: counted.reasoningTokens } : null,
    server_tool_use: searches > 0 ? { web_search_requests: searches, web_fetch_requests: 0 } : null,
    service_tier: tierOf(serviceTier),
  };
}

const uncached: Pick<Usage, 'cachedTokens' | 'cacheWriteTokens' | 'cacheWriteHourTokens'> = {
  cachedTokens: 0,
  cacheWriteTokens: 0,
};

/** Anthropic's names of tiers. Source: `Usage.service_tier` of @anthropic-ai/sdk 1.12. Null: none of them. */
const tiers: Readonly<Record<string, string>> = {
  default: 'standard',
  standard: 'standard',
  on_demand: 'standard',
  priority: 'priority',
  batch: 'batch',
};

const tierOf = (name: string | undefined): string | null =>
  name !== undefined && Object.hasOwn(tiers, name) ? (tiers[name] ?? null) : null;
