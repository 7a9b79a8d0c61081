/** Changes of the catalog's rows. The names of models that an operator's rows bring are added. */
import { partitionKey } from '../../core/tables.ts';
import { notLater } from '../dynamodb/schema-version.ts';
import { isAbsent, type Table } from '../dynamodb/table.ts';
import { readModelRow } from './model-row.ts';
import type { NameChanges } from './name-changes.ts';
import { fieldsOf, whereUnchanged } from './row-digest.ts';
import { keyPrefix, type RowSource, type StoredRow } from './stored-row.ts';

export interface RowChanges {
  /** Returns `kept` if the seed would overwrite an operator's row. Throws Error for a malformed row. */
  put(row: unknown, options: { readonly source: RowSource }): Promise<'written' | 'kept'>;
  /**
   * Replaces `known` by an operator's row; undefined: there is none yet. Returns false and writes nothing if the row has changed since it
   * was read.
   */
  replace(known: StoredRow | undefined, row: unknown): Promise<boolean>;
  /** Returns false and removes nothing if the row has changed since it was read. */
  remove(known: StoredRow): Promise<boolean>;
}

export function createRowChanges(items: Table, names: Pick<NameChanges, 'add'>): RowChanges {
  const seedOnly = {
    expression: 'attribute_not_exists(#key) OR #source = :seed',
    names: { '#key': partitionKey, '#source': 'source' },
    values: { ':seed': 'seed' },
  };
  return {
    async put(row, { source }) {
      const model = readModelRow(row);
      const condition = source === 'seed' ? seedOnly : notLater;
      const isWritten = await items.put(keyPrefix + model.id, fieldsOf(row, source), condition);
      // Refuses to overwrite a row of a later schema version.
      if (!isWritten && source === 'operator') await items.get(keyPrefix + model.id);
      if (source === 'operator') await names.add([model]);
      return isWritten ? 'written' : 'kept';
    },
    async replace(known, row) {
      const model = readModelRow(row);
      const isWritten = await items.put(
        keyPrefix + model.id,
        fieldsOf(row, 'operator'),
        known ? whereUnchanged(known) : isAbsent,
      );
      if (isWritten) await names.add([model]);
      return isWritten;
    },
    remove: (known) => items.removeIf(keyPrefix + known.id, whereUnchanged(known)),
  };
}
