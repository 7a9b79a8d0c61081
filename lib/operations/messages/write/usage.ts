/**
 * The usage of a message, as Anthropic has it: input tokens exclude what was read from a cache or written to one. The counts of a
 * message are numbers and never null, so an answer whose provider counted nothing has the estimate that is billed for it; then
 * `output_tokens_details` is null.
 */
import { totalTokens, type Usage } from '../../../core/generation/usage.ts';

/** What the answer shows of its use by itself. */
interface Seen {
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
  const { read, written, writtenForHour } = cachedOf(counted);
  const searches = usage?.webSearches ?? seen.searches;
  return {
    input_tokens: counted ? counted.promptTokens - read - written : inputTokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    cache_creation: {
      ephemeral_5m_input_tokens: written - writtenForHour,
      ephemeral_1h_input_tokens: writtenForHour,
    },
    output_tokens: counted?.completionTokens ?? outputTokens,
    output_tokens_details: counted ? { thinking_tokens: counted.reasoningTokens } : null,
    server_tool_use: searches > 0 ? { web_search_requests: searches, web_fetch_requests: 0 } : null,
    service_tier: tierOf(serviceTier),
  };
}

/** Clients add the three counts of the input: some providers report the same tokens as read and as written, or more than there are. */
function cachedOf(usage: Usage | undefined) {
  const { promptTokens = 0, cachedTokens = 0, cacheWriteTokens = 0, cacheWriteHourTokens = 0 } = usage ?? {};
  const read = Math.min(cachedTokens, promptTokens);
  const written = Math.min(cacheWriteTokens, promptTokens - read);
  return { read, written, writtenForHour: Math.min(cacheWriteHourTokens, written) };
}

/**
 * Anthropic's names of tiers. Source: `Usage.service_tier` of @anthropic-ai/sdk 1.12. Null: none of them. A tier that the provider does
 * not report, or only at the end, is the standard one at the beginning, where the SDK reads it: no caller can ask for another.
 */
const tiers: Readonly<Record<string, string>> = {
  default: 'standard',
  standard: 'standard',
  on_demand: 'standard',
  priority: 'priority',
  batch: 'batch',
};

const tierOf = (name = 'standard'): string | null =>
  Object.hasOwn(tiers, name) ? (tiers[name] ?? null) : null;
