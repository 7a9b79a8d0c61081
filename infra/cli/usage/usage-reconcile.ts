/** `usage reconcile`: makes the daily sums say what the ledger says. */

import { formatDollars } from '../../../lib/core/accounting/money.ts';
import { type Difference, reconcile } from '../../../lib/metering/reconcile.ts';
import { type Command, type Terminal, UsageError, withInstallation } from '../command.ts';
import { type Format, jsonOption, readFormat, writeListing } from '../output/listing.ts';
import { lastDays, tenantOption, tenantsOf } from './usage-options.ts';

export const usageReconcile: Command = {
  name: 'usage reconcile',
  summary: 'Mend the daily sums from the ledger, and tell which were wrong. May be repeated at any time.',
  arguments: [],
  options: {
    ...tenantOption,
    days: { value: '<number>', description: 'So many days until today; otherwise 2' },
    ...jsonOption,
  },
  async run({ options, flags, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const days = lastDays(readCount(options.days ?? '2'), Date.now());
    const differences: Difference[] = [];
    await withInstallation(context, async (installation) => {
      const { usage } = installation;
      for (const tenant of await tenantsOf(installation, options)) {
        differences.push(...(await reconcile({ usage, now: Date.now }, tenant, days)));
      }
    });
    writeDifferences(terminal, differences, format);
  },
};

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d{1,3}$/.test(text) && count >= 1 && count <= 366) return count;
  throw new UsageError(`--days is a number from 1 to 366, not ${text}`);
}

/** Also what `usage replay` and `usage recompute` found and mended. */
export function writeDifferences(
  terminal: Terminal,
  differences: readonly Difference[],
  format: Format,
): void {
  const rows = differences.map(({ tenant, day, key, model, counted, actual, state }) => ({
    tenant,
    day,
    key,
    model,
    requests_counted: counted.requests,
    requests: actual.requests,
    cost_counted_usd: formatDollars(counted.cost),
    cost_usd: formatDollars(actual.cost),
    state,
  }));
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({ name }));
  writeListing(terminal, { columns, rows }, format);
  terminal.tell(summaryOf(differences));
}

export function summaryOf(differences: readonly Difference[]): string {
  const busy = differences.filter(({ state }) => state === 'busy').length;
  const mended = differences.length - busy;
  return [
    mended === 0 ? 'No daily sum was mended.' : `Daily sums mended: ${mended}.`,
    ...(busy > 0
      ? [
          `Daily sums with requests that are only just over: ${busy}. In a minute, usage reconcile mends them.`,
        ]
      : []),
  ].join(' ');
}
