/** A listing as comma-separated values (RFC 4180), which spreadsheets read without taking any of it for a formula. */
import type { Listing } from './listing.ts';

export function toCsv({ columns, rows }: Listing): readonly string[] {
  const names = columns.map(({ name }) => name);
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map(
    // The line break that is written after each completes the one that the format wants.
    (line) => `${line.map(toCell).join(',')}\r`,
  );
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What a spreadsheet would compute. A number, also a negative one, is no formula. */
const isFormula = (text: string) => /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
