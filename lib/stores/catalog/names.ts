/**
 * The names of models in the catalog's table: two items, so that a name is found by its key and never by reading the table.
 *
 * `names#seed` has the names of the models that ship with the gateway, and is replaced as a whole. `names#operator` has those
 * of the operator's models, and aliases. Names are only added there: whether a model still has a name is said by its row.
 */

import { lazy } from '../../async/lazy.ts';
import { openTable, type TableOptions } from '../dynamodb/table.ts';
import type { NameChanges } from './name-changes.ts';
import { keys, readNames, type StoredNames } from './stored-names.ts';

export interface NameStore extends NameChanges {
  get(source: 'seed' | 'operator'): Promise<StoredNames>;
}

export function createNameStore(options: TableOptions): NameStore {
  const items = openTable(options);
  const loadChanges = lazy(async () => {
    const { createNameChanges } = await import('./name-changes.ts');
    return createNameChanges(items);
  });

  return {
    get: async (source) => readNames((await items.get(keys[source])) ?? {}),
    putSeed: async (models) => await (await loadChanges()).putSeed(models),
    add: async (models) => await (await loadChanges()).add(models),
    setAlias: async (...change) => await (await loadChanges()).setAlias(...change),
  };
}
