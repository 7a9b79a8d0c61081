/**
 * Management keys in the access table. Only the hash of a key is stored, so a leaked copy of the table gives no access. The key of an
 * item is `management#<hash>`. DynamoDB removes one that has expired.
 */
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { type Role, roles } from '../../core/admin/user.ts';
import { isToken, newToken } from '../../core/names/token.ts';
import { expiryAttribute, partitionKey } from '../../core/tables.ts';
import { scanEach, scanInParallel } from '../dynamodb/parallel-scan.ts';
import { refuseLater } from '../dynamodb/schema-version.ts';
import { type Condition, isAbsent, openTable, type StoredItem } from '../dynamodb/table.ts';
import type { AccessOptions } from './tenants.ts';

interface NewManagementKey {
  /** What it is for. */
  readonly name: string;
  readonly role: Role;
  /** Absent only for operators. */
  readonly tenant?: string;
  /** Absent: all of the role. */
  readonly operations?: readonly string[];
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly createdBy: { readonly id: string; readonly name: string };
}

export interface StoredManagementKey extends NewManagementKey {
  readonly id: string;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** This is the only time that `secret` is available. */
type CreatedManagementKey = StoredManagementKey & { readonly secret: string };

/** A place in the order of keys. */
export type ManagementKeyPlace = Pick<StoredManagementKey, 'createdAt' | 'id'>;

interface NewestManagementKeys {
  readonly tenant?: string | null | undefined;
  readonly limit: number;
  readonly after?: ManagementKeyPlace | undefined;
}

export interface ManagementKeyStore {
  create(key: NewManagementKey): Promise<CreatedManagementKey>;
  /** Undefined for one that is unknown, revoked or expired. */
  findBySecret(secret: string): Promise<StoredManagementKey | undefined>;
  /** Newest first; of all, of a tenant or, with null, of none. Reads the whole table. */
  list(tenant?: string | null): Promise<readonly StoredManagementKey[]>;
  /** The same, so many at most, of those behind a place in that order. Reads the whole table, and holds no more than it gives. */
  newest(asked: NewestManagementKeys): Promise<readonly StoredManagementKey[]>;
  /** Reads the whole table. */
  find(id: string): Promise<StoredManagementKey | undefined>;
  /** Undefined if there is none any more. Reads the whole table. */
  remove(id: string): Promise<StoredManagementKey | undefined>;
}

const secretPrefix = 'mgm_';
const itemPrefix = 'management#';
const idPattern = /^mkey_([0-9a-f]{12})$/;

/** Whether a text has the form of a management key. */
export const isManagementSecret = (text: string): boolean => isToken(secretPrefix, text);

const keyItem = z.object({
  [partitionKey]: z.string().check(z.startsWith(itemPrefix)),
  name: z.string(),
  role: z.enum(roles),
  tenant: z.exactOptional(z.string()),
  operations: z.exactOptional(z.array(z.string())),
  created_at: z.number(),
  created_by: z.object({ id: z.string(), name: z.string() }),
  [expiryAttribute]: z.number(),
});

export function createManagementKeyStore({ now = Date.now, ...options }: AccessOptions): ManagementKeyStore {
  const items = openTable(options);
  const findItem = async (id: string): Promise<StoredItem | undefined> => {
    const start = idPattern.exec(id)?.[1];
    if (start === undefined) return undefined;
    const [item] = await scanInParallel(options, { prefix: itemPrefix + start, max: 1, consistent: true });
    return item;
  };
  const newest: ManagementKeyStore['newest'] = async ({ tenant, limit, after }) => {
    const found: StoredManagementKey[] = [];
    const filter = tenant === undefined ? undefined : isOf(tenant);
    await scanEach(options, { prefix: itemPrefix, filter, consistent: true }, (items) => {
      for (const item of items) {
        const key = readKey(refuseLater(item));
        if (key && (!after || newestFirst(after, key) < 0)) found.push(key);
      }
      found.sort(newestFirst).splice(limit);
      return true;
    });
    return found;
  };
  return {
    newest,
    list: (tenant) => newest({ tenant, limit: Number.POSITIVE_INFINITY }),
    async create(key) {
      const secret = newToken(secretPrefix);
      const createdAt = Math.floor(now() / 1000);
      const { createdBy, expiresAt, ...facts } = key;
      const fields = {
        ...facts,
        created_at: createdAt,
        created_by: createdBy,
        [expiryAttribute]: expiresAt,
      };
      await items.put(itemKey(secret), fields, isAbsent);
      return { ...key, id: idOf(itemKey(secret)), createdAt, secret };
    },
    async findBySecret(secret) {
      if (!isManagementSecret(secret)) return undefined;
      // Strongly consistent: what was revoked is revoked at once.
      const item = await items.get(itemKey(secret), { consistent: true });
      const key = item && readKey(item);
      // DynamoDB deletes expired items late.
      return key && key.expiresAt * 1000 > now() ? key : undefined;
    },
    async find(id) {
      const item = await findItem(id);
      return item && readKey(item);
    },
    async remove(id) {
      const item = await findItem(id);
      const removed = item && (await items.remove(String(item[partitionKey])));
      return removed && readKey(removed);
    },
  };
}

const isOf = (tenant: string | null): Condition => ({
  expression: tenant === null ? 'attribute_not_exists(#tenant)' : '#tenant = :tenant',
  names: { '#tenant': 'tenant' },
  values: tenant === null ? {} : { ':tenant': tenant },
});

const itemKey = (secret: string): string => itemPrefix + hash('sha256', secret);

const idOf = (key: string): string => `mkey_${key.slice(itemPrefix.length, itemPrefix.length + 12)}`;

/** Undefined for an item that is not a valid key: such a key is not accepted. */
function readKey(item: StoredItem): StoredManagementKey | undefined {
  const { success, data } = keyItem.safeParse(item);
  if (!success) return undefined;
  const { [partitionKey]: key, created_at, created_by, [expiryAttribute]: expiresAt, ...facts } = data;
  return { ...facts, id: idOf(key), createdAt: created_at, createdBy: created_by, expiresAt };
}

const newestFirst = (one: ManagementKeyPlace, other: ManagementKeyPlace) =>
  other.createdAt - one.createdAt || (one.id === other.id ? 0 : one.id < other.id ? -1 : 1);
