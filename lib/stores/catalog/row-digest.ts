/** A row in an item of the catalog's table, with its source and its digest, by which a change sees whether it is still the same. */
import { createHash } from 'node:crypto';

export const fieldsOf = (row: unknown, source: string) => ({
  row,
  source,
  digest: digestOf(row),
});

/** Identifies the content of a row in a condition of a write. */
export const digestOf = (row: unknown): string =>
  createHash('sha256').update(JSON.stringify(row)).digest('hex');

interface Known {
  readonly source: string;
  /** Absent if another program wrote the item. */
  readonly digest?: string;
}

export const whereUnchanged = ({ source, digest }: Known) => ({
  expression: `#source = :source AND ${digest === undefined ? 'attribute_not_exists(#digest)' : '#digest = :digest'}`,
  names: { '#source': 'source', '#digest': 'digest' },
  values: { ':source': source, ...(digest !== undefined && { ':digest': digest }) },
});
