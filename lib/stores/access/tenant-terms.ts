/** What is agreed with a tenant beside its limits and permissions, as stored with it: one attribute for each term. */
import * as z from 'zod/mini';
import type { CreditGrant, Unallocated } from '../../core/accounting/credit.ts';
import type { PricingTerms } from '../../core/accounting/pricing.ts';
import type { BodyOf } from '../../core/formats/given-fields.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type { PolicyReference } from '../../core/guardrails/policy.ts';
import { databasePolicies, type TenantTerms, type Webhook } from '../../core/tenancy.ts';
import type { StoredItem } from '../dynamodb/table.ts';
import { count, type LimitsChange, limitFields, readLimits } from './tenancy-fields.ts';

export type StoredTerms = TenantTerms & {
  readonly webhook?: Webhook;
  /** Counts the changes of the pricing; absent: none was ever set. */
  readonly pricingVersion?: number;
};

/** The terms to change; null removes one. */
export type TermsChange = {
  readonly [Name in Exclude<keyof StoredTerms, 'throughput' | 'userLimits' | 'pricing' | 'pricingVersion'>]?:
    | StoredTerms[Name]
    | null;
} & { readonly userLimits?: Omit<LimitsChange, 'credit'> };

const userPrefix = 'user_';

/** The schema of these attributes, as part of an item. */
export const termsSchema = {
  throughput: count,
  on_database_failure: () => z.exactOptional(z.enum(databasePolicies)),
  user_requests_per_minute: count,
  user_tokens_per_minute: count,
  user_concurrent_requests: count,
  user_daily_budget: count,
  user_weekly_budget: count,
  user_monthly_budget: count,
  user_total_budget: count,
  user_include_own_keys: () => z.exactOptional(z.literal(true)),
  alerts: () => z.exactOptional(z.array(z.number())),
  webhook: () => z.exactOptional(z.object({ url: z.string(), secret: z.string() })),
  pricing_version: count,
  own_providers: () => z.exactOptional(z.array(z.string())),
  pricing: () => z.exactOptional(z.array(z.custom<PricingTerms>())),
  grants: () => z.exactOptional(z.array(z.custom<CreditGrant>())),
  unallocated: () => z.exactOptional(z.custom<Unallocated>()),
  guardrails: () => z.exactOptional(z.array(z.custom<PolicyReference>())),
  cache_epoch: count,
};

type Stored = BodyOf<typeof termsSchema>;

export function readTerms(item: Stored): StoredTerms {
  const { throughput, on_database_failure: onDatabaseFailure, alerts, webhook } = item;
  const { pricing, pricing_version: pricingVersion, grants, unallocated, own_providers: ownProviders } = item;
  const { guardrails, cache_epoch: cacheEpoch } = item;
  const userLimits = readLimits(item, userPrefix);
  return {
    ...(throughput !== undefined && { throughput }),
    ...(onDatabaseFailure && { onDatabaseFailure }),
    ...(userLimits && { userLimits }),
    ...(alerts && { alerts }),
    ...(webhook && { webhook }),
    ...(pricing && { pricing }),
    ...(pricingVersion !== undefined && { pricingVersion }),
    ...(ownProviders && { ownProviders }),
    ...(grants && { grants }),
    ...(unallocated && { unallocated }),
    ...(guardrails && { guardrails }),
    ...(cacheEpoch !== undefined && { cacheEpoch }),
  };
}

/** The attributes to change: only the given ones. */
export function termsFields({ onDatabaseFailure, userLimits = {}, ...others }: TermsChange): StoredItem {
  const { alerts, webhook, grants, unallocated, ownProviders, guardrails, cacheEpoch } = others;
  return {
    ...limitFields(userLimits, userPrefix),
    ...withoutUndefined({
      on_database_failure: onDatabaseFailure,
      alerts,
      webhook,
      grants,
      unallocated,
      own_providers: ownProviders,
      guardrails,
      cache_epoch: cacheEpoch,
    }),
  };
}
