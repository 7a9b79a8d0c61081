/** Prints how much of each quota many concurrent requests need, for people and for programs. */

import type { Output } from '../command.ts';
import { toTable } from '../output/listing.ts';
import { priceRegion } from './prices.ts';
import { grouped } from './print-bill.ts';
import { levels, type Quota, quotas, tenantsRps, withStreams } from './quotas.ts';
import type { Traffic } from './traffic.ts';

const columnOf = (streams: number) => `at_${grouped(streams)}`;

const columns = [
  { name: 'quota' },
  { name: 'limit' },
  ...levels.map((streams) => ({ name: columnOf(streams) })),
];

export function printQuotas(traffic: Traffic, isJson: boolean, output: Output): void {
  const needed = quotas.map((quota) => {
    const amounts = levels.map((streams) => Math.ceil(quota.needed(withStreams(traffic, streams))));
    const from = levels.find((_, index) => (amounts[index] ?? 0) >= quota.limit);
    return { ...quota, amounts, from };
  });
  if (isJson) output.write(toJson(needed, traffic));
  else printTable(needed, traffic, output);
}

interface NeededQuota extends Omit<Quota, 'needed'> {
  /** At each level. */
  readonly amounts: readonly number[];
  /** The level from which it is exceeded. */
  readonly from: number | undefined;
}

function toJson(needed: readonly NeededQuota[], traffic: Traffic): string {
  const rows = needed.map(({ amounts, from, name, limit, unit, remedy, source }) => ({
    name,
    limit,
    unit,
    needed: Object.fromEntries(levels.map((streams, index) => [streams, amounts[index]])),
    exceeded_from: from ?? null,
    remedy,
    source,
  }));
  const { rps: _, ...same } = traffic;
  const throughput = Object.fromEntries(levels.map((streams) => [streams, throughputAt(traffic, streams)]));
  return JSON.stringify(
    { region: priceRegion, traffic: same, tenant_throughput: throughput, quotas: rows },
    undefined,
    2,
  );
}

const throughputAt = (traffic: Traffic, streams: number) => tenantsRps(withStreams(traffic, streams));

function printTable(needed: readonly NeededQuota[], traffic: Traffic, output: Output): void {
  const { operation, duration, limits, tenants, keys, models } = traffic;
  const callers = `${grouped(tenants)} tenants, ${grouped(keys)} keys, ${grouped(models)} models`;
  output.write(
    `${operation}, ${duration} s each, limits: ${limits}; ${callers}. An exclamation mark: exceeded.`,
  );
  output.write(
    `Taken to be set with \`tenants set-throughput\`, in requests/s of each tenant: ${levels
      .map((streams) => `${grouped(throughputAt(traffic, streams))} at ${grouped(streams)}`)
      .join(', ')}.`,
  );
  for (const line of ['', ...toTable({ columns, rows: needed.map(toRow) }), '', 'Exceeded quotas:']) {
    output.write(line);
  }
  for (const { name, from, remedy } of needed) {
    if (from !== undefined) output.write(`- from ${grouped(from)}: ${name}: ${remedy}.`);
  }
}

const toRow = ({ name, limit, unit, amounts }: NeededQuota) => ({
  quota: name,
  limit: `${grouped(limit)} ${unit}`,
  ...Object.fromEntries(
    levels.map((streams, index) => [columnOf(streams), mark(amounts[index] ?? 0, limit)]),
  ),
});

const mark = (amount: number, limit: number) => `${grouped(amount)}${amount >= limit ? ' !' : ''}`;
