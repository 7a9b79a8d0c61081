/**
 * What people do with keys: lists of them, and changes on condition that a key is still as it was seen. Apart from `keys.ts`, which every
 * request of a caller loads.
 */
import { GatewayError } from '../../core/errors.ts';
import { expiryAttribute, keyItemPrefix, partitionKey } from '../../core/tables.ts';
import { refuseLater } from '../dynamodb/item-form.ts';
import { scanInParallel } from '../dynamodb/parallel-scan.ts';
import { openTable, type StoredItem } from '../dynamodb/table.ts';
import { editItem } from './edit-item.ts';
import { createKeyStore, readKey, type StoredApiKey } from './keys.ts';
import { type TenancyChange, tenancyFields } from './tenancy-fields.ts';
import type { AccessOptions } from './tenants.ts';

/** What is absent stays as it is; null removes it. */
export type KeyChange = TenancyChange & {
  readonly name?: string | null;
  readonly owner?: string | null;
  readonly expiresAt?: number | null;
};

export interface EditedKey {
  readonly before: StoredApiKey;
  readonly after: StoredApiKey;
}

export interface KeyFilter {
  readonly tenant?: string | undefined;
  readonly owner?: string | undefined;
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
  /** For good; also a key of a later form. `allow` may throw. Undefined if there is no such key. */
  disable(id: string, allow: (key: StoredApiKey) => void): Promise<EditedKey | undefined>;
}

/** Keys of one list: all are read, ordered and held in memory. */
export const maxListedKeys = 50_000;

const keyId = /^key_([0-9a-f]{12})$/;

export function createKeyEdits(options: AccessOptions): KeyEdits {
  const { now = Date.now } = options;
  const items = openTable(options);
  const keys = createKeyStore(options);
  const findItem = async (id: string): Promise<StoredItem | undefined> => {
    const start = keyId.exec(id)?.[1];
    if (start === undefined) return undefined;
    const [item] = await scanInParallel(options, { prefix: keyItemPrefix + start, max: 1 });
    return item;
  };
  return {
    async list(filter) {
      const found = await scanInParallel(options, {
        prefix: keyItemPrefix,
        filter: conditionOf(filter),
        max: maxListedKeys,
      });
      if (found.length > maxListedKeys) throw tooManyKeys();
      return found.flatMap((item) => readKey(refuseLater(item)) ?? []).toSorted(newestFirst);
    },
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
    async disable(id, allow) {
      const found = await findItem(id);
      const before = found && readKey(found);
      if (!before) return undefined;
      allow(before);
      if (!(await keys.disable(id))) return undefined;
      return { before, after: { ...before, disabledAt: before.disabledAt ?? Math.floor(now() / 1000) } };
    },
  };
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
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (given.length === 0) return undefined;
  return {
    expression: given.map(([name]) => `#${name} = :${name}`).join(' AND '),
    names: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
  };
}

function fieldsOf({ name, owner, expiresAt, ...tenancy }: KeyChange): StoredItem {
  return { name, owner, [expiryAttribute]: expiresAt, ...tenancyFields(tenancy) };
}

const tooManyKeys = () =>
  new GatewayError(
    'invalid_request',
    `There are more than ${maxListedKeys} keys. Ask for those of one tenant: set 'tenant'.`,
    { param: 'tenant' },
  );
