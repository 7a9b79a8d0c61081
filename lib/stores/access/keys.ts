/**
 * API keys in the access table. Only the hash of a key is stored, so a leaked copy of the table gives no access. The key
 * of an item is `key#<hash>`.
 */
import * as z from 'zod/mini';
import { objectOf } from '../../core/formats/given-fields.ts';
import { apiKeyId, apiKeyIdOfHash, hashApiKey, newApiKey } from '../../core/names/api-key.ts';
import {
  expiryAttribute,
  keyItemPrefix as keyPrefix,
  lastUsedAttribute,
  partitionKey,
} from '../../core/tables.ts';
import { isAbsent, openTable, type StoredItem } from '../dynamodb/table.ts';
import { readTenancy, type Tenancy, tenancyFields, tenancySchema } from './tenancy-fields.ts';
import { type AccessOptions, createTenantStore } from './tenants.ts';

export type NewApiKey = Tenancy & {
  readonly tenant: string;
  /** A description of the key, shown in lists. */
  readonly name?: string;
  /** The id of the user whose key it is; absent: the tenant's. */
  readonly owner?: string;
  /** Unix seconds. */
  readonly expiresAt?: number;
  /** The id of the first key in a chain of rotations. All keys of the chain share one count of use. */
  readonly family?: string;
  /** What an operator or an admin of the tenant has set: the owner may go below it, and not beyond. */
  readonly adminBounds?: AdminBounds;
};

export type AdminBounds = Tenancy & Pick<NewApiKey, 'expiresAt'>;

/** A key without its secret. Times are Unix seconds. */
export type StoredApiKey = NewApiKey & {
  readonly id: string;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastUsedAt?: number;
  readonly disabledAt?: number;
  /** The id of the key that a rotation has made of it. */
  readonly replacedBy?: string;
};

/** A new key. This is the only time that `secret` is available. */
export type CreatedApiKey = StoredApiKey & { readonly secret: string; readonly isTenantNew: boolean };

/** Requests find keys by hash; people find them by id: `key-edits.ts`. */
export interface KeyStore {
  findByHash(hash: string): Promise<StoredApiKey | undefined>;
  /** Creates a key, and its tenant if that is new. Rejects with GatewayError `invalid_request` for a bad tenant name. */
  create(key: NewApiKey, secret?: string): Promise<CreatedApiKey>;
  /** Records a use, unless a later one is stored. */
  noteUse(hash: string, seconds: number): Promise<void>;
}

const keyFields = {
  ...tenancySchema,
  [partitionKey]: z.string().check(z.startsWith(keyPrefix)),
  tenant: z.string(),
  name: () => z.exactOptional(z.string()),
  owner: () => z.exactOptional(z.string()),
  family: () => z.exactOptional(z.string()),
  created_at: z.number(),
  [lastUsedAttribute]: () => z.exactOptional(z.number()),
  disabled_at: () => z.exactOptional(z.number()),
  replaced_by: () => z.exactOptional(z.string()),
  [expiryAttribute]: () => z.exactOptional(z.number()),
  admin_bounds: () =>
    z.exactOptional(objectOf({ ...tenancySchema, [expiryAttribute]: () => z.exactOptional(z.number()) })),
};

const keyItem = objectOf(keyFields);

/** All but the key of the item, and its last use, which requests change. */
export const settledAttributes = Object.keys(keyFields).filter(
  (name) => name !== partitionKey && name !== lastUsedAttribute,
);

export function createKeyStore(options: AccessOptions): KeyStore {
  const { now = Date.now } = options;
  const items = openTable(options);
  const tenants = createTenantStore(options);
  return {
    async findByHash(hash) {
      const item = await items.get(keyPrefix + hash);
      return item && readKey(item);
    },
    async create(key, secret = newApiKey()) {
      const isTenantNew = await tenants.create(key.tenant);
      const stored = { ...key, id: apiKeyId(secret), createdAt: Math.floor(now() / 1000) };
      await items.put(keyPrefix + hashApiKey(secret), fieldsOf(stored), isAbsent);
      return { ...stored, secret, isTenantNew };
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

const fieldsOf = ({
  tenant,
  name,
  owner,
  family,
  createdAt,
  expiresAt,
  adminBounds,
  ...tenancy
}: StoredApiKey) => ({
  tenant,
  name,
  owner,
  family,
  created_at: createdAt,
  [expiryAttribute]: expiresAt,
  admin_bounds: adminBounds && boundsFields(adminBounds),
  ...tenancyFields(tenancy),
});

export const boundsFields = ({ expiresAt, ...tenancy }: AdminBounds): StoredItem => ({
  ...tenancyFields(tenancy),
  ...(expiresAt !== undefined && { [expiryAttribute]: expiresAt }),
});

function readBounds({
  [expiryAttribute]: expiresAt,
  ...item
}: Parameters<typeof readTenancy>[0] & {
  readonly [expiryAttribute]?: number;
}): AdminBounds {
  return { ...readTenancy(item), ...(expiresAt !== undefined && { expiresAt }) };
}

/** Undefined for an item that is not a valid key: such a key is not accepted. */
export function readKey(item: StoredItem): StoredApiKey | undefined {
  const { success, data } = keyItem.safeParse(item);
  if (!success) return undefined;
  const { tenant, name, owner, family, created_at, disabled_at, replaced_by, admin_bounds } = data;
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
    ...(replaced_by !== undefined && { replacedBy: replaced_by }),
    ...(admin_bounds && { adminBounds: readBounds(admin_bounds) }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...readTenancy(data),
  };
}
