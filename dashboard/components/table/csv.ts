/** A table as comma-separated values. */
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
