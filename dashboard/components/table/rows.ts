/** The rows of a table: as comma-separated values, in order, and which of them are in the document. */
import { toCsvLine } from '../../../lib/core/formats/csv.ts';

interface CsvColumn<Row> {
  readonly title: string;
  readonly value: (row: Row) => unknown;
}

/** The lines end as RFC 4180 has it. The first one has the titles. */
export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const head = toCsvLine(columns.map(({ title }) => title));
  const lines = rows.map((row) => toCsvLine(columns.map(({ value }) => value(row))));
  return [head, ...lines].map((line) => `${line}\r\n`).join('');
}

/** A copy in order. Values that are absent are last in both directions; equal ones keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  value: (row: Row) => unknown,
  isDown: boolean,
): readonly Row[] {
  return rows.toSorted((one, other) => {
    const [left, right] = [value(one), value(other)];
    if (isAbsent(left) || isAbsent(right)) return Number(isAbsent(left)) - Number(isAbsent(right));
    const order = compare(left, right);
    return isDown ? -order : order;
  });
}

const isAbsent = (value: unknown) => value === null || value === undefined || value === '';

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left).localeCompare(String(right), 'en', { numeric: true });
}

/** Up to this many rows are all there. */
export const mostWhole = 120;

/** Rows above and below those in sight, so that scrolling finds them made. */
const spare = 12;

export interface RowWindow {
  /** The index of the first row in the document. */
  readonly first: number;
  /** The index after the last one. */
  readonly end: number;
}

interface Sight {
  readonly count: number;
  /** In pixels; how far the first row is above the upper edge. */
  readonly scrolled: number;
  /** In pixels. */
  readonly height: number;
  readonly rowHeight: number;
}

export function windowOf({ count, scrolled, height, rowHeight }: Sight): RowWindow {
  if (count <= mostWhole) return { first: 0, end: count };
  const top = Math.floor(Math.max(0, scrolled) / rowHeight);
  const shown = Math.ceil(height / rowHeight);
  const first = Math.max(0, Math.min(top, count - shown) - spare);
  return { first, end: Math.min(count, top + shown + spare) };
}
