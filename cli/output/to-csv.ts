/** A listing as comma-separated values. */
import { toCsvLine } from '../../lib/core/formats/csv.ts';
import type { Listing } from './rows.ts';

export function toCsv({ columns, rows }: Listing): readonly string[] {
  const names = columns.map(({ name }) => name);
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map(
    // The format wants \r\n; the terminal writes the \n.
    (line) => `${toCsvLine(line)}\r`,
  );
}
