/** The bill, for people and for programs. */

import type { Output } from '../cli/command.ts';
import { toTable } from '../cli/output/to-table.ts';
import type { Bill, Sum } from './bill.ts';
import { divide, formatAmount, priceDate } from './prices.ts';
import { remarksOn } from './remarks.ts';
import type { Traffic } from './traffic.ts';
import { concurrency } from './uses.ts';

export interface PrintOptions {
  readonly region: string;
  readonly isJson: boolean;
}

const columns = [{ name: 'part' }, { name: 'what' }, { name: 'usd_per_month' }, { name: 'usd_per_million' }];

export function printBill(
  traffic: Traffic,
  bill: Bill,
  { region, isJson }: PrintOptions,
  output: Output,
): void {
  if (isJson) output.write(toJson(traffic, bill, region));
  else printTable(traffic, bill, region, output);
}

const perRequest = ({ total }: Bill) => formatAmount(divide(total.perMillion, 1_000_000n));

function toJson(traffic: Traffic, bill: Bill, region: string): string {
  const { total, idle, requests } = bill;
  const sums = { ...sumOf(total), usd_per_request: perRequest(bill), usd_idle: formatAmount(idle) };
  const rows = { requests_per_month: Number(requests), parts: partRows(bill), lines: lineRows(bill) };
  const remarks = remarksOn(traffic);
  return JSON.stringify({ prices: priceDate, region, traffic, ...sums, ...rows, remarks }, undefined, 2);
}

function printTable(traffic: Traffic, bill: Bill, region: string, output: Output): void {
  const { total, idle, requests } = bill;
  const rows = [...lineRows(bill), ...partRows(bill), { part: 'all', what: '', ...sumOf(total) }];
  output.write(`${describe(traffic)}: ${grouped(requests)} requests per month in ${region}.`);
  for (const line of ['', ...toTable({ columns, rows }), '']) output.write(line);
  output.write(
    `One request costs ${perRequest(bill)} USD; a month without requests costs ${formatAmount(idle)} USD.`,
  );
  for (const remark of remarksOn(traffic)) output.write(remark);
  output.write(`List prices as of ${priceDate}, without free tiers. --prices shows their sources.`);
}

const sumOf = ({ month, perMillion }: Sum) => ({
  usd_per_month: formatAmount(month),
  usd_per_million: formatAmount(perMillion),
});

const lineRows = ({ lines }: Bill) => lines.map(({ part, what, ...sum }) => ({ part, what, ...sumOf(sum) }));

const partRows = ({ parts }: Bill) => parts.map(({ part, ...sum }) => ({ part, what: 'all', ...sumOf(sum) }));

function describe(traffic: Traffic): string {
  const { operation, rps, duration, chunks, memory } = traffic;
  const form = chunks > 0 ? `${grouped(chunks)} chunks` : 'one body';
  const atOnce = `about ${grouped(concurrency(traffic))} concurrent`;
  return `${rps} ${operation} per second, ${duration} s each, ${form}, ${memory} MB, ${atOnce}`;
}

export const grouped = (value: number | bigint): string => value.toLocaleString('en-US');
