/** What a command lists: rows, and the columns in which a table or CSV shows them. */

export type Row = Readonly<Record<string, unknown>>;

export interface Column {
  /** The name of the field, also in CSV and JSON. */
  readonly name: string;
  /** Formats a value for a table. Without it, the value is printed unchanged. */
  readonly show?: (value: unknown) => string;
}

export interface Listing {
  readonly columns: readonly Column[];
  /** May have more fields than the columns show: JSON contains all of them. */
  readonly rows: readonly Row[];
}
