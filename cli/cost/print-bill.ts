/** The monthly bill of one host, and the sums of the others beside it, for people and for programs. Amounts are whole nano-dollars. */
import { type Compute, computes } from '../../infra/settings/groups/computes.ts';
import { maxTasks } from '../../infra/settings/groups/fargate.ts';
import type { Output } from '../command.ts';
import { toTable } from '../listing.ts';
import { environmentsFor, hosts, staysEvent, task, tasksFor } from './hosts.ts';
import {
  charge,
  divide,
  formatAmount,
  grouped,
  type Price,
  priceDate,
  priceRegion,
  prices,
} from './prices.ts';
import { quotas } from './quotas.ts';
import { concurrentRequests, type ProcessorTime, requestsPerMonth, type Traffic } from './traffic.ts';
import { idleUses, type Use, type WebPriceName } from './uses.ts';

interface Sum {
  readonly month: bigint;
  readonly perMillion: bigint;
}

interface Bill {
  readonly requests: bigint;
  readonly lines: readonly (Use & Sum)[];
  /** What is used at an unknown price: it is in no sum. */
  readonly unpriced: readonly Use[];
  readonly total: Sum;
  /** The part of the total that is due without any request. */
  readonly idle: bigint;
}

/** Where the gateway runs, and what decides the price there. */
export interface Hosting {
  readonly compute: Compute;
  readonly time: ProcessorTime;
  /** Of Web Functions; those that are absent are unknown. */
  readonly webPrices: Readonly<Partial<Record<WebPriceName, Price>>>;
}

export function billOf(traffic: Traffic, { compute, time, webPrices }: Hosting): Bill {
  const requests = requestsPerMonth(traffic);
  const sumUp = (lines: readonly { readonly month: bigint }[]): Sum => {
    const month = lines.reduce((sum, line) => sum + line.month, 0n);
    return { month, perMillion: divide(month * 1_000_000n, requests) };
  };
  const { uses, idle: idleOfHost } = hosts[compute];
  const known = { ...prices, ...webPrices };
  const all = uses(traffic, time);
  const idle = chargeAll([...idleUses, ...idleOfHost], known);
  const charged = [...chargeAll(all, known), ...idle];
  const lines = charged.map((line) => ({ ...line, perMillion: sumUp([line]).perMillion }));
  return {
    requests,
    lines,
    unpriced: all.filter(({ price }) => !known[price]),
    total: sumUp(lines),
    idle: sumUp(idle).month,
  };
}

type KnownPrices = Readonly<Partial<Record<Use['price'], Price>>>;

/** Uses with the same price go through its tiers together, in order. Those at an unknown price are left out. */
function chargeAll(uses: readonly Use[], prices: KnownPrices): readonly (Use & { readonly month: bigint })[] {
  const before = new Map<Use['price'], bigint>();
  return uses.flatMap((use) => {
    const price = prices[use.price];
    if (!price) return [];
    const from = before.get(use.price) ?? 0n;
    const to = from + use.millionths;
    before.set(use.price, to);
    return [{ ...use, month: charge(price, to) - charge(price, from) }];
  });
}

export function printBill(traffic: Traffic, hosting: Hosting, isJson: boolean, output: Output): void {
  const bills = Object.fromEntries(
    computes.map((compute) => [compute, billOf(traffic, { ...hosting, compute })]),
  ) as Bills;
  const lines = isJson ? [toJson(traffic, hosting, bills)] : toLines(traffic, hosting, bills);
  for (const line of lines) output.write(line);
}

type Bills = Readonly<Record<Compute, Bill>>;

function toLines(traffic: Traffic, hosting: Hosting, bills: Bills): readonly string[] {
  const bill = bills[hosting.compute];
  const hosts = computes.map((compute) => ({ host: compute, ...hostSums(bills[compute]) }));
  return [
    `compute=${hosting.compute}: ${describe(traffic, hosting)}: ${grouped(bill.requests)} requests per month in ${priceRegion}.`,
    '',
    ...toTableOfBill(bill),
    '',
    ...toTable(hosts),
    '',
    ...(bill.unpriced.length > 0
      ? [`No sum has ${bill.unpriced.map(({ what }) => what).join(', ')}: their prices are unknown.`]
      : [`One request costs ${formatAmount(divide(bill.total.perMillion, 1_000_000n))} USD.`]),
    ...(staysEvent(traffic.operation)
      ? [`With compute=web, ${traffic.operation} stays a function for events.`]
      : []),
    ...remarksOn(traffic, hosting),
    `List prices as of ${priceDate}, without free tiers. cli/cost/prices.json has their sources.`,
  ];
}

/** Lines, then all. What has no known price is named without an amount, and then so is all. */
function toTableOfBill(bill: Bill): readonly string[] {
  const unknown = { usd_per_month: 'unknown', usd_per_million: 'unknown' };
  const unpriced = bill.unpriced.map(({ part, what }) => ({ part, what, ...unknown }));
  const all = { part: 'all', what: '', ...(unpriced.length > 0 ? unknown : sumOf(bill.total)) };
  return toTable([...unpriced, ...lineRows(bill), all]);
}

/** A sum that lacks something is unknown. */
function hostSums({ total, idle, unpriced }: Bill) {
  const whole = (amount: bigint) => (unpriced.length > 0 ? null : formatAmount(amount));
  return {
    usd_per_month: whole(total.month),
    usd_per_million: whole(total.perMillion),
    usd_idle: formatAmount(idle),
  };
}

function toJson(traffic: Traffic, { compute }: Hosting, bills: Bills): string {
  const bill = bills[compute];
  const hosts = Object.fromEntries(
    computes.map((one) => [
      one,
      { ...hostSums(bills[one]), unknown: bills[one].unpriced.map(({ what }) => what) },
    ]),
  );
  const found = { requests_per_month: Number(bill.requests), hosts, lines: lineRows(bill) };
  return JSON.stringify({ prices: priceDate, region: priceRegion, traffic, compute, ...found }, undefined, 2);
}

const sumOf = ({ month, perMillion }: Sum) => ({
  usd_per_month: formatAmount(month),
  usd_per_million: formatAmount(perMillion),
});

const lineRows = ({ lines }: Bill) => lines.map(({ part, what, ...sum }) => ({ part, what, ...sumOf(sum) }));

function describe(traffic: Traffic, hosting: Hosting): string {
  const { operation, rps, duration, chunks } = traffic;
  const answer = chunks > 0 ? `${grouped(chunks)} chunks` : 'one body';
  const concurrent = grouped(Math.ceil(concurrentRequests(traffic)));
  return `${rps} ${operation} per second, ${duration} s each, ${answer}, ${sizeOf(traffic, hosting)}, about ${concurrent} concurrent`;
}

/** What runs there, in words. */
function sizeOf(traffic: Traffic, { compute, time }: Hosting): string {
  if (compute === 'fargate') return `tasks: ${grouped(tasksFor(traffic, time))}`;
  if (compute === 'web') return `environments: ${grouped(environmentsFor(traffic))}`;
  return `${traffic.memory} MB`;
}

/** One line for each exceeded quota. */
function remarksOn(traffic: Traffic, { compute, time }: Hosting): readonly string[] {
  if (compute === 'fargate') return onTasks(tasksFor(traffic, time));
  if (compute === 'web') return [];
  return quotas
    .filter(({ needed, limit }) => needed(traffic) >= limit)
    .map(
      ({ name, needed, limit, unit }) =>
        `Exceeds a quota: ${name}, ${grouped(Math.ceil(needed(traffic)))} of ${grouped(limit)} ${unit}. See --quotas.`,
    );
}

function onTasks(count: number): readonly string[] {
  if (count > maxTasks)
    return [`More than one load balancer is needed: one has at most ${grouped(maxTasks)} tasks.`];
  return count > task.tasks.max ? [`Deploy with -c maxTasks=${count} or more.`] : [];
}
