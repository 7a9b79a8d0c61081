/**
 * API keys in the access table. Only the hash of a key is stored, so a leaked copy of the table gives no access. The key
 * of an item is `key#<hash>`.
 */
import * as z from 'zod/mini';
import { apiKeyId, apiKeyIdOfHash, hashApiKey, newApiKey } from '../../core/api-key.ts';
import { GatewayError } from '../../core/errors.ts';
import {
  expiryAttribute,
  keyItemPrefix as keyPrefix,
  lastUsedAttribute,
  partitionKey,
} from '../../core/tables.ts';
import { refuseLater } from '../dynamodb/item-form.ts';
import { openTable, type StoredItem, type Table } from '../dynamodb/table.ts';
import {
  readTenancy,
  type Tenancy,
  type TenancyChange,
  tenancyFields,
  tenancySchema,
  updateOf,
} from './tenancy-fields.ts';
import { type AccessOptions, createTenantStore } from './tenants.ts';

export type NewApiKey = Tenancy & {
  readonly tenant: string;
  /** A description of the key, shown in lists. */
  readonly name?: string;
  /** The id of the person whose key it is; absent: the tenant's. */
  readonly owner?: string;
  /** Unix seconds. */
  readonly expiresAt?: number;
  /** The id of the first key in a chain of rotations. All keys of the chain share one count of use. */
  readonly family?: string;
};

/** A key without its secret. Times are Unix seconds. */
export type StoredApiKey = NewApiKey & {
  readonly id: string;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastUsedAt?: number;
  readonly disabledAt?: number;
};

/** A new key. This is the only time that `secret` is available. */
export type CreatedApiKey = StoredApiKey & { readonly secret: string; readonly isTenantNew: boolean };

/** Requests find keys by hash; commands find them by id, which reads the whole table. */
export interface KeyStore {
  findByHash(hash: string): Promise<StoredApiKey | undefined>;
  find(id: string): Promise<StoredApiKey | undefined>;
  /** All keys, oldest first. Reads the whole table. */
  list(): Promise<readonly StoredApiKey[]>;
  /** Creates a key, and its tenant if that is new. Rejects with GatewayError `invalid_request` for a bad tenant name. */
  create(key: NewApiKey): Promise<CreatedApiKey>;
  /**
   * Creates a key with the same settings. The old key works for `overlapSeconds` more, or until it expires.
   * Returns undefined if there is no such key; rejects with GatewayError `invalid_request` if it no longer works, and with what
   * `allow` throws.
   */
  rotate(
    id: string,
    overlapSeconds: number,
    allow?: (key: StoredApiKey) => void,
  ): Promise<{ readonly made: CreatedApiKey; readonly until: number } | undefined>;
  /** Returns the changed key, or undefined if there is no such key. */
  change(id: string, change: TenancyChange): Promise<StoredApiKey | undefined>;
  /** Permanent. Returns false if there is no such key. A key already disabled keeps its time. */
  disable(id: string): Promise<boolean>;
  /** Records a use, unless a later one is stored. */
  noteUse(hash: string, seconds: number): Promise<void>;
}

const keyId = /^key_([0-9a-f]{12})$/;

const keyItem = z.object({
  ...tenancySchema,
  [partitionKey]: z.string().check(z.startsWith(keyPrefix)),
  tenant: z.string(),
  name: z.exactOptional(z.string()),
  owner: z.exactOptional(z.string()),
  family: z.exactOptional(z.string()),
  created_at: z.number(),
  [lastUsedAttribute]: z.exactOptional(z.number()),
  disabled_at: z.exactOptional(z.number()),
  [expiryAttribute]: z.exactOptional(z.number()),
});

export function createKeyStore(options: AccessOptions): KeyStore {
  const { now = Date.now } = options;
  const items = openTable(options);
  const tenants = createTenantStore(options);
  const seconds = () => Math.floor(now() / 1000);
  const create = async (key: NewApiKey): Promise<CreatedApiKey> => {
    const isTenantNew = await tenants.create(key.tenant);
    const secret = newApiKey();
    const stored = { ...key, id: apiKeyId(secret), createdAt: seconds() };
    await items.put(keyPrefix + hashApiKey(secret), fieldsOf(stored), {
      expression: 'attribute_not_exists(pk)',
    });
    return { ...stored, secret, isTenantNew };
  };
  return {
    async findByHash(hash) {
      const item = await items.get(keyPrefix + hash);
      return item && readKey(item);
    },
    find: async (id) => (await findReadable(items, id))?.stored,
    async list() {
      const found = await items.scan(keyPrefix);
      return found
        .flatMap((item) => readKey(refuseLater(item)) ?? [])
        .toSorted((a, b) => a.createdAt - b.createdAt);
    },
    create,
    async rotate(id, overlapSeconds, allow) {
      const found = await findReadable(items, id);
      if (!found) return undefined;
      allow?.(found.stored);
      const { id: _, createdAt, lastUsedAt, disabledAt, ...key } = found.stored;
      if (!works(found.stored, now())) {
        throw new GatewayError('invalid_request', `The key ${id} no longer works. Create a new one.`);
      }
      const made = await create({ family: id, ...key });
      const until = seconds() + overlapSeconds;
      await expireBy(items, found.key, until);
      return { made, until: Math.min(until, key.expiresAt ?? until) };
    },
    async change(id, change) {
      const found = await findReadable(items, id);
      const item = found && (await items.update(found.key, updateOf(tenancyFields(change))));
      return item && readKey(item);
    },
    async disable(id) {
      // Also a key of a later form: whatever it says, it then does not work.
      const found = await findItem(items, id);
      return found !== undefined && (await items.setOnce(found.key, 'disabled_at', seconds()));
    },
    async noteUse(hash, at) {
      await items.raise(keyPrefix + hash, lastUsedAttribute, at);
    },
  };
}

/** Whether a key is accepted at a time in milliseconds. */
export function works({ disabledAt, expiresAt }: StoredApiKey, milliseconds: number): boolean {
  return disabledAt === undefined && (expiresAt === undefined || expiresAt * 1000 > milliseconds);
}

interface FoundKey {
  readonly key: string;
  readonly stored: StoredApiKey;
  readonly item: StoredItem;
}

/** Rejects with LaterItem for a key of a later form. */
async function findReadable(items: Table, id: string): Promise<FoundKey | undefined> {
  const found = await findItem(items, id);
  if (found) refuseLater(found.item);
  return found;
}

/** The id is the first part of the hash, and the hash is the key of the item. */
async function findItem(items: Table, id: string): Promise<FoundKey | undefined> {
  const start = keyId.exec(id)?.[1];
  if (start === undefined) return undefined;
  const [item] = await items.scan(keyPrefix + start);
  const stored = item && readKey(item);
  return stored && { key: String(item[partitionKey]), stored, item };
}

/** Keeps an earlier expiry that another operator has set. */
async function expireBy(items: Table, key: string, until: number): Promise<void> {
  await items.update(key, {
    expression: 'SET #expiry = :until',
    condition: 'attribute_exists(pk) AND (attribute_not_exists(#expiry) OR #expiry > :until)',
    names: { '#expiry': expiryAttribute },
    values: { ':until': until },
  });
}

const fieldsOf = ({ tenant, name, owner, family, createdAt, expiresAt, ...tenancy }: StoredApiKey) => ({
  tenant,
  name,
  owner,
  family,
  created_at: createdAt,
  [expiryAttribute]: expiresAt,
  ...tenancyFields(tenancy),
});

/** Undefined for an item that is not a valid key: such a key is not accepted. */
export function readKey(item: StoredItem): StoredApiKey | undefined {
  const { success, data } = keyItem.safeParse(item);
  if (!success) return undefined;
  const { tenant, name, owner, family, created_at, disabled_at } = data;
  const { [expiryAttribute]: expiresAt, [lastUsedAttribute]: lastUsedAt } = data;
  return {
    id: apiKeyIdOfHash(data[partitionKey].slice(keyPrefix.length)),
    tenant,
    createdAt: created_at,
    ...(name !== undefined && { name }),
    ...(owner !== undefined && { owner }),
    ...(family !== undefined && { family }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    ...(disabled_at !== undefined && { disabledAt: disabled_at }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...readTenancy(data),
  };
}
