/** The headers and deprecations of an answer, the same for every operation. */
import { sumOfAmounts } from '../core/accounting/ledger.ts';
import { firstTags, type Tags } from '../core/accounting/tags.ts';
import type { CacheVerdict } from '../core/caching.ts';
import type { Model, Target } from '../core/catalog/model.ts';
import type { Call, RequestFacts } from '../core/endpoint.ts';
import { timeOfRequest } from '../core/names/request-id.ts';
import { billAttempt } from '../metering/cost/bill.ts';
import type { Change } from '../normalization/rule.ts';
import type { Attempt } from '../routing/attempt.ts';

interface ChangedAnswer {
  readonly changes: readonly Change[];
  readonly sandbox: boolean;
  readonly schema?: string;
  readonly dry?: object;
  readonly cache?: CacheVerdict | undefined;
}

/**
 * How much of what the caller sent was changed, also for callers who do not ask for `debug`. What the gateway adds of its own,
 * such as cache markers on every request of some providers, is only in `debug`.
 */
export function gatewayHeaders({
  changes,
  sandbox,
  schema,
  dry,
  cache,
}: ChangedAnswer): Record<string, string> {
  const changed = changes.filter(({ action }) => action !== 'add').length;
  return {
    ...(changed > 0 && { 'x-gateway-normalizations': `${changed}` }),
    ...(schema !== undefined && { 'x-gateway-schema': schema }),
    ...(sandbox && { 'x-gateway-sandbox': 'true' }),
    ...(dry && { 'x-gateway-dry-run': 'true' }),
    ...(cache && cacheHeaders(cache)),
  };
}

function cacheHeaders({ status, age, ttl, source }: CacheVerdict): Record<string, string> {
  return {
    'x-gateway-cache': status,
    ...(age !== undefined && { age: `${age}` }),
    ...(ttl !== undefined && { 'x-gateway-cache-ttl': `${ttl}` }),
    ...(source !== undefined && { 'x-gateway-cache-source': source }),
  };
}

function modelDeprecations({ id, status, replacement }: Model): readonly Deprecation[] {
  if (status !== 'deprecated') return [];
  const instead = replacement ? ` Use '${replacement}' instead.` : '';
  return [{ param: 'model', message: `The model '${id}' is deprecated.${instead}` }];
}

export const debugCategories = ['normalizations', 'deprecations', 'routing', 'cost', 'cache'] as const;
export type DebugCategory = (typeof debugCategories)[number];

/** Use of a deprecated model or parameter. */
export interface Deprecation {
  readonly param: string;
  readonly message: string;
}

/** What is asked about an answer, beside the answer. */
export interface DebugInput {
  readonly debug: readonly DebugCategory[];
  readonly deprecations?: readonly Deprecation[];
}

interface DebugFacts {
  readonly target: Target;
  readonly changes: readonly Change[];
  readonly attempts: readonly Attempt[];
  readonly dry?: { readonly report: object };
  readonly cache?: CacheVerdict | undefined;
}

/** The requested categories in the public format, and of a dry run its report; undefined if there is nothing. Called when all changes are known. */
export function writeDebug(
  call: Charged & { readonly input: DebugInput },
  { target, changes, attempts, dry, cache }: DebugFacts,
): object | undefined {
  const { debug: asked, deprecations = [] } = call.input;
  if (asked.length === 0 && !dry) return undefined;
  const categories = {
    normalizations: changes,
    deprecations: [...deprecations, ...modelDeprecations(target.model)],
    routing: attempts.map(writeAttempt),
    cost: asked.includes('cost') ? chargeSoFar(call) : null,
    cache: cache ?? null,
  };
  const found = asked.map((category) => [category, categories[category]]);
  return { ...Object.fromEntries(found), ...(dry && { dry_run: dry.report }) };
}

function writeAttempt({ target, requested, status, reason, latencyMs }: Attempt): object {
  const { provider, region } = target.deployment;
  const { credential } = target;
  return {
    provider,
    region,
    ...(credential && { credential: credential.id }),
    status,
    model: target.model.id,
    ...(requested !== undefined && { requested }),
    latency_ms: latencyMs,
    ...(reason !== undefined && { reason }),
  };
}

const nanoDollars = 1_000_000_000;

type Charged = Pick<Call<unknown>, 'facts' | 'key' | 'requestId'>;

/** Of all attempts, in US dollars, as numbers of JSON are; null if it is not known. */
function chargeSoFar({ facts, key, requestId }: Charged): number | null {
  const pricing = key?.tenantPolicy?.pricing;
  const charges = facts.attempts.map(
    (attempt) => billAttempt(attempt, pricing, timeOfRequest(requestId) ?? attempt.at).charge,
  );
  const charge = sumOfAmounts(charges);
  return charge === null ? null : charge / nanoDollars;
}

/** The cost that `usage` of an answer has; undefined: it was not asked for. Called when the answer has been read. */
export type CostInUsage = (() => object) | undefined;

export const costInUsage = (call: Call<{ readonly includeCost: boolean }>): CostInUsage =>
  call.input.includeCost ? () => ({ cost: chargeSoFar(call), ...ofOwnKey(call) }) : undefined;

/** What calls with the tenant's own credential cost it at the provider, under OpenRouter's names. */
function ofOwnKey({ facts }: Charged): object | undefined {
  const own = facts.attempts.filter(({ credential }) => credential !== undefined);
  if (own.length === 0) return undefined;
  const costs = own.map((attempt) => billAttempt(attempt, undefined, attempt.at).listCost ?? null);
  const cost = sumOfAmounts(costs);
  const isLast = facts.attempts.at(-1)?.credential !== undefined;
  return {
    is_byok: isLast,
    cost_details: { upstream_inference_cost: cost === null ? null : cost / nanoDollars },
  };
}

/** `usage` in the public format, with the cost. */
export const withCost = (usage: object, cost: CostInUsage): object =>
  cost ? { ...usage, ...cost() } : usage;

/** Pairs of the header come first. Of all, the first eight are kept. */
export function noteMetadata(facts: RequestFacts, metadata: Tags | null | undefined): void {
  const tags = firstTags({ ...facts.tags, ...metadata, ...facts.tags });
  if (tags) facts.tags = tags;
}
