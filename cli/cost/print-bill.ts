/** The bill, for people and for programs. */

import type { Output } from '../command.ts';
import { toTable } from '../output/to-table.ts';
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

/** Lines, then parts, then all. What has no known price is named without an amount, and then so is all. */
export function toTableOfBill(bill: Bill): readonly string[] {
  const unknown = { usd_per_month: 'unknown', usd_per_million: 'unknown' };
  const unpriced = bill.unpriced.map(({ part, what }) => ({ part, what, ...unknown }));
  const all = { part: 'all', what: '', ...(unpriced.length > 0 ? unknown : sumOf(bill.total)) };
  const parts = partRows(bill).filter(({ part }) => !unpriced.some((line) => line.part === part));
  return toTable({ columns, rows: [...unpriced, ...lineRows(bill), ...parts, all] });
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
  const { idle, requests } = bill;
  output.write(`${describe(traffic)}: ${grouped(requests)} requests per month in ${region}.`);
  for (const line of ['', ...toTableOfBill(bill), '']) output.write(line);
  output.write(
    `One request costs ${perRequest(bill)} USD; a month without requests costs ${formatAmount(idle)} USD.`,
  );
  for (const remark of remarksOn(traffic)) output.write(remark);
  output.write(`List prices as of ${priceDate}, without free tiers. --prices shows their sources.`);
}

export const sumOf = ({ month, perMillion }: Sum) => ({
  usd_per_month: formatAmount(month),
  usd_per_million: formatAmount(perMillion),
});

export const lineRows = ({ lines }: Bill) =>
  lines.map(({ part, what, ...sum }) => ({ part, what, ...sumOf(sum) }));

export const partRows = ({ parts }: Bill) =>
  parts.map(({ part, ...sum }) => ({ part, what: 'all', ...sumOf(sum) }));

/** `size`: what runs the requests. */
export function describe(traffic: Traffic, size = `${traffic.memory} MB`): string {
  const { operation, rps, duration, chunks } = traffic;
  const form = chunks > 0 ? `${grouped(chunks)} chunks` : 'one body';
  const atOnce = `about ${grouped(concurrency(traffic))} concurrent`;
  return `${rps} ${operation} per second, ${duration} s each, ${form}, ${size}, ${atOnce}`;
}

export const grouped = (value: number | bigint): string => value.toLocaleString('en-US');
