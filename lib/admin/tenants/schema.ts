/** Tenants as the admin API shows them, and the inputs that make and change them. */
import * as z from 'zod/mini';
import { databasePolicies } from '../../core/tenancy.ts';
import { cursor, filter, listOf, orderParameters, pageLimit } from '../list-schema.ts';
import { includeParameter, shownMoney, subjectMoney } from '../money-schema.ts';
import {
  limitsInput,
  limitsSchema,
  permissionsInput,
  permissionsSchema,
  tenantName,
  userLimitsInput,
  userLimitsSchema,
} from '../tenancy-schema.ts';
import { grantSchema } from './credit-schema.ts';

/** Tenants of one page. */
export const maxTenantPage = 1_000;

export const defaultTenantPage = 100;

/** Shares of a budget, in percent, that raise an alert. */
export const maxThresholds = 10;

/** Requests per second that a tenant may be prepared for. */
const maxThroughput = 100_000;

/** Characters of the URL of a webhook. */
const maxWebhookUrl = 2_000;

/** By what a list of tenants may be sorted: `budget` is the share that is used of the tightest one, or of the credit; `spend` what was charged this month, and `margin` that without what providers take. */
const tenantSorts = ['name', 'created', 'spend', 'margin', 'budget'] as const;

/** By name, unless it is sorted otherwise: numbers and times then begin with the highest. */
export const tenantsListQuery = z.strictObject({
  limit: pageLimit(maxTenantPage),
  after: cursor(),
  status: z.optional(z.enum(['active', 'suspended'])),
  /** A part of its name. */
  search: filter(),
  ...orderParameters(tenantSorts),
  ...includeParameter(),
});

const alertsSchema = z.object({
  /** Shares of a budget, in percent; null: the default. */
  at: z.nullable(z.array(z.int())),
  webhook_url: z.nullable(z.string()),
});

export const tenantSchema = z.object({
  object: z.literal('tenant'),
  /** Its name. */
  id: z.string(),
  status: z.enum(['active', 'suspended']),
  created_at: z.int(),
  suspended_at: z.nullable(z.int()),
  limits: limitsSchema,
  /** Of each end user, by `x-gateway-user-id`. */
  user_limits: userLimitsSchema,
  ...permissionsSchema,
  alerts: alertsSchema,
  /** What happens while limits cannot be checked; null: refused with credit, else admitted. */
  on_database_failure: z.nullable(z.enum(databasePolicies)),
  /** Requests per second that it is prepared for; null: the default. */
  throughput: z.nullable(z.int()),
  /** What changes expect in `If-Match`: it names the state of the tenant, without its use. */
  etag: z.string(),
});

export const tenantsListAnswer = listOf(z.object({ ...tenantSchema.shape, ...shownMoney() }));

/** What is charged from a time on: a markup on the cost, and fixed prices, which replace cost and markup. */
const termsSchema = z.object({
  from: z.int(),
  /** Text with up to two decimals; negative: a discount. */
  markup_percent: z.string(),
  /** Of the list price of calls with the tenant's own keys. */
  own_key_fee_percent: z.string(),
  /** For a million tokens. */
  fixed_prices: z.array(z.object({ model: z.string(), input_usd: z.string(), output_usd: z.string() })),
});

/** The path of one tenant. */
export const tenantPath = z.strictObject({ tenant: tenantName() });

export const tenantAnswer = z.object({
  ...tenantSchema.shape,
  ...subjectMoney,
  grants: z.array(grantSchema),
  /** Oldest first; empty: charged at cost. For operators only. */
  pricing: z.array(termsSchema),
});

export const tenantsCreateInput = z.strictObject({
  tenant: tenantName(),
  limits: z.optional(limitsInput),
  ...permissionsInput(),
});

const percents = z
  .array(z.int().check(z.gte(1), z.lte(100)))
  .check(z.minLength(1), z.maxLength(maxThresholds));

/** What is absent stays as it is; null removes it. */
export const tenantsChangeInput = z.strictObject({
  limits: z.optional(limitsInput),
  user_limits: z.optional(userLimitsInput),
  ...permissionsInput(),
  alerts: z.optional(
    z.strictObject({
      at: z.optional(z.nullable(percents)),
      /** Each URL that is set gets a new secret. */
      webhook_url: z.optional(z.nullable(z.string().check(z.maxLength(maxWebhookUrl)))),
    }),
  ),
  on_database_failure: z.optional(z.nullable(z.enum(databasePolicies))),
  /** Can only be raised. */
  throughput: z.optional(z.int().check(z.gte(1), z.lte(maxThroughput))),
  /** All keys of a suspended tenant are refused, within ten seconds. */
  suspended: z.optional(z.boolean()),
  /** True: no answer that is cached by now is given any more, within ten seconds. */
  purge_cache: z.optional(z.literal(true)),
});

/** `webhook_secret`: only where a webhook was set, and never shown again. */
export const tenantsChangeAnswer = z.object({
  ...tenantSchema.shape,
  webhook_secret: z.optional(z.string()),
});

/** The terms that now begin at this time. */
const pricingChangeAnswer = z.object({
  object: z.literal('pricing'),
  tenant: z.string(),
  ...termsSchema.shape,
});

export type TenantsListQuery = z.infer<typeof tenantsListQuery>;

export type TenantsListAnswer = z.infer<typeof tenantsListAnswer>;

export type TenantRow = z.infer<typeof tenantSchema>;

export type ListedTenant = TenantsListAnswer['data'][number];

export type TenantAnswer = z.infer<typeof tenantAnswer>;

export type TermsAnswer = z.infer<typeof termsSchema>;

export type TenantsCreateInput = z.infer<typeof tenantsCreateInput>;

export type TenantsChangeInput = z.infer<typeof tenantsChangeInput>;

export type TenantsChangeAnswer = z.infer<typeof tenantsChangeAnswer>;

export type PricingChangeAnswer = z.infer<typeof pricingChangeAnswer>;
