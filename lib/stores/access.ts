/**
 * Tenants and their API keys: the items of the access table, and the lookup that every request makes.
 *
 * Of a key only its hash is stored, so a copy of the table opens no door. Items: `key#<hash>`, `tenant#<name>`.
 */
import * as z from 'zod/mini';
import { apiKeyId, apiKeyIdOfHash, hashApiKey, isWellFormedApiKey, newApiKey } from '../core/api-key.ts';
import { GatewayError } from '../core/errors.ts';
import type { FindApiKey } from '../core/ports.ts';
import { expiryAttribute, partitionKey } from '../core/tables.ts';
import { createRecent } from './recent.ts';
import { openTable, type StoredItem, type TableOptions } from './table.ts';

/** A key as it is known after its making. Times are Unix seconds. */
export interface StoredApiKey {
  readonly id: string;
  readonly tenant: string;
  readonly name?: string;
  readonly createdAt: number;
  readonly disabledAt?: number;
  readonly expiresAt?: number;
}

export interface NewApiKey {
  readonly tenant: string;
  /** What the key is for; shown in lists. */
  readonly name?: string;
  /** Unix seconds. */
  readonly expiresAt?: number;
}

export interface AccessStore {
  findByHash(hash: string): Promise<StoredApiKey | undefined>;
  /**
   * Makes a key, and its tenant where that is new. `secret` is told here and never again. Throws GatewayError
   * `invalid_request` for a tenant name that cannot be one.
   */
  create(key: NewApiKey): Promise<StoredApiKey & { readonly secret: string }>;
  /** All keys, oldest first. Reads the whole table: for commands, not for requests. */
  list(): Promise<readonly StoredApiKey[]>;
  /** Disables a key by its id; false where there is no such key. One already disabled keeps its time. */
  disable(id: string): Promise<boolean>;
}

export interface AccessStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now?: () => number;
}

const keyPrefix = 'key#';
const tenantName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const keyId = /^key_([0-9a-f]{12})$/;

const keyItem = z.object({
  [partitionKey]: z.string().check(z.startsWith(keyPrefix)),
  tenant: z.string(),
  name: z.exactOptional(z.string()),
  created_at: z.number(),
  disabled_at: z.exactOptional(z.number()),
  [expiryAttribute]: z.exactOptional(z.number()),
});

export function createAccessStore({ call, table, now = Date.now }: AccessStoreOptions): AccessStore {
  const items = openTable({ call, table });
  const seconds = () => Math.floor(now() / 1000);
  const isNew = { expression: 'attribute_not_exists(#key)', names: { '#key': partitionKey } };

  const listWhere = async (prefix: string) =>
    (await items.scan(prefix)).flatMap((item) => readKey(item) ?? []);

  return {
    async findByHash(hash) {
      const item = await items.get(keyPrefix + hash);
      return item && readKey(item);
    },
    async create({ tenant, name, expiresAt }) {
      if (!tenantName.test(tenant)) throw badTenantName();
      const created_at = seconds();
      await items.put(`tenant#${tenant}`, { name: tenant, created_at }, isNew);
      const secret = newApiKey();
      const fields = { tenant, name, created_at, [expiryAttribute]: expiresAt };
      await items.put(keyPrefix + hashApiKey(secret), fields, isNew);
      const told = { ...(name !== undefined && { name }), ...(expiresAt !== undefined && { expiresAt }) };
      return { id: apiKeyId(secret), tenant, createdAt: created_at, ...told, secret };
    },
    list: async () => (await listWhere(keyPrefix)).toSorted((a, b) => a.createdAt - b.createdAt),
    async disable(id) {
      const start = keyId.exec(id)?.[1];
      if (start === undefined) return false;
      // The id is the beginning of the hash, which is the key of the item.
      const [found] = await items.scan(keyPrefix + start);
      const key = found?.[partitionKey];
      return typeof key === 'string' && (await items.setOnce(key, 'disabled_at', seconds()));
    },
  };
}

export interface FindApiKeyOptions {
  readonly store: Pick<AccessStore, 'findByHash'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** How long an answer is given again without a read: the longest a disabled key still works. */
  readonly freshMs?: number;
  /** How long a key seen lately still works while the database cannot be read. */
  readonly graceMs?: number;
}

/** The lookup a request makes: no read for a text that cannot be a key, and seldom one for a key seen lately. */
export function createFindApiKey(options: FindApiKeyOptions): FindApiKey {
  const { store, now, freshMs = 5_000, graceMs = 300_000 } = options;
  const find = createRecent({ load: (hash) => store.findByHash(hash), now, freshMs, graceMs, size: 10_000 });
  return async (secret) => {
    if (!isWellFormedApiKey(secret)) return undefined;
    const key = await find(hashApiKey(secret));
    if (!key || key.disabledAt !== undefined) return undefined;
    if (key.expiresAt !== undefined && key.expiresAt * 1000 <= now()) return undefined;
    return { id: key.id, tenant: key.tenant };
  };
}

/** Undefined for an item that is no key, or a broken one: such a key opens nothing. */
function readKey(item: StoredItem): StoredApiKey | undefined {
  const { success, data } = keyItem.safeParse(item);
  if (!success) return undefined;
  const { tenant, name, created_at, disabled_at } = data;
  const expiresAt = data[expiryAttribute];
  return {
    id: apiKeyIdOfHash(data[partitionKey].slice(keyPrefix.length)),
    tenant,
    createdAt: created_at,
    ...(name !== undefined && { name }),
    ...(disabled_at !== undefined && { disabledAt: disabled_at }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

const badTenantName = () =>
  new GatewayError(
    'invalid_request',
    'A tenant name has 1 to 63 letters, digits, dots, dashes or underscores, and starts with a letter or digit.',
    { param: 'tenant' },
  );
