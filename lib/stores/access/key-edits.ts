/**
 * What people do with keys: lists of them, and changes on condition that a key is still as it was seen. Apart from `keys.ts`, which every
 * request of a caller loads.
 */

import { GatewayError } from '../../core/errors/errors.ts';
import { apiKeyId, hashApiKey, newApiKey } from '../../core/names/api-key.ts';
import { expiryAttribute, keyItemPrefix, partitionKey } from '../../core/tables.ts';
import { scanInParallel } from '../dynamodb/parallel-scan.ts';
import { isLater, refuseLater } from '../dynamodb/schema-version.ts';
import { openTable, type StoredItem } from '../dynamodb/table.ts';
import { type Edited, editItem } from './edit-item.ts';
import {
  type AdminBounds,
  boundsFields,
  type CreatedApiKey,
  createKeyStore,
  type NewApiKey,
  readKey,
  type StoredApiKey,
  settledAttributes,
  works,
} from './keys.ts';
import { type TenancyChange, tenancyFields } from './tenancy-fields.ts';
import type { AccessOptions } from './tenants.ts';

/** What is absent stays as it is; null removes it. */
export type KeyChange = TenancyChange & {
  readonly name?: string | null;
  readonly owner?: string | null;
  readonly expiresAt?: number | null;
  readonly adminBounds?: AdminBounds | null;
};

interface EditedKey {
  readonly before: StoredApiKey;
  readonly after: StoredApiKey;
}

export interface KeyFilter {
  readonly tenant?: string | undefined;
  readonly owner?: string | undefined;
}

/** May throw. `keys`: all of the tenant, with the new one; the new one is then taken back. */
export type CheckKeys = (keys: readonly StoredApiKey[]) => void;

interface Rotated {
  readonly made: CreatedApiKey;
  /** When the old key stops working, in Unix seconds. */
  readonly until: number;
}

export interface KeyEdits {
  /** Newest first. Rejects with GatewayError `invalid_request` for more than `maxListedKeys`. Reads the whole table. */
  list(filter: KeyFilter): Promise<readonly StoredApiKey[]>;
  /** Reads the whole table. */
  find(id: string): Promise<StoredApiKey | undefined>;
  /**
   * `decide` gets the key as it is, and may refuse the change by throwing. Undefined if there is no such key. Rejects with GatewayError
   * `conflict` if others change it all the time.
   */
  edit(id: string, decide: (key: StoredApiKey) => KeyChange): Promise<EditedKey | undefined>;
  /** As `KeyStore.create`, unless `check` throws. With `check`, it reads the whole table. */
  create(key: NewApiKey, check?: CheckKeys): Promise<CreatedApiKey>;
  /**
   * Creates a key with the same settings. The old key works for `overlapSeconds` more, or until it expires. Only once for each key: then
   * the key that it was replaced by can be rotated. Undefined if there is no such key. Rejects with GatewayError `invalid_request` for a
   * key that no longer works, with `conflict` for one that was replaced, and with what `allow` and the check of the new
   * key throw.
   */
  rotate(
    id: string,
    overlapSeconds: number,
    allow?: (key: StoredApiKey) => void,
    checkOf?: (key: StoredApiKey) => CheckKeys | undefined,
  ): Promise<Rotated | undefined>;
  /** Also a key of a later schema version, for good. `allow` may throw. Undefined if there is no such key. */
  disable(id: string, allow: (key: StoredApiKey) => void): Promise<EditedKey | undefined>;
  /**
   * Undoes `disable`. Undefined if there is no such key. Rejects with LaterItem for a key of a later schema version, with GatewayError
   * `invalid_request` for one that has expired, and with what `allow` and the check throw: it is then disabled as before. With a check, it
   * reads the whole table.
   */
  enable(
    id: string,
    allow: (key: StoredApiKey) => void,
    checkOf: (key: StoredApiKey) => CheckKeys | undefined,
  ): Promise<EditedKey | undefined>;
}

/** Keys of one list: all are read, ordered and held in memory. */
const maxListedKeys = 50_000;

/** The id is the first part of the hash, and the hash is the key of the item. */
const keyId = /^key_([0-9a-f]{12})$/;

export function createKeyEdits(options: AccessOptions): KeyEdits {
  const { now = Date.now } = options;
  const items = openTable(options);
  const keys = createKeyStore(options);
  const seconds = () => Math.floor(now() / 1000);
  const findItem = async (id: string): Promise<StoredItem | undefined> => {
    const start = keyId.exec(id)?.[1];
    if (start === undefined) return undefined;
    const [item] = await scanInParallel(options, { prefix: keyItemPrefix + start, max: 1 });
    return item;
  };
  const list = async (filter: KeyFilter, consistent = false) => {
    const found = await scanInParallel(options, {
      prefix: keyItemPrefix,
      filter: conditionOf(filter),
      max: maxListedKeys,
      consistent,
    });
    if (found.length > maxListedKeys) throw tooManyKeys();
    return found.flatMap((item) => readKey(refuseLater(item)) ?? []).toSorted(newestFirst);
  };
  // Of several at once, each sees those that were made before its look: together they never pass what `check` allows.
  const create = async (key: NewApiKey, check?: CheckKeys, secret = newApiKey()) => {
    const made = await keys.create(key, secret);
    try {
      if (check) check(await list({ tenant: key.tenant }, true));
      return made;
    } catch (error) {
      await items.remove(keyItemPrefix + hashApiKey(secret));
      throw error;
    }
  };
  const unmark = async ({ before: was, after }: Edited) => {
    const isMarked = (item: StoredItem) => item.replaced_by === after.replaced_by;
    const unmarked = { [expiryAttribute]: was[expiryAttribute] ?? null, replaced_by: null };
    await editItem(items, String(was[partitionKey]), (item) => (isMarked(item) ? unmarked : {}));
  };
  return {
    list: (filter) => list(filter),
    async find(id) {
      const item = await findItem(id);
      return item && readKey(refuseLater(item));
    },
    async edit(id, decide) {
      const found = await findItem(id);
      if (!found || !readKey(found)) return undefined;
      const edited = await editItem(items, String(found[partitionKey]), (item) =>
        fieldsOf(decide(keyOf(item))),
      );
      return edited && { before: keyOf(edited.before), after: keyOf(edited.after) };
    },
    create,
    async rotate(id, overlapSeconds, allow, checkOf) {
      const found = await findItem(id);
      if (!found || !readKey(refuseLater(found))) return undefined;
      const secret = newApiKey();
      const until = seconds() + overlapSeconds;
      const marked = await editItem(items, String(found[partitionKey]), (item) => {
        const key = keyOf(item);
        allow?.(key);
        requireRotatable(key, now());
        const ends = Math.min(until, key.expiresAt ?? until);
        return { ...settledOf(item), replaced_by: apiKeyId(secret), [expiryAttribute]: ends };
      });
      if (!marked) return undefined;
      const before = keyOf(marked.before);
      const { id: _, createdAt, lastUsedAt, ...key } = before;
      try {
        const made = await create({ family: id, ...key }, checkOf?.(before), secret);
        return { made, until: keyOf(marked.after).expiresAt ?? until };
      } catch (error) {
        await unmark(marked);
        throw error;
      }
    },
    async disable(id, allow) {
      const found = await findItem(id);
      const before = found && readKey(found);
      if (!before) return undefined;
      if (isLater(found)) {
        allow(before);
        // Whatever it says, it then does not work.
        await items.setOnce(String(found[partitionKey]), 'disabled_at', seconds());
        return { before, after: { ...before, disabledAt: before.disabledAt ?? seconds() } };
      }
      const edited = await editItem(items, String(found[partitionKey]), (item) => {
        allow(keyOf(item));
        return { ...settledOf(item), disabled_at: item.disabled_at ?? seconds() };
      });
      return edited && { before: keyOf(edited.before), after: keyOf(edited.after) };
    },
    async enable(id, allow, checkOf) {
      const found = await findItem(id);
      if (!found || !readKey(refuseLater(found))) return undefined;
      const stored = String(found[partitionKey]);
      const edited = await editItem(items, stored, (item) => {
        allow(keyOf(item));
        requireUnexpired(keyOf(item), now());
        return { ...settledOf(item), disabled_at: null };
      });
      if (!edited) return undefined;
      const [before, after] = [keyOf(edited.before), keyOf(edited.after)];
      const check = before.disabledAt === undefined ? undefined : checkOf(before);
      try {
        // As a key that is made: of several at once, each sees those that were enabled before its look.
        check?.(await list({ tenant: before.tenant }, true));
      } catch (error) {
        await editItem(items, stored, () => ({ disabled_at: before.disabledAt }));
        throw error;
      }
      return { before, after };
    },
  };
}

/** The whole of a key as it was read, but what changes by itself: what is changed together with it is changed of this state alone. */
const settledOf = (item: StoredItem): StoredItem =>
  Object.fromEntries(settledAttributes.map((name) => [name, item[name] ?? null]));

function requireRotatable(key: StoredApiKey, now: number): void {
  if (key.replacedBy !== undefined) {
    const message = `The key ${key.id} was replaced by ${key.replacedBy} already. Rotate that one, or create a new key.`;
    throw new GatewayError('conflict', message);
  }
  if (works(key, now)) return;
  throw new GatewayError('invalid_request', `The key ${key.id} no longer works. Create a new one.`);
}

function requireUnexpired({ id, expiresAt }: StoredApiKey, now: number): void {
  if (expiresAt === undefined || expiresAt * 1000 > now) return;
  const message = `The key ${id} has expired. Change 'expires_at' first, or create a new key.`;
  throw new GatewayError('invalid_request', message);
}

/** By the second in which they were made; those of one second by id. */
const newestFirst = (one: StoredApiKey, other: StoredApiKey) =>
  other.createdAt - one.createdAt || (one.id < other.id ? -1 : 1);

/** Of an item that was read as a key before: only attributes of a key have changed since. */
function keyOf(item: StoredItem): StoredApiKey {
  const key = readKey(item);
  if (!key) throw new Error('The stored item of a key is malformed.');
  return key;
}

function conditionOf(filter: KeyFilter) {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (asked.length === 0) return undefined;
  return {
    expression: asked.map(([name]) => `#${name} = :${name}`).join(' AND '),
    names: Object.fromEntries(asked.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(asked.map(([name, value]) => [`:${name}`, value])),
  };
}

function fieldsOf({ name, owner, expiresAt, adminBounds, ...tenancy }: KeyChange): StoredItem {
  const bounds = adminBounds && boundsFields(adminBounds);
  return { name, owner, [expiryAttribute]: expiresAt, admin_bounds: bounds, ...tenancyFields(tenancy) };
}

const tooManyKeys = () =>
  new GatewayError(
    'invalid_request',
    `There are more than ${maxListedKeys} keys. Ask for those of one tenant: set 'tenant'.`,
    { param: 'tenant' },
  );
