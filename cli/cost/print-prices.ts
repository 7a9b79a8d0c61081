/** Prints the price table with its sources. */

import type { Output } from '../command.ts';
import { toTable } from '../output/to-table.ts';
import { type Prices, priceDate, priceNote } from './prices.ts';
import type { PrintOptions } from './print-bill.ts';

/** The region that the note is about. */
const ourRegion = 'us-east-1';

const columns = [
  { name: 'price' },
  { name: 'usd' },
  { name: 'for' },
  { name: 'unit' },
  { name: 'source' },
] as const;

export function printPrices(prices: Prices, { region, isJson }: PrintOptions, output: Output): void {
  if (isJson) output.write(JSON.stringify({ date: priceDate, region, prices }, undefined, 2));
  else printTable(prices, region, output);
}

function printTable(prices: Prices, region: string, output: Output): void {
  const rows = Object.entries(prices).map(([price, { per, unit, tiers, source, assumed }]) => ({
    price,
    usd: tiers.map(({ dollars }) => dollars).join(' / '),
    for: per,
    unit,
    source: assumed ? `assumed: ${source}` : source,
  }));
  output.write(region === ourRegion ? `${region}, ${priceDate}. ${priceNote}` : `${region}, USD.`);
  for (const line of ['', ...toTable({ columns, rows })]) output.write(line);
}
