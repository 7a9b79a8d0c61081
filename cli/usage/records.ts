/** `usage export` and `usage replay`: every request of a span, line by line, and records that only a log has. */

import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { exportFormats } from '../../lib/metering/export/formats.ts';
import { defaultIssuer, openExport } from '../../lib/metering/export/tenant-export.ts';
import { replay } from '../../lib/metering/records/replay.ts';
import { type Command, oneOf, withInstallation } from '../command.ts';
import { jsonOption, writeOne } from '../listing.ts';
import { unreadable } from '../read-file.ts';
import { readSpan, spanOptions, tenantOption, tenantsOf } from './usage-options.ts';

const usageExport: Command = {
  name: 'usage export',
  summary: 'Write every request of a span, line by line',
  description:
    'csv and jsonl have cost and charge of each request. focus has the columns of FOCUS 1.2 with what the tenant is charged, and the adjustments of the months; requests without a known charge are left out and counted. Any number of requests takes the same memory.',
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
    const format = oneOf('--format', exportFormats, options.format ?? 'jsonl');
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

const usageReplay: Command = {
  name: 'usage replay',
  summary: 'Write lost records from a log into the ledger',
  description:
    'Restores records that could not be written, and requests whose process ended before they were recorded. The daily totals and limits follow within seconds. The log is a file, or - for standard input. Safe to repeat.',
  arguments: ['log'],
  options: jsonOption,
  examples: ['usage replay gateway.log', 'usage replay - < gateway.log'],
  async run({ arguments: [path = ''], terminal, format, ...context }) {
    const lines = path === '-' ? (await terminal.readValue()).split('\n') : linesOf(path);
    const newId = (prefix: string) => prefix + randomBytes(16).toString('hex');
    const { restored, known, tooOld } = await withInstallation(context, ({ usage }) =>
      replay(lines, { usage, newId, now: Date.now }),
    );
    writeOne({ terminal, format }, { restored, known, too_old: tooOld });
  },
};

/** A log may be larger than the memory. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path).catch(unreadable(path));
  yield* file.readLines();
}

export const recordCommands: readonly Command[] = [usageReplay, usageExport];
