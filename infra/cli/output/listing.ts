/** What the operator's tool lists: rows of named cells, and the forms in which it writes them. */
import { type CommandOption, type Terminal, UsageError } from '../command.ts';
import { toCsv } from './to-csv.ts';
import { toTable } from './to-table.ts';

/** A cell that is absent or null is empty. */
export type Cell = string | number | boolean | null | undefined;

export type Row = Readonly<Record<string, unknown>>;

export interface Column {
  /** The name of the field, also in CSV and JSON. */
  readonly name: string;
  /** How a person reads it; absent: as it is. */
  readonly show?: (value: unknown) => string;
}

export interface Listing {
  readonly columns: readonly Column[];
  /** May hold more than the columns show: JSON has all of it. */
  readonly rows: readonly Row[];
}

export const formats = ['table', 'json', 'csv'] as const;
export type Format = (typeof formats)[number];

export const jsonOption: Readonly<Record<'json', CommandOption>> = {
  json: { description: 'Write JSON' },
};

export const formatOptions: Readonly<Record<'format' | 'json', CommandOption>> = {
  format: { value: formats.join('|'), description: 'The form of the output; table where it is not given' },
  json: { description: 'Short for --format json' },
};

/** The form that was asked for. Throws UsageError where there is no such one. */
export function readFormat(context: {
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<string>;
}): Format {
  const { format = 'table' } = context.options;
  if (context.flags.has('json')) return 'json';
  const found = formats.find((known) => known === format);
  if (!found) throw new UsageError(`--format is one of ${formats.join(', ')}, not ${format}`);
  return found;
}

const writers: Readonly<Record<Format, (listing: Listing) => readonly string[]>> = {
  table: toTable,
  csv: toCsv,
  json: ({ rows }) => [JSON.stringify(rows, null, 2)],
};

export function writeListing(terminal: Terminal, listing: Listing, format: Format): void {
  for (const line of writers[format](listing)) terminal.write(line);
}
