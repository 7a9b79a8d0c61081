/** What many requests at a time ask of the quotas, for people and for programs. */

import type { Output } from '../cli/command.ts';
import { toTable } from '../cli/output/to-table.ts';
import { grouped, type PrintOptions } from './print-bill.ts';
import { levels, type Quota, quotas, withStreams } from './quotas.ts';
import type { Traffic } from './traffic.ts';

const columnOf = (streams: number) => `at_${grouped(streams)}`;

const columns = [
  { name: 'quota' },
  { name: 'limit' },
  ...levels.map((streams) => ({ name: columnOf(streams) })),
];

export function printQuotas(traffic: Traffic, { region, isJson }: PrintOptions, output: Output): void {
  const asked = quotas.map((quota) => {
    const amounts = levels.map((streams) => Math.ceil(quota.asked(withStreams(traffic, streams))));
    const from = levels.find((_, place) => (amounts[place] ?? 0) >= quota.limit);
    return { ...quota, amounts, from };
  });
  if (isJson) output.write(toJson(asked, traffic, region));
  else printTable(asked, traffic, output);
}

interface Asked extends Omit<Quota, 'asked'> {
  /** At each level. */
  readonly amounts: readonly number[];
  /** The level at which it binds. */
  readonly from: number | undefined;
}

function toJson(asked: readonly Asked[], traffic: Traffic, region: string): string {
  const rows = asked.map(({ amounts, from, name, limit, unit, remedy, source }) => ({
    name,
    limit,
    unit,
    asked: Object.fromEntries(levels.map((streams, place) => [streams, amounts[place]])),
    binds_at: from ?? null,
    remedy,
    source,
  }));
  const { rps: _, ...same } = traffic;
  return JSON.stringify({ region, traffic: same, quotas: rows }, undefined, 2);
}

function printTable(asked: readonly Asked[], traffic: Traffic, output: Output): void {
  const { operation, duration, limits, tenants, keys, models } = traffic;
  const callers = `${grouped(tenants)} tenants, ${grouped(keys)} keys, ${grouped(models)} models`;
  output.write(`${operation}, ${duration} s each, limits: ${limits}; ${callers}. A mark: it binds.`);
  for (const line of ['', ...toTable({ columns, rows: asked.map(toRow) }), '', 'Where it binds:']) {
    output.write(line);
  }
  for (const { name, from, remedy } of asked) {
    if (from !== undefined) output.write(`- from ${grouped(from)}: ${name}: ${remedy}.`);
  }
}

const toRow = ({ name, limit, unit, amounts }: Asked) => ({
  quota: name,
  limit: `${grouped(limit)} ${unit}`,
  ...Object.fromEntries(
    levels.map((streams, place) => [columnOf(streams), mark(amounts[place] ?? 0, limit)]),
  ),
});

const mark = (amount: number, limit: number) => `${grouped(amount)}${amount >= limit ? ' !' : ''}`;
