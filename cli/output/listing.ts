/** The formats in which a command writes a listing: a table, JSON or CSV. */
import { type CommandOption, type Output, UsageError } from '../command.ts';
import type { Listing } from './rows.ts';
import { toCsv } from './to-csv.ts';
import { toTable } from './to-table.ts';

export const formats = ['table', 'json', 'csv'] as const;
export type Format = (typeof formats)[number];

export const jsonOption: Readonly<Record<'json', CommandOption>> = {
  json: { description: 'Write JSON' },
};

export const formatOptions: Readonly<Record<'format' | 'json', CommandOption>> = {
  format: { value: formats.join('|'), description: 'Output format (default: table)' },
  json: { description: 'Short for --format json' },
};

/** Throws UsageError for an unknown format. */
export function readFormat(context: {
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<string>;
}): Format {
  const { format = 'table' } = context.options;
  if (context.flags.has('json')) return 'json';
  const found = formats.find((known) => known === format);
  if (!found) throw new UsageError(`--format must be one of ${formats.join(', ')}, not ${format}.`);
  return found;
}

const writers: Readonly<Record<Format, (listing: Listing) => readonly string[]>> = {
  table: toTable,
  csv: toCsv,
  json: ({ rows }) => [JSON.stringify(rows, null, 2)],
};

export function writeListing(output: Output, listing: Listing, format: Format): void {
  for (const line of writers[format](listing)) output.write(line);
}
