/** The parameters of an internal request, under their public names. */
import type { JsonObject } from '../formats/json-object.ts';
import type { ToolChoice } from './tools/tools.ts';

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly name: string;
        readonly description?: string;
        readonly schema?: JsonObject;
        readonly strict?: boolean;
      };
    };

/** From the lowest to the highest. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** OpenAI's service tiers. */
export const serviceTiers = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'] as const;
export type ServiceTier = (typeof serviceTiers)[number];

/** Whether answers may name a tier: providers also have others. */
export const isPublicTier = (tier: string | undefined): tier is ServiceTier =>
  serviceTiers.some((name) => name === tier);

/**
 * What the caller set, under its public name; absent means not set. An encoder translates each of them or sends it under
 * this name: only a normalization rule can strip one.
 */
export interface GenerationParameters {
  readonly temperature?: number;
  readonly top_p?: number;
  /** Deprecated alias of `max_completion_tokens`; both may be set, and the newer wins. */
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly logprobs?: boolean;
  readonly top_logprobs?: number;
  readonly logit_bias?: { readonly [token: string]: number };
  readonly n?: number;
  readonly tool_choice?: ToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly response_format?: ResponseFormat;
  readonly reasoning_effort?: ReasoningEffort;
  readonly user?: string;
  readonly service_tier?: ServiceTier;
  readonly store?: boolean;
  readonly metadata?: { readonly [key: string]: string };
  /** Sampling as hosts of open models have it. */
  readonly top_k?: number;
  readonly min_p?: number;
  readonly repetition_penalty?: number;
  /** Tokens for reasoning, in place of an effort. Callers write `reasoning.max_tokens` or `thinking.budget_tokens`. */
  readonly reasoning_max_tokens?: number;
  /** What the answer is expected to be, for the most part. */
  readonly prediction?: JsonObject;
  readonly prompt_cache_retention?: 'in_memory' | '24h';
  readonly prompt_cache_options?: JsonObject;
  readonly moderation?: JsonObject;
  /** Which reasoning of earlier turns the model sees. */
  readonly reasoning_context?: 'auto' | 'current_turn' | 'all_turns';
  /** How a provider shortens the conversation, and the input images in it. */
  readonly context_management?: readonly JsonObject[];
  readonly image?: JsonObject;
  /** The provider's programs for sensitive domains, which it grants by account. */
  readonly access_programs?: JsonObject;
  readonly reasoning_summary?: 'auto' | 'concise' | 'detailed';
  readonly verbosity?: 'low' | 'medium' | 'high';
  readonly max_tool_calls?: number;
  readonly prompt_cache_key?: string;
  readonly safety_identifier?: string;
}

export type ParameterName = keyof GenerationParameters;

export const thinkingTokens: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 10_000,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};
