/**
 * The hosts that an operator defined, in the catalog's table, and as requests see them: read seldom, and usable through a
 * fault of the database.
 *
 * An item is `host#<name>` with the row as written, and its source. The row is not interpreted here.
 */
import { partitionKey } from '../../core/tables.ts';
import { createCachedReader } from '../cached-reader.ts';
import { notLater, refuseLater } from '../dynamodb/schema-version.ts';
import { isAbsent, openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { fieldsOf, whereUnchanged } from './row-digest.ts';

/** Where a row came from: the operator's command, or the file that a local gateway reads when it starts. */
type HostSource = 'command' | 'file';

export interface StoredHost {
  readonly name: string;
  readonly source: HostSource;
  /** Of the row; absent if an earlier version wrote the item. */
  readonly digest?: string;
  /** Not yet read: it may be malformed. */
  readonly row: unknown;
}

export interface HostStore {
  get(name: string): Promise<StoredHost | undefined>;
  /** Every row, in the order of names. Reads the whole table. */
  list(): Promise<readonly StoredHost[]>;
  /** Writes a row in place of an earlier one of that name. */
  put(host: StoredHost): Promise<void>;
  /** Writes a row in place of `known`; undefined: there is none yet. Returns false and writes nothing if it has changed since it was read. */
  replace(known: StoredHost | undefined, host: StoredHost): Promise<boolean>;
  /** False where there is no such row, or it is not `known` any more. */
  remove(name: string, known?: StoredHost): Promise<boolean>;
}

const keyPrefix = 'host#';

export function createHostStore(options: TableOptions): HostStore {
  const items = openTable(options);
  return {
    async get(name) {
      const item = await items.get(keyPrefix + name);
      return item && readStored(item);
    },
    async list() {
      const found = await items.scan(keyPrefix);
      return found
        .map(refuseLater)
        .map(readStored)
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },
    async put({ name, source, row }) {
      // Refuses to overwrite a row of a later schema version.
      if (!(await items.put(keyPrefix + name, fieldsOf(row, source), notLater)))
        await items.get(keyPrefix + name);
    },
    replace: (known, { name, source, row }) =>
      items.put(keyPrefix + name, fieldsOf(row, source), known ? whereUnchanged(known) : isAbsent),
    remove: async (name, known) =>
      known
        ? await items.removeIf(keyPrefix + name, whereUnchanged(known))
        : (await items.remove(keyPrefix + name)) !== undefined,
  };
}

const readStored = (item: StoredItem): StoredHost => ({
  name: String(item[partitionKey]).slice(keyPrefix.length),
  source: item.source === 'file' ? 'file' : 'command',
  ...(typeof item.digest === 'string' && { digest: item.digest }),
  row: item.row,
});

const freshMs = 60_000;
const graceMs = 3_600_000;

/** Rows that a process remembers. */
const maxCachedHosts = 500;

/** Finds the row of a host; the same object as long as it was not read again. */
export function createFindHost({
  store,
  now,
}: {
  readonly store: Pick<HostStore, 'get'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}): (name: string) => Promise<unknown> {
  const find = createCachedReader({
    now,
    freshMs,
    graceMs,
    size: maxCachedHosts,
    load: async (name) => await store.get(name),
  });
  return async (name) => (await find(name))?.row;
}
