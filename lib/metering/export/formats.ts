/** The formats of exports: one line for each request, and for each adjustment where the format has a deployment for it. */
import type { Adjustment } from '../../core/accounting/journal.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { toCsvLine } from '../../core/formats/csv.ts';
import { adjustmentRow, type FocusContext, focusColumns, focusRow } from './focus.ts';
import { recordColumns, recordRow } from './record-row.ts';

export const exportFormats = ['csv', 'jsonl', 'focus'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportWriter {
  /** The first line; absent: none. */
  readonly head?: string;
  /** Undefined for a record that the format cannot express. */
  record(record: LedgerRecord): string | undefined;
  /** Absent where the format has requests only. */
  readonly adjustment?: (adjustment: Adjustment) => string;
  /** The ending of a file's name. */
  readonly extension: string;
}

const csvEnd = '\r';

/** Lines without `\n` at their end. */
export function exportWriter(format: ExportFormat, context: FocusContext): ExportWriter {
  const csvOf = (columns: readonly string[], row: Readonly<Record<string, unknown>>) =>
    `${toCsvLine(columns.map((column) => row[column]))}${csvEnd}`;
  switch (format) {
    case 'jsonl':
      return { record: (record) => JSON.stringify(recordRow(record)), extension: 'jsonl' };
    case 'csv':
      return {
        head: `${toCsvLine(recordColumns)}${csvEnd}`,
        record: (record) => csvOf(recordColumns, recordRow(record)),
        extension: 'csv',
      };
    case 'focus':
      return {
        head: `${toCsvLine(focusColumns)}${csvEnd}`,
        record(record) {
          const row = focusRow(record, context);
          return row && csvOf(focusColumns, row);
        },
        adjustment: (adjustment) => csvOf(focusColumns, adjustmentRow(adjustment, context)),
        extension: 'focus.csv',
      };
  }
}
