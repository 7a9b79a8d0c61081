/** Usage and the overview as the admin API has them. Days and hours are those of UTC. The dashboard uses these types. */
import * as z from 'zod/mini';
import { listOf } from '../list-schema.ts';

const count = z.int();

/** In milliseconds, each within 10 percent of the exact one; null: no request has one. */
const timesSchema = z.nullable(z.object({ p50: z.number(), p95: z.number() }));

/** A sum of amounts. It lacks the requests whose amount is unknown; null if that is so of all of them. */
const amount = z.nullable(count);
const dollars = z.nullable(z.string());

/** Requests, what the tenant is charged for them, and for operators what providers take. */
const amountsShape = {
  requests: count,
  /** Those whose charge is unknown. */
  unpriced_requests: count,
  /** Those whose charge rests on an estimate. */
  estimated_requests: count,
  /** US dollars, exact. */
  cost: dollars,
  cost_nano_usd: amount,
  /** Of the cost, that of `estimated_requests`. */
  estimated_cost_nano_usd: count,
  provider_cost: z.optional(dollars),
  provider_cost_nano_usd: z.optional(amount),
  /** Those whose provider cost is unknown. */
  provider_unpriced_requests: z.optional(count),
};

/** Of this month, in lists of keys and tenants. `from`: what the sums have, in Unix seconds; later than the month where they were not kept at its beginning. */
export const spendSchema = z.object({ from: z.int(), ...amountsShape });

/**
 * As in `GET /v1/usage`. `cost` is what the tenant is charged, and lacks that of `unpriced_requests`. What a provider takes is in
 * answers to operators only.
 */
export const figuresSchema = z.object({
  ...amountsShape,
  failed_requests: count,
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
  search_units: count,
  input_images: count,
  characters: count,
  audio_ms: count,
  normalizations: count,
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

export type Amounts = Omit<z.infer<typeof spendSchema>, 'from'>;
export type SpendAnswer = z.infer<typeof spendSchema>;
export type Figures = z.infer<typeof figuresSchema>;
export type PointFigures = z.infer<typeof pointSchema>;

/** Days, hours and months of an answer are UTC's. */
export const timeZone = 'UTC';

/** What the overview is split by. */
export const overviewGroups = ['model', 'key', 'tenant', 'user', 'provider'] as const;
export type OverviewGroup = (typeof overviewGroups)[number];

/** What usage is grouped by, beside `tag:<name>` of one tenant. */
export const usageGroups = ['hour', 'day', 'model', 'key', 'tenant', 'user', 'session', 'provider'] as const;

/** What usage is sorted by. `spend`: what tenants are charged; `provider_cost` and `margin` are for operators. */
export const usageSorts = [
  'name',
  'spend',
  'provider_cost',
  'margin',
  'requests',
  'failed',
  'tokens',
] as const;
export type UsageSort = (typeof usageSorts)[number];

/** Groups of the overview that are shown by name; the rest is `others`. */
export const maxOverviewGroups = 8;

/** Movers of the overview. */
export const maxMovers = 5;

/** Unix seconds. `from` is included, `to` is not. */
const span = { from: z.int(), to: z.int() };

/** A row has the members of the groups that were asked for; null: the requests gave none. */
const groupNames = Object.fromEntries(
  usageGroups.map((group) => [group, z.optional(z.nullable(z.string()))]),
) as Readonly<Record<(typeof usageGroups)[number], z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniString>>>>;

/** With `tag:<name>` where it was grouped by a tag. `hour` is `2026-01-31T13`, `day` is `2026-01-31`. */
const usageRowSchema = z.object({
  object: z.literal('usage'),
  ...groupNames,
  /** Where it is grouped by key; null: it has none, or is gone. */
  key_name: z.optional(z.nullable(z.string())),
  ...figuresSchema.shape,
  /** If it is asked for: of the equally long span before. Null: there are no sums of it. */
  before: z.optional(z.nullable(z.object(amountsShape))),
});

export const usageAnswer = z.object({
  ...listOf(z.looseObject(usageRowSchema.shape)).shape,
  ...span,
  time_zone: z.literal(timeZone),
  /** Where it was read: the sums of hours and days, or the records themselves. */
  source: z.enum(['hourly_counters', 'daily_counters', 'ledger']),
  /** The data is complete from this time on, in Unix seconds. Later than `from`: earlier records have expired, or were not summed up. */
  complete_from: z.int(),
  group_by: z.array(z.string()),
  /** Of the whole span and all groups, on every page. */
  total: figuresSchema,
});

/** One budget and what is used of it, as limits count it: with what running requests may still cost. */
const budgetSchema = z.object({
  of: z.enum(['tenant', 'key']),
  /** The tenant's name or the key's id. */
  id: z.string(),
  period: z.enum(['day', 'week', 'month', 'ever']),
  limit_nano_usd: z.int(),
  used_nano_usd: z.int(),
  /** Unix seconds; null: never. */
  resets_at: z.nullable(z.int()),
});

/** One group over the span, and over the equally long span before it. */
const overviewGroupSchema = z.object({
  /** Null: the requests gave none. */
  id: z.nullable(z.string()),
  /** A key's name; else the id. */
  name: z.nullable(z.string()),
  total: figuresSchema,
  /** Null where there is no data of that time. */
  before: z.nullable(figuresSchema),
  /** As `times`; null: no data is kept of that time. */
  slots: z.array(z.nullable(pointSchema)),
});

export const overviewAnswer = z.object({
  object: z.literal('overview'),
  time_zone: z.literal(timeZone),
  ...span,
  before: z.object(span),
  /** What the page is of; null: all. */
  tenant: z.nullable(z.string()),
  /** Hours up to three days, else days. */
  grain: z.enum(['hour', 'day']),
  /** The data is complete from this time on, in Unix seconds. */
  complete_from: z.int(),
  /** Up to this time every request that has ended is counted, in Unix seconds. Null: nothing was counted in the last two days. */
  as_of: z.nullable(z.int()),
  total: figuresSchema,
  /** Null where there is no data of that time. */
  before_total: z.nullable(figuresSchema),
  today: figuresSchema,
  yesterday: figuresSchema,
  /** The current month until now, and as many days of the last month. */
  month: figuresSchema,
  last_month_same_days: figuresSchema,
  /** Of the tenant, or of the key that is asked for; empty: none. */
  budgets: z.array(budgetSchema),
  /** The beginning of each hour or day, in Unix seconds, without gaps. */
  times: z.array(z.int()),
  /** Of all groups together, as `times`; null: no data is kept of that time. */
  series: z.array(
    z.nullable(z.object({ ...pointSchema.shape, first_byte_ms: figuresSchema.shape.first_byte_ms })),
  ),
  group_by: z.enum(overviewGroups),
  /** Most expensive first, then most requests. */
  groups: z.array(overviewGroupSchema),
  /** All other groups together; null: there are none. */
  others: z.nullable(
    z.object({
      /** How many; null: not counted. */
      groups: z.nullable(z.int()),
      total: figuresSchema,
      before: z.nullable(figuresSchema),
      slots: z.array(z.nullable(pointSchema)),
    }),
  ),
  /** The groups are surely the greatest. False: there were too many to compare them all, and a greater one may be among `others`. */
  groups_are_exact: z.boolean(),
  /** The groups whose cost changed most, the greatest change first. */
  movers: z.array(
    z.object({
      id: z.nullable(z.string()),
      name: z.nullable(z.string()),
      cost_nano_usd: z.nullable(z.int()),
      before_nano_usd: z.nullable(z.int()),
      change_nano_usd: z.int(),
    }),
  ),
});

export type UsageAnswer = z.infer<typeof usageAnswer>;
export type UsageRow = z.infer<typeof usageRowSchema>;
export type OverviewAnswer = z.infer<typeof overviewAnswer>;
export type BudgetAnswer = z.infer<typeof budgetSchema>;
