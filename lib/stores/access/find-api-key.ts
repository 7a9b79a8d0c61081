/**
 * The lookup that every request makes: the key, its tenant, and the limits and permissions of both. Malformed keys cause
 * no read, and recently used keys rarely do.
 */
import { creditAt } from '../../core/accounting/credit.ts';
import { hashApiKey, isWellFormedApiKey } from '../../core/names/api-key.ts';
import type { ApiKey, FindApiKey, FoundApiKey } from '../../core/ports/api-keys.ts';
import { createCachedReader } from '../cached-reader.ts';
import { type KeyStore, type StoredApiKey, works } from './keys.ts';
import type { Tenancy } from './tenancy-fields.ts';
import type { StoredTerms } from './tenant-terms.ts';
import type { TenantStore } from './tenants.ts';

interface FindApiKeyOptions {
  readonly keys: Pick<KeyStore, 'findByHash'>;
  readonly tenants: Pick<TenantStore, 'find'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** How long a result is cached, and so how long a disabled key may still work. */
  readonly freshMs?: number;
  /** How long a recently used key still works while the database cannot be read. */
  readonly graceMs?: number;
}

/** Keys, and tenants, that a process remembers. */
export const maxCachedKeys = 10_000;
/** Made-up keys with a right checksum that a process remembers, so that each costs one read in `freshMs`. */
const maxUnknownKeys = 1_000;

type TenantPolicy = NonNullable<ApiKey['tenantPolicy']>;

type Restrictions = Tenancy & StoredTerms & { readonly suspendedAt?: number };

/** An item as it is remembered, with its policy, which few requests need to compute again. */
interface Known<Item> {
  readonly item: Item;
  readonly policy: TenantPolicy | undefined;
}

const knownOf = <Item extends Restrictions>(item: Item): Known<Item> => ({ item, policy: policyOf(item) });

/** Both share what they remember. */
interface ApiKeyFinders {
  readonly findApiKey: FindApiKey;
  /** By the stored format of a key. */
  readonly findKeyByHash: (hash: string) => Promise<FoundApiKey | undefined>;
}

export const createFindApiKey = (options: FindApiKeyOptions): FindApiKey =>
  createApiKeyFinders(options).findApiKey;

export function createApiKeyFinders(options: FindApiKeyOptions): ApiKeyFinders {
  const { keys, tenants, now, freshMs = 5_000, graceMs = 300_000 } = options;
  const cacheOptions = { now, freshMs, graceMs, size: maxCachedKeys, missingSize: maxUnknownKeys };
  // A tenant without an item (older data) has no limits. It counts as found, so that it is served during an outage too.
  const findTenant = createCachedReader<Known<Restrictions>>({
    ...cacheOptions,
    load: async (name) => knownOf((await tenants.find(name)) ?? {}),
  });
  const findKey = createCachedReader<Known<StoredApiKey>>({
    ...cacheOptions,
    async load(hash, last) {
      // If the tenant is known, both are read at the same time. An error is thrown by the next read of the tenant.
      if (last) findTenant(last.item.tenant).catch(() => {});
      const key = await keys.findByHash(hash);
      return key && knownOf(key);
    },
  });
  const findKeyByHash: ApiKeyFinders['findKeyByHash'] = async (hash) => {
    const key = await findKey(hash);
    if (!key || !works(key.item, now())) return undefined;
    const { id, tenant, family } = key.item;
    const found = await findTenant(tenant);
    const keyPolicy = key.policy;
    const tenantPolicy = found && policyAt(found, now() / 1000);
    const policies = { ...(keyPolicy && { keyPolicy }), ...(tenantPolicy && { tenantPolicy }) };
    return { id, hash, tenant, ...(family !== undefined && { family }), ...policies };
  };
  return {
    findKeyByHash,
    findApiKey: (secret) =>
      isWellFormedApiKey(secret) ? findKeyByHash(hashApiKey(secret)) : Promise.resolve(undefined),
  };
}

/** With its credit without what has expired. */
function policyAt({ item, policy }: Known<Restrictions>, seconds: number): TenantPolicy | undefined {
  const { limits, grants } = item;
  if (limits?.credit === undefined) return policy;
  return policyOf({ ...item, limits: { ...limits, credit: creditAt(limits.credit, grants, seconds) } });
}

/** Undefined if there are no limits, restrictions or terms. */
function policyOf({
  limits,
  models,
  operations,
  dataPolicy,
  guardrailIds,
  cache,
  suspendedAt,
  ...terms
}: Restrictions): TenantPolicy | undefined {
  const { throughput, onDatabaseFailure, userLimits, alerts, pricing, ownProviders, guardrails } = terms;
  const { cacheEpoch } = terms;
  const policy = {
    ...(limits && { limits }),
    ...(models && { models }),
    ...(operations && { operations }),
    ...(dataPolicy && { dataPolicy }),
    ...(guardrailIds && { guardrailIds }),
    ...(cache && { cache }),
    ...(suspendedAt !== undefined && { suspended: true as const }),
    ...(throughput !== undefined && { throughput }),
    ...(onDatabaseFailure && { onDatabaseFailure }),
    ...(userLimits && { userLimits }),
    ...(alerts && { alerts }),
    ...(pricing && { pricing }),
    ...(ownProviders && { ownProviders }),
    ...(guardrails && { guardrails }),
    ...(cacheEpoch !== undefined && { cacheEpoch }),
  };
  return Object.keys(policy).length > 0 ? policy : undefined;
}
