/**
 * The lookup that every request makes: whose key it is, and what both may do. A text that cannot be a key costs no read,
 * and one seen lately seldom.
 */
import { hashApiKey, isWellFormedApiKey } from '../../core/api-key.ts';
import type { ApiKey, FindApiKey } from '../../core/ports.ts';
import { createCachedReader } from '../cached-reader.ts';
import { type KeyStore, type StoredApiKey, works } from './keys.ts';
import type { Tenancy } from './tenancy-fields.ts';
import type { TenantStore } from './tenants.ts';

export interface FindApiKeyOptions {
  readonly keys: Pick<KeyStore, 'findByHash'>;
  readonly tenants: Pick<TenantStore, 'find'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** How long an answer is given again without a read: the longest a disabled key still works. */
  readonly freshMs?: number;
  /** How long a key seen lately still works while the database cannot be read. */
  readonly graceMs?: number;
}

type Known = Tenancy & { readonly suspendedAt?: number };

export function createFindApiKey(options: FindApiKeyOptions): FindApiKey {
  const { keys, tenants, now, freshMs = 5_000, graceMs = 300_000 } = options;
  const remembered = { now, freshMs, graceMs, size: 10_000 };
  // A tenant without an item, as older data has it, is one without limits: found, so that it outlives a fault too.
  const findTenant = createCachedReader<Known>({
    ...remembered,
    load: async (name) => (await tenants.find(name)) ?? {},
  });
  const findKey = createCachedReader<StoredApiKey>({
    ...remembered,
    load(hash, last) {
      // Both at once where it is known whose key it is. A failure is told to whoever asks for the tenant next.
      if (last) findTenant(last.tenant).catch(() => {});
      return keys.findByHash(hash);
    },
  });
  return async (secret) => {
    if (!isWellFormedApiKey(secret)) return undefined;
    const hash = hashApiKey(secret);
    const key = await findKey(hash);
    if (!key || !works(key, now())) return undefined;
    const { id, tenant, family } = key;
    const keyPolicy = policyOf(key);
    const tenantPolicy = policyOf((await findTenant(tenant)) ?? {});
    const policies = { ...(keyPolicy && { keyPolicy }), ...(tenantPolicy && { tenantPolicy }) };
    return { id, hash, tenant, ...(family !== undefined && { family }), ...policies };
  };
}

/** Undefined for those whom nothing holds back. */
function policyOf({ limits, models, operations, suspendedAt }: Known): ApiKey['tenantPolicy'] | undefined {
  const held = {
    ...(limits && { limits }),
    ...(models && { models }),
    ...(operations && { operations }),
    ...(suspendedAt !== undefined && { suspended: true as const }),
  };
  return Object.keys(held).length > 0 ? held : undefined;
}
