/** The lines of an export, one after the other: no more than a page of records is in memory. */
import type { Span, UsageStore } from '../../core/ports/usage-store.ts';
import { recordsOf } from '../records.ts';
import type { ExportWriter } from './formats.ts';

/** `onSkipped` is called for each record that the format cannot express. */
export async function* exportLines(
  usage: Pick<UsageStore, 'records'>,
  { tenant, span }: { readonly tenant: string; readonly span: Span },
  writer: ExportWriter,
  onSkipped: () => void,
): AsyncGenerator<string> {
  for await (const record of recordsOf(usage, tenant, span)) {
    const line = writer.record(record);
    if (line === undefined) onSkipped();
    else yield line;
  }
}
