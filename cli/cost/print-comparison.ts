/** The bill of one host, and the hosts side by side, for people and for programs. */

import { computes } from '../../infra/settings/groups/computes.ts';
import type { Output } from '../command.ts';
import { toTable } from '../output/to-table.ts';
import type { Bill, Hosting } from './bill.ts';
import { type Comparison, compare } from './compare.ts';
import { tasksFor } from './fargate-tasks.ts';
import { environmentsFor, hosts, staysEvent } from './hosts.ts';
import { formatAmount, type Prices, priceDate } from './prices.ts';
import {
  describe,
  grouped,
  lineRows,
  type PrintOptions,
  partRows,
  sumOf,
  toTableOfBill,
} from './print-bill.ts';
import { remarksOn } from './remarks.ts';
import type { Traffic } from './traffic.ts';

export interface Compared {
  readonly traffic: Traffic;
  readonly prices: Prices;
  readonly hosting: Hosting;
}

export function printComparison(
  { traffic, prices, hosting }: Compared,
  { region, isJson }: PrintOptions,
  output: Output,
): void {
  const comparison = compare(traffic, prices, hosting);
  const bill = comparison.bills[hosting.compute];
  const isWhole = bill.unpriced.length === 0;
  if (isJson) {
    const found = toJson(comparison, { traffic, prices, hosting });
    output.write(JSON.stringify({ prices: priceDate, region, traffic, ...found }, undefined, 2));
    return;
  }
  const what = describe(traffic, sizeOf({ traffic, prices, hosting }));
  output.write(
    `compute=${hosting.compute}: ${what}: ${grouped(bill.requests)} requests per month in ${region}.`,
  );
  const lines = [
    '',
    ...toTableOfBill(bill),
    '',
    ...(isWhole ? [] : [`Of these, ${unknownOf(bill)} have no known price and are in no sum.`]),
    `A month without requests costs ${formatAmount(bill.idle)} USD.`,
    '',
    'The hosts side by side, in USD per month:',
    '',
    ...toTable({ columns: ['part', ...computes].map((name) => ({ name })), rows: sideBySide(comparison) }),
    '',
    ...breakEven(comparison, traffic),
    ...remarksOn(traffic, hosting),
    `List prices as of ${priceDate}, without free tiers. --prices shows their sources.`,
  ];
  for (const line of lines) output.write(line);
}

const unknownOf = ({ unpriced }: Bill) => unpriced.map(({ what }) => what).join(', ');

/** What runs there, in words. */
function sizeOf({ traffic, hosting: { compute, time } }: Compared): string {
  if (compute === 'fargate') return `tasks: ${grouped(tasksFor(traffic, time))}`;
  if (compute === 'web') return `environments: ${grouped(environmentsFor(traffic))}`;
  return `${traffic.memory} MB`;
}

const unknown = 'unknown';

/** A part that a host does not have is empty; a sum that lacks something is unknown. */
function sideBySide({ bills }: Comparison): readonly Record<string, string | null>[] {
  const parts = [...new Set(computes.flatMap((compute) => hosts[compute].parts))];
  const row = (name: string, read: (bill: Bill) => string | undefined) => ({
    part: name,
    ...Object.fromEntries(computes.map((compute) => [compute, read(bills[compute]) ?? null])),
  });
  const ofWhole = (bill: Bill, amount: bigint) => (bill.unpriced.length > 0 ? unknown : formatAmount(amount));
  return [
    ...parts.map((name) =>
      row(name, (bill) => {
        const found = bill.parts.find(({ part }) => part === name);
        if (!found) return undefined;
        return bill.unpriced.some(({ part }) => part === name) ? unknown : formatAmount(found.month);
      }),
    ),
    row('all', (bill) => ofWhole(bill, bill.total.month)),
    row('all, for a million requests', (bill) => ofWhole(bill, bill.total.perMillion)),
  ];
}

function breakEven({ fargateFromRps, webBelow, bills }: Comparison, traffic: Traffic): readonly string[] {
  const fargate =
    fargateFromRps === undefined
      ? 'Functions for events cost less than Fargate at any number of such requests that one load balancer serves.'
      : `Fargate costs no more than functions for events from ${fargateFromRps} such requests per second.`;
  if (staysEvent(traffic.operation))
    return [fargate, `With compute=web, ${traffic.operation} stays a function for events.`];
  const names = { event: 'functions for events', fargate: 'Fargate' };
  const web = (['event', 'fargate'] as const).map((other) => {
    const price = webBelow[other];
    return price === undefined
      ? `Web Functions cost more than ${names[other]} at any price of a vCPU-second.`
      : `Web Functions cost as much as ${names[other]} if a vCPU-second costs ${formatAmount(price)} USD.`;
  });
  const others = bills.web.unpriced.filter(({ price }) => price !== 'webVcpuSeconds');
  const aside =
    others.length > 0
      ? [`In these prices, ${others.map(({ what }) => what).join(' and ')} of Web Functions cost nothing.`]
      : [];
  return [fargate, ...web, ...aside];
}

function toJson({ bills, fargateFromRps, webBelow }: Comparison, { hosting }: Compared) {
  const bill = bills[hosting.compute];
  const amount = (value: bigint | undefined) => (value === undefined ? null : formatAmount(value));
  const whole = (of: Bill, value: bigint) => (of.unpriced.length > 0 ? null : formatAmount(value));
  return {
    compute: hosting.compute,
    hosts: Object.fromEntries(
      computes.map((compute) => {
        const each = bills[compute];
        const { month, perMillion } = each.total;
        return [
          compute,
          {
            usd_per_month: whole(each, month),
            usd_per_million: whole(each, perMillion),
            usd_idle: formatAmount(each.idle),
            unknown: each.unpriced.map(({ what }) => what),
          },
        ];
      }),
    ),
    break_even: {
      fargate_from_rps: fargateFromRps ?? null,
      web_vcpu_second_below_event: amount(webBelow.event),
      web_vcpu_second_below_fargate: amount(webBelow.fargate),
    },
    parts: partRows(bill),
    lines: lineRows(bill),
    ...(bill.unpriced.length === 0 && sumOf(bill.total)),
  };
}
