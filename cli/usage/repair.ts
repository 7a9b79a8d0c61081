/** `usage reconcile` and `usage recompute`: daily totals and costs are compared with the ledger, and corrected. */
import { dayOf } from '../../lib/core/accounting/counters.ts';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import type { Model } from '../../lib/core/catalog/model.ts';
import type { Span } from '../../lib/core/ports/usage-store.ts';
import { historyOf, type Recomputed, recompute, reprice } from '../../lib/metering/cost/recompute.ts';
import { adjustClosed } from '../../lib/metering/month/adjust-closed.ts';
import { type Difference, reconcile } from '../../lib/metering/records/reconcile.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { operatorName } from '../../local/operator-name.ts';
import {
  type Command,
  type Format,
  type Installation,
  type Terminal,
  UsageError,
  withInstallation,
} from '../command.ts';
import { formatOptions, jsonOption, type Row, writeListing } from '../listing.ts';
import { lastDays, monthOf, readSpan, spanOptions, tenantOption, tenantsOf } from './usage-options.ts';

const usageReconcile: Command = {
  name: 'usage reconcile',
  summary: 'Compare the daily totals with the ledger',
  description:
    'Lists every difference. Totals follow the ledger within seconds; they stay wrong only if that failed for a day. Exit code 1 if one is wrong, unless --write corrects it. Safe to repeat.',
  options: {
    ...tenantOption,
    days: { value: '<number>', description: 'Number of days up to today (default: 2)' },
    ...jsonOption,
    write: { description: 'Correct the daily totals' },
  },
  examples: ['usage reconcile --days 7', 'usage reconcile --write'],
  async run({ options, flags, terminal, format, ...context }) {
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
  writeListing({ terminal, format }, rows);
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

const usageRecompute: Command = {
  name: 'usage recompute',
  summary: 'Recompute costs from the ledger and the price history',
  description:
    'Lists every difference, to the nano-dollar. Exit code 1 if there is one, unless --write corrects it. In a closed month, --write makes adjustments.',
  options: {
    ...tenantOption,
    ...spanOptions,
    ...formatOptions,
    write: { description: 'Write the recomputed costs to the ledger; daily totals and limits follow' },
  },
  examples: ['usage recompute --from 2026-11-01', 'usage recompute --tenant acme --write'],
  async run({ options, flags, terminal, format, ...context }) {
    const span = readSpan(options, Date.now());
    const bills = await withInstallation(context, async (installation) => {
      const made = await makeBills(installation, await tenantsOf(installation, options), span, terminal);
      if (flags.has('write')) await correct(installation, made, terminal);
      return made;
    });
    const rows = bills.flatMap(({ differences }) => differences.map(toRow));
    writeListing({ terminal, format }, rows, columns);
    for (const line of summaryOfBills(bills, span)) terminal.writeError(line);
    if (rows.length > 0 && !flags.has('write'))
      throw new Error(`${rows.length} costs differ. Correct them with --write.`);
  },
};

const columns = [
  ...['tenant', 'time', 'request', 'model', 'provider'],
  ...['recorded_usd', 'recomputed_usd', 'recorded_charge_usd', 'recomputed_charge_usd'],
];

interface Bill extends Recomputed {
  readonly tenant: string;
}

async function makeBills(
  { catalog, tenants, usage }: Installation,
  names: readonly string[],
  span: Span,
  terminal: Terminal,
): Promise<readonly Bill[]> {
  const models = (await catalog.list()).flatMap(({ id, row }): Model[] => {
    try {
      return [readModelRow(row, 'ignore')];
    } catch {
      terminal.writeError(`The catalog row of ${id} cannot be read. Its requests keep their recorded cost.`);
      return [];
    }
  });
  const history = historyOf(models);
  const bills: Bill[] = [];
  for (const tenant of names) {
    const { pricing } = (await tenants.find(tenant)) ?? {};
    const facts = { historyOf: history, pricing };
    bills.push({ tenant, ...(await recompute(usage, tenant, span, facts)) });
  }
  return bills;
}

async function correct(
  { usage, journal }: Installation,
  bills: readonly Bill[],
  terminal: Terminal,
): Promise<void> {
  for (const { tenant, differences } of bills) {
    const months = Map.groupBy(differences, ({ record }) => monthOf(record.at));
    for (const [month, records] of months) {
      if (await journal.closed(tenant, month)) {
        const options = { journal, now: Date.now, by: operatorName({}) };
        const made = await adjustClosed(options, { tenant, month }, records);
        terminal.writeError(`${tenant}: ${month} is closed. ${made} adjustments made.`);
        continue;
      }
      const written = await reprice(usage, records);
      terminal.writeError(
        `${tenant}: ${written} costs corrected in ${month}. The daily totals and limits follow within seconds.`,
      );
    }
  }
}

function toRow({ record, cost, charge }: Recomputed['differences'][number]): Row {
  return {
    tenant: record.tenant,
    time: new Date(record.at).toISOString(),
    request: record.requestId,
    model: record.model,
    provider: record.provider,
    recorded_usd: dollars(record.cost),
    recomputed_usd: dollars(cost),
    recorded_charge_usd: dollars(record.charge),
    recomputed_charge_usd: dollars(charge),
  };
}

const dollars = (cost: number | null) => (cost === null ? null : formatDollars(cost));

function summaryOfBills(bills: readonly Bill[], span: Span): readonly string[] {
  const sum = (name: 'requests' | 'recorded' | 'recomputed' | 'withoutHistory') =>
    bills.reduce((total, bill) => total + bill[name], 0);
  const without = sum('withoutHistory');
  return [
    `${sum('requests')} requests from ${dayOf(span.from)} to ${dayOf(span.to - 1)}: recorded ${formatDollars(sum('recorded'))} USD, recomputed ${formatDollars(sum('recomputed'))} USD.`,
    ...(without > 0
      ? [
          `${without} requests use models or deployments that are no longer in the catalog. They keep their recorded cost.`,
        ]
      : []),
  ];
}

export const repairCommands: readonly Command[] = [usageRecompute, usageReconcile];
