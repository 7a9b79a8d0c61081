/** A listing for people: aligned columns under their names, numbers aligned right. */
import type { Column, Listing } from './rows.ts';

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
