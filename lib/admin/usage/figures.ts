/** The figures of requests that all answers about usage have. The dashboard uses these types. */
import * as z from 'zod/mini';

const count = z.int();

/** In milliseconds, each within 10 percent of the exact one; null: no request has one. */
const timesSchema = z.nullable(z.object({ p50: z.number(), p95: z.number() }));

/** A sum of amounts. It lacks the requests whose amount is unknown; null if that is so of all of them. */
const amount = z.nullable(count);
const dollars = z.nullable(z.string());

/**
 * As in `GET /v1/usage`. `cost` is what the tenant is charged, and lacks that of `unpriced_requests`. What a provider takes is in
 * answers to operators only.
 */
export const figuresSchema = z.object({
  requests: count,
  failed_requests: count,
  /** Those whose charge is unknown. */
  unpriced_requests: count,
  /** Those whose charge rests on an estimate. */
  estimated_requests: count,
  /** With `cached_tokens`, `cache_write_tokens` and `input_image_tokens`. */
  prompt_tokens: count,
  cached_tokens: count,
  cache_write_tokens: count,
  input_image_tokens: count,
  /** With `reasoning_tokens` and `output_image_tokens`. */
  completion_tokens: count,
  reasoning_tokens: count,
  output_image_tokens: count,
  web_searches: count,
  normalizations: count,
  /** US dollars, exact. */
  cost: dollars,
  cost_nano_usd: amount,
  /** Of the cost, that of `estimated_requests`. */
  estimated_cost_nano_usd: count,
  provider_cost: z.optional(dollars),
  provider_cost_nano_usd: z.optional(amount),
  /** Those whose provider cost is unknown. */
  provider_unpriced_requests: z.optional(count),
  /** Of 0 to 1: the failed requests of all; null without requests. */
  failed_share: z.nullable(z.number()),
  /** Of 0 to 1: the cached tokens of those of prompts; null without tokens. */
  cached_share: z.nullable(z.number()),
  /** Of 0 to 1: the requests that read something from a cache of all; null where it was not counted. */
  cache_hit_rate: z.nullable(z.number()),
  /** US dollars for a million tokens of prompts and answers, of all models together; null without tokens or a known cost. */
  blended_price: z.nullable(z.number()),
  /** Time to the first token, of answers that were streamed; null where there are none, or it was not counted. */
  first_byte_ms: timesSchema,
});

/** Those of one point of a chart. */
export const pointSchema = z.object({
  requests: count,
  failed_requests: count,
  unpriced_requests: count,
  /** Of prompts and answers. */
  tokens: count,
  cost_nano_usd: amount,
});

export type Figures = z.infer<typeof figuresSchema>;
export type PointFigures = z.infer<typeof pointSchema>;
