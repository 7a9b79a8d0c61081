/** A table as comma-separated values, and how the browser saves them. */
import { toCsvLine } from '../../../lib/core/csv.ts';

export interface CsvColumn<Row> {
  readonly title: string;
  readonly value: (row: Row) => unknown;
}

/** The lines end as RFC 4180 has it. The first one has the titles. */
export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const head = toCsvLine(columns.map(({ title }) => title));
  const lines = rows.map((row) => toCsvLine(columns.map(({ value }) => value(row))));
  return [head, ...lines].map((line) => `${line}\r\n`).join('');
}

/** A mark by which spreadsheets know that a file is UTF-8. */
const byteOrderMark = '\ufeff';

/** @param name Without the date and the ending. */
export function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([byteOrderMark, text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
