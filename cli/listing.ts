/** How a command writes a listing, as a table, JSON or CSV, or one item. */

import { toCsvLine } from '../lib/core/formats/csv.ts';
import { type CommandContext, type CommandOption, type Format, formats } from './command.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The name of a field, also in CSV and JSON; in a table, its value as `show` formats it, or unchanged. */
type Column = string | readonly [name: string, show: (value: unknown) => string];

const nameOf = (column: Column): string => (typeof column === 'string' ? column : column[0]);

export const jsonOption: Readonly<Record<'json', CommandOption>> = {
  json: { description: 'Write JSON' },
};

export const formatOptions: Readonly<Record<'format' | 'json', CommandOption>> = {
  format: { value: formats.join('|'), description: 'Output format (default: table)' },
  json: { description: 'Short for --format json' },
};

const writers: Readonly<
  Record<Format, (rows: readonly Row[], columns: readonly Column[]) => readonly string[]>
> = {
  table: toTable,
  csv: toCsv,
  json: (rows) => [JSON.stringify(rows, null, 2)],
};

function toCsv(rows: readonly Row[], columns: readonly Column[]): readonly string[] {
  const names = columns.map(nameOf);
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map(
    // The format wants \r\n; the terminal writes the \n.
    (line) => `${toCsvLine(line)}\r`,
  );
}

/** For people: aligned columns under their names, numbers aligned right. */
export function toTable(
  rows: readonly Row[],
  columns: readonly Column[] = fieldsOf(rows),
): readonly string[] {
  if (rows.length === 0) return [];
  const names = columns.map(nameOf);
  const head = names.map((name) => name.replaceAll('_', ' ').toUpperCase());
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)));
  const isRight = names.map((name) => rows.every((row) => isNumeric(row[name])));
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

const fieldsOf = ([first = {}]: readonly Row[]): readonly string[] => Object.keys(first);

/** Control characters could move the cursor or break a line. */
function cellOf(column: Column, row: Row): string {
  const show = typeof column === 'string' ? toText : column[1];
  return show(row[nameOf(column)]).replaceAll(/\p{Cc}/gu, '�');
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

type Target = Pick<CommandContext, 'terminal' | 'format'>;

/** Rows may have more fields than the columns show: JSON contains all of them. Default: each field is a column. */
export function writeListing(
  { terminal, format }: Target,
  rows: readonly Row[],
  columns: readonly Column[] = fieldsOf(rows),
): void {
  for (const line of writers[format](rows, columns)) terminal.write(line);
}

/** Shows one item: a line for each field, or JSON. */
export function writeOne({ terminal, format }: Target, row: Row) {
  if (format === 'json') return terminal.write(JSON.stringify(row, null, 2));
  const rows = Object.entries(row).map(([field, value]) => ({
    field: field.replaceAll('_', ' '),
    value: Array.isArray(value) ? value.join(', ') : value,
  }));
  for (const line of toTable(rows)) terminal.write(line);
}

/** Unix seconds as an ISO time; null for none. */
export const timeOf = (seconds: number | null | undefined): string | null =>
  seconds === undefined || seconds === null
    ? null
    : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** For tables: the day of an ISO time. */
export const showDay = (time: unknown): string => (typeof time === 'string' ? time.slice(0, 10) : '');

/** For tables: an ISO time to the minute. */
export const showMinute = (time: unknown): string =>
  typeof time === 'string' ? time.slice(0, 16).replace('T', ' ') : '';
