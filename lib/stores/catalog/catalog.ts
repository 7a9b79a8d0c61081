/**
 * The catalog table, and the cached catalog that requests use, which outlives an outage of the database.
 *
 * The key of a model's item is `model#<id>`. It holds the unparsed row (`model-row.ts`), its source and its digest. The seed that
 * ships with the gateway never overwrites an operator's row. Names without an owner are in items of their own (`names.ts`).
 */
import { inTurns } from '../../async/in-turns.ts';
import { lazy } from '../../async/lazy.ts';
import type { Model } from '../../core/catalog/model.ts';
import { isName } from '../../core/names/names.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { partitionKey } from '../../core/tables.ts';
import { createCachedReader } from '../cached-reader.ts';
import { isLater } from '../dynamodb/schema-version.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { isModelId, prepareForRows, readModelRow } from './model-row.ts';
import { createNameStore, type NameStore } from './names.ts';
import type { RowChanges } from './row-changes.ts';
import type { StoredNames } from './stored-names.ts';
import { keyPrefix, type StoredRow } from './stored-row.ts';

export type { RowSource, StoredRow } from './stored-row.ts';

export interface CatalogStore extends RowChanges {
  readonly names: NameStore;
  get(id: string): Promise<StoredRow | undefined>;
  /** Every row, sorted by id. Reads the whole table. */
  list(): Promise<readonly StoredRow[]>;
}

export function createCatalogStore({ call, table }: TableOptions): CatalogStore {
  const items = openTable({ call, table });
  const names = createNameStore({ call, table });
  const loadChanges = lazy(async () => {
    const { createRowChanges } = await import('./row-changes.ts');
    return createRowChanges(items, names);
  });
  return {
    names,
    async get(id) {
      const item = await items.get(keyPrefix + id);
      return item && readStored(item);
    },
    async list() {
      const found = await items.scan(keyPrefix);
      return found.map(readStored).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
    put: async (row, options) => await (await loadChanges()).put(row, options),
    replace: async (known, row) => await (await loadChanges()).replace(known, row),
    remove: async (known) => await (await loadChanges()).remove(known),
  };
}

const readStored = (item: StoredItem): StoredRow => ({
  id: String(item[partitionKey]).slice(keyPrefix.length),
  source: item.source === 'seed' ? 'seed' : 'operator',
  ...(typeof item.digest === 'string' && { digest: item.digest }),
  // One row of a later schema version does not keep the others from being listed.
  row: isLater(item) ? undefined : item.row,
});

interface CatalogOptions {
  readonly store: Pick<CatalogStore, 'get' | 'list' | 'names'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** How long a row, or the list, is served without a read. */
  readonly freshMs?: number;
  /** How long it is still served while the database cannot be read. */
  readonly graceMs?: number;
  /** Made of each row that is read: its deployments as they are called from here. */
  readonly resolve?: (model: Model) => Model;
  /** As `Catalog` has it. */
  readonly dataFacts?: Catalog['dataFacts'];
  /** Called for each malformed row with its id and the reason. */
  readonly warn: (id: string, reason: string) => void;
}

/** Rows that a process remembers. */
const maxCachedModels = 2_000;

export function createCatalog(options: CatalogOptions): Catalog {
  const { store, now, freshMs = 60_000, graceMs = 3_600_000, resolve = (model) => model, warn } = options;
  const cacheOptions = { now, freshMs, graceMs };

  function read({ id, row }: StoredRow): Model | undefined {
    try {
      const model = readModelRow(row, 'ignore');
      if (model.id === id) return resolve(model);
      warn(id, `The row is for another model: ${model.id}`);
    } catch (error) {
      warn(id, error instanceof Error ? error.message : 'Malformed catalog row');
    }
    return undefined;
  }

  /** Ten thousand rows take a second: other requests go on meanwhile. */
  function* readAll(rows: readonly StoredRow[]): Generator<void, readonly Model[]> {
    const models: Model[] = [];
    for (const stored of rows) {
      const model = read(stored);
      if (model) models.push(model);
      yield;
    }
    return models;
  }

  const find = createCachedReader({
    ...cacheOptions,
    size: maxCachedModels,
    load: async (id) => {
      // Builds the schema while waiting for the row.
      setImmediate(prepareForRows);
      const stored = await store.get(id);
      return stored && read(stored);
    },
  });
  const list = createCachedReader<readonly Model[]>({
    ...cacheOptions,
    size: 1,
    load: async () => {
      setImmediate(prepareForRows);
      return await inTurns(readAll(await store.list()), new AbortController().signal);
    },
  });
  const names = createCachedReader<readonly StoredNames[]>({
    ...cacheOptions,
    size: 1,
    load: () => Promise.all([store.names.get('operator'), store.names.get('seed')]),
  });
  const { dataFacts } = options;
  return {
    ...(dataFacts && { dataFacts }),
    // A malformed id causes no read and takes no space in the cache.
    find: (id) => (isModelId(id) ? find(id) : Promise.resolve(undefined)),
    list: async () => (await list('all')) ?? [],
    async named(name) {
      const known = isName(name) ? ((await names('all')) ?? []) : [];
      const models = new Set(known.flatMap(({ models }) => models.get(name) ?? []));
      const alias = known.flatMap(({ aliases }) => aliases.get(name) ?? []);
      return { models: [...models], ...(alias.length > 0 && { alias }) };
    },
    aliases: async () => (await names('all'))?.[0]?.aliases ?? new Map(),
  };
}
