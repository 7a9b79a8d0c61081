/**
 * The catalog in its table, and the catalog as requests see it: read seldom, kept through a fault of the database.
 *
 * An item is `model#<id>` with the row as it is written (`model-row.ts`), its source and its digest. The seed that ships with the
 * gateway never writes over a row that an operator wrote.
 */
import { createHash } from 'node:crypto';
import type { Model } from '../../core/model.ts';
import type { Catalog } from '../../core/ports.ts';
import { partitionKey } from '../../core/tables.ts';
import { createCachedReader } from '../cached-reader.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { isModelId, prepareForRows, readModelRow } from './model-row.ts';

/** Who wrote a row: the seed that ships with the gateway, or its operator. */
export type RowSource = 'seed' | 'operator';

export interface StoredRow {
  readonly id: string;
  readonly source: RowSource;
  /** Of the row as it was written; absent where it was written by other means. */
  readonly digest?: string;
  /** Not yet read: it may be malformed. */
  readonly row: unknown;
}

export interface CatalogStore {
  get(id: string): Promise<StoredRow | undefined>;
  /** Every row, in the order of ids. Reads the whole table. */
  list(): Promise<readonly StoredRow[]>;
  /**
   * Writes a row; `kept` when it is the seed's and an operator's own stands there. Throws Error for a malformed row.
   */
  put(row: unknown, options: { readonly source: RowSource }): Promise<'written' | 'kept'>;
  /** Writes an operator's row in the place of what was read; false, and nothing is written, where it is not that any more. */
  replace(known: StoredRow, row: unknown): Promise<boolean>;
}

const keyPrefix = 'model#';

export function createCatalogStore({ call, table }: TableOptions): CatalogStore {
  const items = openTable({ call, table });
  const seedOnly = {
    expression: 'attribute_not_exists(#key) OR #source = :seed',
    names: { '#key': partitionKey, '#source': 'source' },
    values: { ':seed': 'seed' },
  };
  return {
    async get(id) {
      const item = await items.get(keyPrefix + id);
      return item && readStored(item);
    },
    async list() {
      const found = await items.scan(keyPrefix);
      return found.map(readStored).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
    async put(row, { source }) {
      const { id } = readModelRow(row);
      const condition = source === 'seed' ? seedOnly : undefined;
      return (await items.put(keyPrefix + id, fieldsOf(row, source), condition)) ? 'written' : 'kept';
    },
    async replace(known, row) {
      const { id } = readModelRow(row);
      return await items.put(keyPrefix + id, fieldsOf(row, 'operator'), whereStill(known));
    },
  };
}

const fieldsOf = (row: unknown, source: RowSource) => ({
  row,
  source,
  digest: createHash('sha256').update(JSON.stringify(row)).digest('hex'),
});

const whereStill = ({ source, digest }: StoredRow) => ({
  expression: `#source = :source AND ${digest === undefined ? 'attribute_not_exists(#digest)' : '#digest = :digest'}`,
  names: { '#source': 'source', '#digest': 'digest' },
  values: { ':source': source, ...(digest !== undefined && { ':digest': digest }) },
});

const readStored = (item: StoredItem): StoredRow => ({
  id: String(item[partitionKey]).slice(keyPrefix.length),
  source: item.source === 'seed' ? 'seed' : 'operator',
  ...(typeof item.digest === 'string' && { digest: item.digest }),
  row: item.row,
});

export interface CatalogOptions {
  readonly store: Pick<CatalogStore, 'get' | 'list'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** How long a row, or the list, is given again without a read. */
  readonly freshMs?: number;
  /** How long it still serves while the database cannot be read. */
  readonly graceMs?: number;
  /** Told of each malformed row: its id, and what is wrong with it. */
  readonly warn: (id: string, reason: string) => void;
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { store, now, freshMs = 60_000, graceMs = 3_600_000, warn } = options;
  const clock = { now, freshMs, graceMs };

  function read({ id, row }: StoredRow): Model | undefined {
    try {
      const model = readModelRow(row, 'ignore');
      if (model.id === id) return model;
      warn(id, `The row names another model: ${model.id}`);
    } catch (error) {
      warn(id, error instanceof Error ? error.message : 'Malformed catalog row');
    }
    return undefined;
  }

  const find = createCachedReader({
    ...clock,
    size: 2_000,
    load: async (id) => {
      // While the row is on its way there is time to make what reads it.
      setImmediate(prepareForRows);
      const stored = await store.get(id);
      return stored && read(stored);
    },
  });
  const list = createCachedReader<readonly Model[]>({
    ...clock,
    size: 1,
    load: async () => (await store.list()).flatMap((stored) => read(stored) ?? []),
  });
  return {
    // What cannot be an id is no key worth a read, nor a place in the memory.
    find: async (id) => (isModelId(id) ? await find(id) : undefined),
    list: async () => (await list('all')) ?? [],
  };
}
