/** Requests of the ledger as the admin API has them. Never a prompt or an answer. The dashboard uses these types. */
import * as z from 'zod/mini';
import { queryIntegerBetween, timeParameter } from '../../core/formats/query-schema.ts';
import { guardActions } from '../../core/guardrails/guard-record.ts';
import { phases } from '../../core/guardrails/policy.ts';
import { dayMs } from '../../core/time.ts';
import { cursor, filter, listOf, pageLimit } from '../list-schema.ts';
import { dollars as dollarsText } from '../tenancy-schema.ts';

/** Requests of one page. */
export const maxRequestPage = 200;
export const defaultRequestPage = 50;

/** Records that are looked at for one page, of all tenants together. What is left is looked at by the next page. */
export const maxLookedAt = 500;

/** Without a tenant, an operator sees the requests of so many tenants: those that were active last. */
export const maxActiveTenants = 25;

const dollars = z.nullable(z.string());
const amount = z.nullable(z.int());

/** What the tenant is charged; null: unknown. What the provider takes is in answers to operators only. */
const amounts = {
  cost: dollars,
  cost_nano_usd: amount,
  provider_cost: z.optional(dollars),
  provider_cost_nano_usd: z.optional(amount),
};

/**
 * `failed`: without a complete answer. `interrupted`: its process ended before its answer did. `queued`, `in_progress`: of a response that
 * is created in the background now. `refused`: no provider was called, and no usage figure includes it.
 */
const requestStates = ['ok', 'failed', 'open', 'interrupted', 'queued', 'in_progress', 'refused'] as const;

const about = {
  id: z.string(),
  /** Unix seconds, with milliseconds as decimals. */
  created_at: z.number(),
  status: z.enum(requestStates),
  /** Null while it is open. */
  http_status: z.nullable(z.int()),
  /** A code of the error table; null: none. */
  error: z.nullable(z.string()),
  operation: z.string(),
  requested_model: z.string(),
  /** The place that answered, or was tried last. */
  model: z.string(),
  provider: z.string(),
  region: z.string(),
  tenant: z.string(),
  key: z.string(),
  key_name: z.nullable(z.string()),
  user: z.nullable(z.string()),
  session: z.nullable(z.string()),
  tags: z.record(z.string(), z.string()),
  streamed: z.boolean(),
  /** The id of the response that it creates in the background; null: it does not. */
  response: z.nullable(z.string()),
  /** The id of the batch that it is a line of; null: none. */
  batch: z.nullable(z.string()),
  /** Milliseconds from its beginning; null: unknown. Where only what is running is listed, `total_ms` is until now. */
  first_byte_ms: z.nullable(z.number()),
  total_ms: z.nullable(z.number()),
  /** How many changes were made to it for its provider. */
  normalizations: z.int(),
  /** Of one that was answered from the cache: whose answer it got, and the tokens of that; null: a provider was asked. */
  replayed: z.nullable(z.object({ of: z.string(), prompt_tokens: z.int(), completion_tokens: z.int() })),
  /**
   * Of one that was refused before any provider was called: the error message that its caller got, and how many more such requests are not on record.
   * Null: it was not refused.
   */
  refusal: z.nullable(z.object({ message: z.string(), param: z.nullable(z.string()), more: z.int() })),
};

export const requestRowSchema = z.object({
  object: z.literal('request'),
  ...about,
  /** How many calls of providers it took. */
  attempts: z.int(),
  /** Of all attempts; null: nothing was counted. */
  prompt_tokens: amount,
  cached_tokens: amount,
  completion_tokens: amount,
  reasoning_tokens: amount,
  /** What rules of guardrails did that found something, or failed: the strictest; null: none did. */
  guard: z.nullable(z.enum(guardActions)),
  ...amounts,
});

export const requestsListAnswer = z.object({
  ...listOf(requestRowSchema).shape,
  /** The span that was asked for, in Unix seconds. */
  from: z.number(),
  to: z.number(),
  /** Every request from this time (Unix seconds) to the beginning of the page was looked at: `from` on the last page. */
  searched_to: z.number(),
  /** Records that were looked at for this page. */
  looked_at: z.int(),
  /** Whose requests were searched. */
  tenants: z.array(z.string()),
  /**
   * With `status=refused`: how many were refused, by key, error and model, of all that was looked at for this page, also of those that are not
   * on record themselves; those with most first. Null: another list.
   */
  refused: z.nullable(
    z.array(
      z.object({
        tenant: z.string(),
        key: z.string(),
        key_name: z.nullable(z.string()),
        error: z.string(),
        model: z.string(),
        requests: z.int(),
      }),
    ),
  ),
  /** False: there are more tenants than these, which were active last; ask for one of the others by its name. */
  has_all_tenants: z.boolean(),
});

const usage = z.object({
  prompt_tokens: z.int(),
  cached_tokens: z.int(),
  cache_write_tokens: z.int(),
  completion_tokens: z.int(),
  reasoning_tokens: z.int(),
  web_searches: z.int(),
  search_units: z.int(),
  input_images: z.int(),
  characters: z.int(),
  audio_ms: z.int(),
});

/** One line of the arithmetic of a price: `quantity / per * unit_price`. Amounts are US dollars, exact. */
const priceLine = z.object({
  what: z.string(),
  /** Null for what is added to the amounts of other lines. */
  quantity: z.nullable(z.number()),
  unit_price: z.nullable(z.string()),
  per: z.number(),
  /** Before rounding: the sum of the lines, rounded to nano-dollars, is the charge. */
  amount: z.string(),
});

/** What one rule did with the input or the answer. What it found is not on record. */
const guardSchema = z.object({
  guardrail: z.string(),
  version: z.int(),
  rule: z.string(),
  phase: z.enum(phases),
  action: z.enum(guardActions),
  labels: z.array(z.string()),
  ms: z.number(),
  /** What its detector bills by. */
  units: z.number(),
  /** What the tenant is charged; null: unknown. */
  cost_nano_usd: z.nullable(z.int()),
});

export const attemptSchema = z.object({
  provider: z.string(),
  model: z.string(),
  region: z.string(),
  /** The id of the tenant's own key that it was called with; null: the gateway's account. */
  credential: z.nullable(z.string()),
  /** With an own key: what the provider takes of the tenant by the catalog's prices; null: unknown, or no own key. */
  list_cost_nano_usd: z.nullable(z.int()),
  service_tier: z.nullable(z.string()),
  /** Why it ended; null: it succeeded. */
  error: z.nullable(z.string()),
  /** Null: nothing was counted. */
  usage: z.nullable(usage),
  /** The answer ended before its usage came, so the gateway estimated it. */
  estimated: z.boolean(),
  /** Milliseconds from the beginning of the request. */
  began_after_ms: z.number(),
  /** Null: unknown, or it is running. */
  ended_after_ms: z.nullable(z.number()),
  ...amounts,
  /** Null: the price is unknown, or no longer in the catalog. */
  arithmetic: z.nullable(z.array(priceLine)),
});

export const requestAnswer = z.object({
  object: z.literal('request'),
  ...about,
  guardrails: z.array(guardSchema),
  attempts: z.array(attemptSchema),
  ...amounts,
});

/** A state, or an HTTP status. `open`: what runs now. `running`: of that, responses that are created in the background. `refused`: only those that reached no provider. */
const statusFilter = z
  .string()
  .check(
    z.regex(
      /^(ok|failed|interrupted|open|running|refused|[1-5]\d\d)$/,
      "must be 'ok', 'failed', 'interrupted', 'open', 'running', 'refused' or an HTTP status such as 429",
    ),
  );

/** No request takes longer than a batch. */
const maxDurationMs = 7 * dayMs;

/** The filters of requests; times as in `times.ts`. */
export const requestsListQuery = z.strictObject({
  from: timeParameter('beginning', true),
  to: timeParameter('end', true),
  tenant: filter(),
  status: z.optional(statusFilter),
  model: filter(),
  key: filter(),
  user: filter(),
  /** Of any of its attempts. */
  provider: filter(),
  http_status: z.optional(queryIntegerBetween(100, 599)),
  /** What the tenant is charged. A request whose charge is unknown has none of at least this. */
  min_cost: z.optional(dollarsText()),
  min_duration_ms: z.optional(queryIntegerBetween(1, maxDurationMs)),
  /** The code of an error. */
  error: filter(),
  operation: filter(),
  session: filter(),
  batch: filter(),
  /** `team:search`. */
  tag: filter(),
  limit: pageLimit(maxRequestPage),
  after: cursor(),
});

export const requestPath = z.strictObject({ request_id: z.string().check(z.maxLength(128)) });

export const requestsCancelInput = z.strictObject({ tenant: filter() });

export const requestsCancelAnswer = z.object({
  object: z.literal('request'),
  id: z.string(),
  response: z.string(),
  tenant: z.string(),
  status: z.literal('cancelled'),
});

export const requestQuery = z.strictObject({
  request_id: z.string().check(z.maxLength(128)),
  tenant: filter(),
});

export type RequestsListQuery = z.infer<typeof requestsListQuery>;
export type RequestsListAnswer = z.infer<typeof requestsListAnswer>;
export type RequestsCancelAnswer = z.infer<typeof requestsCancelAnswer>;
export type RequestRow = z.infer<typeof requestRowSchema>;
export type RequestAnswer = z.infer<typeof requestAnswer>;
export type AttemptAnswer = z.infer<typeof attemptSchema>;
