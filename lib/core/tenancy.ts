/** The permissions and limits of tenants and their keys. An absent permission or limit does not restrict anything. */
import type { CreditGrant, Unallocated } from './accounting/credit.ts';
import type { Pricing } from './accounting/pricing.ts';
import type { CacheSettings } from './caching.ts';
import type { PolicyReference } from './guardrails/policy.ts';
import { type OperationName, operationNames } from './operations/operation.ts';

/** Amounts are in nano-dollars of what the tenant is charged. Periods are those of UTC. */
export interface Limits {
  readonly requestsPerMinute?: number;
  /** Input and output tokens together. */
  readonly tokensPerMinute?: number;
  readonly concurrentRequests?: number;
  readonly dailyBudget?: number;
  /** From Monday to Sunday. */
  readonly weeklyBudget?: number;
  /** Per calendar month. */
  readonly monthlyBudget?: number;
  /** For ever. */
  readonly totalBudget?: number;
  /** The total of all prepayments. */
  readonly credit?: number;
  /** Budgets count what providers take of the tenant for calls with its own credentials, too. Never credit. */
  readonly includeOwnKeys?: true;
}

/** The limits of each end user. Users have no prepayments. */
type UserLimits = Omit<Limits, 'credit'>;

/** What happens to a request while its limits cannot be checked. */
export const databasePolicies = ['admit', 'refuse'] as const;
export type DatabasePolicy = (typeof databasePolicies)[number];

/** What is agreed with a tenant, beside its limits and permissions. */
export interface TenantTerms {
  /** Expected requests per second: its counts are spread over as many items as that takes. Only ever raised. */
  readonly throughput?: number;
  /** Absent: tenants with credit are refused, others admitted. */
  readonly onDatabaseFailure?: DatabasePolicy;
  readonly userLimits?: UserLimits;
  /** The shares of a budget or credit, in percent, that an alert is raised at; absent: the default. */
  readonly alerts?: readonly number[];
  /** Absent: a tenant is charged what the providers cost. */
  readonly pricing?: Pricing;
  /** The accounts at providers that the tenant has credentials of its own for; absent: none. */
  readonly ownProviders?: readonly string[];
  readonly grants?: readonly CreditGrant[];
  /** The policies of guardrails that the tenant has. */
  readonly guardrails?: readonly PolicyReference[];
  /** Present with grants. */
  readonly unallocated?: Unallocated;
  /** Cached answers of another epoch are not found: in Unix milliseconds, when they were purged last. */
  readonly cacheEpoch?: number;
}

/** Where a tenant is told of alerts and of ends of background responses, and the secret that signs what is posted. */
export interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** What may be done with what a caller sends. Each member forbids something: none allows what another policy forbids. */
export interface DataPolicy {
  /** Only deployments that are known to keep nothing, and nothing of a request that would make them keep something. */
  readonly zdr?: true;
  /** Only deployments that are known not to train on what they are sent. */
  readonly noTraining?: true;
  /** Only deployments that are known to stay within these regions and region groups. */
  readonly regions?: readonly string[];
  /** Providers, or a provider in a region: `bedrock/us-east-1`. */
  readonly providers?: { readonly only?: readonly string[]; readonly ignore?: readonly string[] };
  /** The gateway itself stores nothing of what is sent and answered. */
  readonly noStore?: true;
}

export interface Permissions {
  readonly cache?: CacheSettings;
  readonly dataPolicy?: DataPolicy;
  /** Ids of models, or `owner/*` for all models of an owner. */
  readonly models?: readonly string[];
  readonly operations?: readonly OperationName[];
  /** Guardrails of the tenant that apply beside those that always do. They only restrict. */
  readonly guardrailIds?: readonly string[];
}

/** Whether a text is valid in a list of models: an id, or `owner/*`. */
export function isModelPattern(text: string): boolean {
  return /^[^\s/*]+\/(\*|[^\s*]+)$/.test(text);
}

export function isOperationName(text: unknown): text is OperationName {
  return operationNames.some((name) => name === text);
}

/** Whether the permissions include a model. */
export function allowsModel({ models }: Permissions, id: string): boolean {
  if (!models) return true;
  return models.some((allowed) => allowed === id || allowed === `${id.slice(0, id.indexOf('/'))}/*`);
}

export function allowsOperation({ operations }: Permissions, name: OperationName): boolean {
  return operations === undefined || operations.includes(name);
}

export interface WithPolicies {
  readonly keyPolicy?: Permissions;
  readonly tenantPolicy?: Permissions;
}

/** Those that hold for a key: its own, and its tenant's. */
export const dataPoliciesOf = ({ keyPolicy, tenantPolicy }: WithPolicies = {}): readonly DataPolicy[] =>
  [keyPolicy?.dataPolicy, tenantPolicy?.dataPolicy].filter((policy) => policy !== undefined);

/** Whether the gateway itself may store what is sent and answered. */
export const mayStore = (key: WithPolicies | undefined): boolean =>
  !dataPoliciesOf(key).some(({ noStore }) => noStore);

/** Whether there is any limit. Requests without limits cause no reads or writes. */
export function isLimited({ includeOwnKeys: _, ...limits }: Limits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined);
}
