/** `usage reconcile`: compares the daily totals with the ledger. */
import { formatDollars } from '../../lib/core/accounting/money.ts';
import { type Difference, reconcile } from '../../lib/metering/records/reconcile.ts';
import { type Command, type Terminal, UsageError, withInstallation } from '../command.ts';
import { type Format, jsonOption, readFormat, writeListing } from '../output/listing.ts';
import { lastDays, tenantOption, tenantsOf } from './usage-options.ts';

export const usageReconcile: Command = {
  name: 'usage reconcile',
  summary: 'Compare the daily totals with the ledger',
  description:
    'Lists every difference. Totals follow the ledger within seconds; they stay wrong only if that failed for a day. Exit code 1 if one is wrong, unless --write corrects it. Safe to repeat.',
  arguments: [],
  options: {
    ...tenantOption,
    days: { value: '<number>', description: 'Number of days up to today (default: 2)' },
    ...jsonOption,
    write: { description: 'Correct the daily totals' },
  },
  examples: ['usage reconcile --days 7', 'usage reconcile --write'],
  async run({ options, flags, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const days = lastDays(readCount(options.days ?? '2'), Date.now());
    const differences: Difference[] = [];
    const write = flags.has('write');
    await withInstallation(context, async (installation) => {
      const { usage } = installation;
      for (const tenant of await tenantsOf(installation, options)) {
        differences.push(...(await reconcile({ usage, now: Date.now, write }, tenant, days)));
      }
    });
    writeDifferences(terminal, differences, format);
    const wrong = differences.filter(({ state }) => state === 'wrong').length;
    if (wrong > 0) throw new Error(`${wrong} daily totals are wrong. Correct them with --write.`);
  },
};

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d{1,3}$/.test(text) && count >= 1 && count <= 366) return count;
  throw new UsageError(`--days must be a whole number from 1 to 366, not ${text}.`);
}

function writeDifferences(terminal: Terminal, differences: readonly Difference[], format: Format): void {
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
  terminal.writeError(summaryOf(differences));
}

function summaryOf(differences: readonly Difference[]): string {
  const count = (state: Difference['state']) => differences.filter((one) => one.state === state).length;
  const [wrong, fixed, busy] = [count('wrong'), count('fixed'), count('busy')];
  return [
    ...(wrong + fixed + busy === 0 ? ['All daily totals are correct.'] : []),
    ...(wrong > 0 ? [`${wrong} daily totals are wrong.`] : []),
    ...(fixed > 0 ? [`${fixed} daily totals corrected.`] : []),
    ...(busy > 0
      ? [`${busy} daily totals have requests that ended just now. Run usage reconcile again in a minute.`]
      : []),
  ].join(' ');
}
