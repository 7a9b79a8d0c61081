/** A row as the catalog's table has it. */

export const keyPrefix = 'model#';

/** Who wrote a row: the seed that ships with the gateway, or its operator. */
export type RowSource = 'seed' | 'operator';

export interface StoredRow {
  readonly id: string;
  readonly source: RowSource;
  /** SHA-256 of the row; absent if another program wrote the item. */
  readonly digest?: string;
  /** Not validated yet. */
  readonly row: unknown;
}
