/** A listing as comma-separated values (RFC 4180). No value can be read as a formula by a spreadsheet. */
import type { Listing } from './rows.ts';

export function toCsv({ columns, rows }: Listing): readonly string[] {
  const names = columns.map(({ name }) => name);
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map(
    // The format wants \r\n; the terminal writes the \n.
    (line) => `${line.map(toCell).join(',')}\r`,
  );
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Whether a spreadsheet would compute it. A number, even a negative one, is not a formula. */
const isFormula = (text: string) => /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
