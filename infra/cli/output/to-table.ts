/** A listing for people: aligned columns under their names, numbers to the right. */
import type { Column, Listing } from './listing.ts';

export function toTable({ columns, rows }: Listing): readonly string[] {
  if (rows.length === 0) return [];
  const head = columns.map(({ name }) => name.replaceAll('_', ' ').toUpperCase());
  const cells = rows.map((row) => columns.map((column) => show(column, row[column.name])));
  const isRight = columns.map(({ name }) => rows.every((row) => isNumeric(row[name])));
  const widths = head.map((title, place) =>
    Math.max(title.length, ...cells.map((line) => line[place]?.length ?? 0)),
  );
  return [head, ...cells].map((line) =>
    line
      .map((cell, place) =>
        isRight[place] ? cell.padStart(widths[place] ?? 0) : cell.padEnd(widths[place] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** A control character could move the cursor of a terminal, or break a line. */
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
