/** The export of one tenant: its requests of a span and its adjustments, one line after the other. */
import type { Adjustment, Journal } from '../../core/accounting/journal.ts';
import type { Span, UsageStore } from '../../core/ports/usage-store.ts';
import { recordsOf } from '../records/records.ts';
import { type ExportFormat, type ExportWriter, exportWriter } from './formats.ts';

export interface ExportStores {
  readonly usage: Pick<UsageStore, 'records'>;
  readonly journal: Pick<Journal, 'adjustments' | 'closed'>;
}

interface ExportOptions {
  readonly tenant: string;
  readonly span: Span;
  readonly format: ExportFormat;
  /** Who sends the invoice. */
  readonly issuer?: string | undefined;
  /**
   * `invoiced`: those on the invoices of the span's months. `made`: those made in the span, so that exports of all days together have
   * each once; of the invoices of the last twelve months.
   */
  readonly adjustments: 'invoiced' | 'made';
}

interface TenantExport extends Pick<ExportWriter, 'head' | 'extension'> {
  /** No more than a page of records is in memory. `onSkipped` is called for each record that the format cannot express. */
  lines(onSkipped: () => void): AsyncGenerator<string>;
}

export const defaultIssuer = 'Model gateway';

const monthsBack = 12;

export async function openExport(stores: ExportStores, options: ExportOptions): Promise<TenantExport> {
  const { tenant, span, format, issuer = defaultIssuer } = options;
  const months = monthsFor(options);
  const closed = new Set<string>();
  const writer = exportWriter(format, { issuer, isClosed: (month) => closed.has(month) });
  // The other formats show neither invoices nor adjustments.
  if (writer.adjustment) {
    for (const month of months) if (await stores.journal.closed(tenant, month)) closed.add(month);
  }
  return {
    ...writer,
    async *lines(onSkipped) {
      for await (const record of recordsOf(stores.usage, tenant, span)) {
        const line = writer.record(record);
        if (line === undefined) onSkipped();
        else yield line;
      }
      if (!writer.adjustment) return;
      for (const month of months) {
        const adjustments = await stores.journal.adjustments(tenant, month);
        yield* adjustments.filter(isExported(options)).map(writer.adjustment);
      }
    },
  };
}

const isExported =
  ({ adjustments, span: { from, to } }: ExportOptions) =>
  ({ at }: Adjustment): boolean =>
    adjustments === 'invoiced' || (at >= from && at < to);

/** `YYYY-MM`, oldest first. */
function monthsFor({ span: { from, to }, adjustments }: ExportOptions): readonly string[] {
  const first = new Date(from);
  const months: string[] = [];
  let time = Date.UTC(
    first.getUTCFullYear(),
    first.getUTCMonth() - (adjustments === 'made' ? monthsBack : 0),
  );
  while (time < to) {
    const month = new Date(time);
    months.push(month.toISOString().slice(0, 7));
    time = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
  }
  return months;
}
