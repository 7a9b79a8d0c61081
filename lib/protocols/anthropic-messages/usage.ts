/**
 * Token counts of the Messages API. The input count excludes tokens read from or written to a cache.
 */

import { asArray, asObject, setOwn } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import {
  addCalls,
  hostedCallsOf,
  mergeToolCounts,
  type ToolCounts,
} from '../../core/generation/tools/tool-counts.ts';
import { addUsage, inputOnly, type Usage } from '../../core/generation/usage.ts';
import { readToolCounts } from '../counts.ts';
import { asCount, asText, isMiscounted } from '../json.ts';
import { joinTiers, readServiceTier } from '../service-tier.ts';
import type * as wire from './wire.ts';

/** Searches are counted apart; looking up tools costs its tokens alone. */
const notHosted: ReadonlySet<string> = new Set(['web_search', 'tool_search']);

/** The names of one tool in its calls. Source: "Code execution tool" and "Tool search tool" of the Claude API's documentation. */
const families: Readonly<Record<string, string>> = {
  bash_code_execution: 'code_execution',
  text_editor_code_execution: 'code_execution',
  tool_search_tool_regex: 'tool_search',
  tool_search_tool_bm25: 'tool_search',
};

/** Counts a call that costs more than its tokens. */
export function countServerTool(counts: Record<string, number>, name: string): void {
  const tool = Object.hasOwn(families, name) ? families[name] : name;
  if (tool && !notHosted.has(tool)) addCalls(counts, tool);
}

/** More rounds than any answer has: each is priced by itself, and kept in the record. */
const maxRounds = 100;

/** More fields than any usage has. */
const maxUsageFields = 100;

/** Merges the counts reported so far with new ones. Counts grow, and one that is not reported again still holds. */
export function mergeUsage(known: JsonObject | undefined, reported: unknown): JsonObject | undefined {
  const given: JsonObject = asObject(reported);
  let all: Record<string, unknown> | undefined;
  for (const name of Object.keys(given)) {
    const value = given[name];
    if (value === undefined || (value === null && !isMissing(name, known))) continue;
    all ??= { ...known };
    setOwn(all, name, value);
  }
  if (!all) return known;
  return Object.keys(all).length > maxUsageFields ? (known ?? {}) : all;
}

/** Tokens that were never counted. Other counts are null where there is nothing to count. */
const isMissing = (name: string, known: JsonObject = {}) =>
  (name === 'input_tokens' || name === 'output_tokens') && known[name] === undefined;

/**
 * The counts of a complete answer, undefined if one is none. If it took several rounds, the top level has only some of them. `shown`: the calls of the
 * provider's tools in the answer, some of which are not in the counts.
 */
export function readUsage(usage: wire.Round, shown: ToolCounts = {}): Usage | undefined {
  const iterations = asArray(usage.iterations).map((round) => asObject<wire.Round>(round));
  const rounds = iterations.length > 0 && iterations.length <= maxRounds ? iterations : [usage];
  if (isMiscounted(...rounds.flatMap(({ input_tokens, output_tokens }) => [input_tokens, output_tokens]))) {
    return undefined;
  }
  const hourTokens = hourTokensOf(rounds) || hourTokensOf([usage]);
  const tools = asObject<wire.Tools>(usage.server_tool_use);
  const webSearches = asCount(tools.web_search_requests);
  const called = mergeToolCounts(readToolCounts(tools, '_requests', notHosted), shown);
  const hosted = mergeToolCounts(called, otherModelsIn(iterations));
  const [first = noTokens, ...others] = withHours(rounds.map(readRound), hourTokens);
  // What no round names is that of the first.
  const whole = {
    ...first,
    reasoningTokens: asCount(asObject<wire.Output>(usage.output_tokens_details).thinking_tokens),
    ...(webSearches > 0 && { webSearches }),
    ...hostedCallsOf(hosted),
  };
  return others.reduce(addUsage, whole);
}

const noTokens = inputOnly(0);

function readRound(round: wire.Round): Usage {
  const cachedTokens = asCount(round.cache_read_input_tokens);
  const cacheWriteTokens = asCount(round.cache_creation_input_tokens);
  return {
    promptTokens: asCount(round.input_tokens) + cachedTokens + cacheWriteTokens,
    cachedTokens,
    cacheWriteTokens,
    completionTokens: asCount(round.output_tokens),
    reasoningTokens: 0,
  };
}

/** The rounds with so many of their written tokens kept for an hour, the first ones first. */
function withHours(rounds: readonly Usage[], hourTokens: number): readonly Usage[] {
  let left = hourTokens;
  return rounds.map((round) => {
    const cacheWriteHourTokens = Math.min(left, round.cacheWriteTokens);
    left -= cacheWriteHourTokens;
    return cacheWriteHourTokens > 0 ? { ...round, cacheWriteHourTokens } : round;
  });
}

/** Rounds of the model itself: it answers, or it summarizes the conversation. */
const ownRounds: readonly unknown[] = ['message', 'compaction', undefined];

/**
 * Rounds of other models, such as an advisor, which have prices of their own: they count as calls, whose price is not known. Source:
 * BetaIterationsUsage of `@anthropic-ai/sdk` 1.12.0.
 */
function otherModelsIn(iterations: readonly wire.Round[]): ToolCounts {
  const counts = {};
  const [asked] = iterations.flatMap(({ type, model }) => (ownRounds.includes(type) ? (model ?? []) : []));
  for (const { type, model } of iterations) {
    if (!ownRounds.includes(type)) addCalls(counts, asText(type).replace(/_message$/, ''));
    else if ((model ?? asked) !== asked) addCalls(counts, 'other_model');
  }
  return counts;
}

/** What was written to the cache for an hour, which costs more than for five minutes. */
const hourTokensOf = (rounds: readonly wire.Round[]): number =>
  rounds.reduce(
    (sum, { cache_creation: written }) =>
      sum + asCount(asObject<wire.Cache>(written).ephemeral_1h_input_tokens),
    0,
  );

/** Regions of inference that cost as much as any. */
const plainRegions: readonly unknown[] = ['global', 'not_available'];

/**
 * What the answer says of its price beside its counts: the service tier, the fast mode, and inference in one country.
 * Sources: "Fast mode" and "Data residency" of the Claude API's documentation.
 */
export function readTier(usage: wire.Round | undefined): string | undefined {
  const { service_tier, speed, inference_geo: region } = usage ?? {};
  return joinTiers(
    readServiceTier(service_tier),
    readServiceTier(speed),
    plainRegions.includes(region) ? undefined : readServiceTier(region),
  );
}
