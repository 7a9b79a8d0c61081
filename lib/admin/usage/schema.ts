/** Usage and the overview as the admin API has them. Days and hours are those of UTC. The dashboard uses these types. */
import * as z from 'zod/mini';
import { listOf } from '../list-schema.ts';
import { figuresSchema, pointSchema } from './figures.ts';

/** Days, hours and months of an answer are UTC's. */
export const timeZone = 'UTC';

/** What the overview is split by. */
export const overviewGroups = ['model', 'key', 'tenant', 'user', 'provider'] as const;
export type OverviewGroup = (typeof overviewGroups)[number];

/** What usage is grouped by, beside `tag:<name>` of one tenant. */
export const usageGroups = ['hour', 'day', 'model', 'key', 'tenant', 'user', 'session', 'provider'] as const;

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
  ...figuresSchema.shape,
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
  /** Of the whole span, on every page. */
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
export type OverviewGroupAnswer = z.infer<typeof overviewGroupSchema>;
export type BudgetAnswer = z.infer<typeof budgetSchema>;
