/** `usage export`: every request of a span, line by line. */
import type { Span } from '../../../lib/core/ports/usage-store.ts';
import { exportLines } from '../../../lib/metering/export/export-lines.ts';
import {
  type ExportFormat,
  type ExportWriter,
  exportFormats,
  exportWriter,
} from '../../../lib/metering/export/formats.ts';
import { type Command, type Installation, type Terminal, UsageError, withInstallation } from '../command.ts';
import { monthOf } from './month-option.ts';
import { readSpan, spanOptions, tenantOption, tenantsOf } from './usage-options.ts';

const defaultIssuer = 'Model gateway';

export const usageExport: Command = {
  name: 'usage export',
  summary: 'Write every request of a span, line by line',
  description:
    'csv and jsonl have cost and charge of each request. focus has the columns of FOCUS 1.2 with what the tenant is charged, and the adjustments of the months; requests without a known charge are left out and counted. Any number of requests takes the same memory.',
  arguments: [],
  options: {
    ...tenantOption,
    ...spanOptions,
    format: { value: exportFormats.join('|'), description: 'The format of the lines (default: jsonl)' },
    issuer: { value: '<name>', description: `Who sends the invoice, for focus (default: ${defaultIssuer})` },
  },
  examples: [
    'usage export --format csv --from 2026-10-01 --to 2026-10-31',
    'usage export --format focus --tenant acme',
  ],
  async run({ options, terminal, ...context }) {
    const format = readExportFormat(options.format ?? 'jsonl');
    const span = readSpan(options, Date.now());
    const issuer = options.issuer ?? defaultIssuer;
    let skipped = 0;
    await withInstallation(context, async (installation) => {
      let isFirst = true;
      for (const tenant of await tenantsOf(installation, options)) {
        const writer = await writerFor(installation, { tenant, span, format, issuer });
        if (isFirst && writer.head !== undefined) terminal.write(writer.head);
        isFirst = false;
        const lines = exportLines(installation.usage, { tenant, span }, writer, () => {
          skipped += 1;
        });
        for await (const line of lines) terminal.write(line);
        await writeAdjustments(installation, { tenant, span }, writer, terminal);
      }
    });
    if (skipped > 0) {
      terminal.writeError(`${skipped} requests have no known charge and are left out.`);
    }
  },
};

function readExportFormat(text: string): ExportFormat {
  const format = exportFormats.find((known) => known === text);
  if (format) return format;
  throw new UsageError(`--format must be one of ${exportFormats.join(', ')}, not ${text}.`);
}

interface Asked {
  readonly tenant: string;
  readonly span: Span;
}

async function writerFor(
  { journal }: Installation,
  { tenant, span, format, issuer }: Asked & { readonly format: ExportFormat; readonly issuer: string },
): Promise<ExportWriter> {
  const closed = new Set<string>();
  for (const month of monthsOf(span)) if (await journal.closed(tenant, month)) closed.add(month);
  return exportWriter(format, { issuer, isClosed: (month) => closed.has(month) });
}

/** Those on the invoices of the months of the span. */
async function writeAdjustments(
  { journal }: Installation,
  { tenant, span }: Asked,
  { adjustment }: ExportWriter,
  terminal: Terminal,
): Promise<void> {
  if (!adjustment) return;
  for (const month of monthsOf(span)) {
    for (const one of await journal.adjustments(tenant, month)) terminal.write(adjustment(one));
  }
}

function monthsOf({ from, to }: Span): readonly string[] {
  const months = new Set<string>();
  for (let day = from; day < to; day += 86_400_000) months.add(monthOf(day));
  return [...months];
}
