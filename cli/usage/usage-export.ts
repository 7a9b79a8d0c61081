/** `usage export`: every request of a span, line by line. */
import { type ExportFormat, exportFormats } from '../../lib/metering/export/formats.ts';
import { defaultIssuer, openExport } from '../../lib/metering/export/tenant-export.ts';
import { type Command, UsageError, withInstallation } from '../command.ts';
import { readSpan, spanOptions, tenantOption, tenantsOf } from './usage-options.ts';

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
    let skipped = 0;
    const onSkipped = () => {
      skipped += 1;
    };
    await withInstallation(context, async (installation) => {
      let isFirst = true;
      for (const tenant of await tenantsOf(installation, options)) {
        const asked = { tenant, span, format, issuer: options.issuer, adjustments: 'invoiced' } as const;
        const { head, lines } = await openExport(installation, asked);
        if (isFirst && head !== undefined) terminal.write(head);
        isFirst = false;
        for await (const line of lines(onSkipped)) terminal.write(line);
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
