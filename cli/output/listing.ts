/** The formats in which a command writes a listing: a table, JSON or CSV. */

import { toCsvLine } from '../../lib/core/formats/csv.ts';
import { type CommandOption, type Format, formats, type Output } from '../command.ts';

export type Row = Readonly<Record<string, unknown>>;

interface Column {
  /** The name of the field, also in CSV and JSON. */
  readonly name: string;
  /** Formats a value for a table. Without it, the value is printed unchanged. */
  readonly show?: (value: unknown) => string;
}

interface Listing {
  readonly columns: readonly Column[];
  /** May have more fields than the columns show: JSON contains all of them. */
  readonly rows: readonly Row[];
}

export const jsonOption: Readonly<Record<'json', CommandOption>> = {
  json: { description: 'Write JSON' },
};

export const formatOptions: Readonly<Record<'format' | 'json', CommandOption>> = {
  format: { value: formats.join('|'), description: 'Output format (default: table)' },
  json: { description: 'Short for --format json' },
};

const writers: Readonly<Record<Format, (listing: Listing) => readonly string[]>> = {
  table: toTable,
  csv: toCsv,
  json: ({ rows }) => [JSON.stringify(rows, null, 2)],
};

function toCsv({ columns, rows }: Listing): readonly string[] {
  const names = columns.map(({ name }) => name);
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map(
    // The format wants \r\n; the terminal writes the \n.
    (line) => `${toCsvLine(line)}\r`,
  );
}

/** For people: aligned columns under their names, numbers aligned right. */
export function toTable({ columns, rows }: Listing): readonly string[] {
  if (rows.length === 0) return [];
  const head = columns.map(({ name }) => name.replaceAll('_', ' ').toUpperCase());
  const cells = rows.map((row) => columns.map((column) => show(column, row[column.name])));
  const isRight = columns.map(({ name }) => rows.every((row) => isNumeric(row[name])));
  const widths = head.map((title, index) =>
    Math.max(title.length, ...cells.map((line) => line[index]?.length ?? 0)),
  );
  return [head, ...cells].map((line) =>
    line
      .map((cell, index) =>
        isRight[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Control characters could move the cursor or break a line. */
function show({ show: read = toText }: Column, value: unknown): string {
  return read(value).replaceAll(/\p{Cc}/gu, '�');
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const isNumeric = (value: unknown) =>
  value === undefined ||
  value === null ||
  typeof value === 'number' ||
  (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));

export function writeListing(output: Output, listing: Listing, format: Format): void {
  for (const line of writers[format](listing)) output.write(line);
}
