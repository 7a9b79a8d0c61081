/**
 * A price table of the operator, for a region without one of ours: what `npm run cost -- --prices --json` prints, with the amounts of
 * that region. Every price must be in it: a bill without one would be too low.
 */
import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { UsageError } from '../command.ts';
import { unreadable } from '../unreadable-file.ts';
import type { PriceName, Prices } from './prices.ts';

/** Bytes of the file; ours has about 12 KB. */
const maxPriceTable = 1_000_000;

const wholeNumber = z.string().regex(/^[1-9]\d{0,29}$/, 'must be a whole number in quotes');
const tier = z.strictObject({
  upTo: wholeNumber.optional(),
  dollars: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be dollars in quotes, with at most twelve decimals'),
});
const price = z.object({
  per: wholeNumber,
  unit: z.string(),
  tiers: z.array(tier).min(1).max(20),
  source: z.string(),
  assumed: z.boolean().optional(),
});
const schema = z.object({ region: z.string().min(1), prices: z.record(z.string(), price) });

export interface PriceTable {
  readonly region: string;
  readonly prices: Prices;
}

/** `ours`: has every price, and the unit of each. Throws an Error that names what is wrong with the file. */
export function readPriceTable(path: string, ours: Prices): PriceTable {
  const { success, data, error } = schema.safeParse(parse(path));
  if (!success) {
    const [issue] = error.issues;
    throw new UsageError(`${path}: ${issue?.path.join('.') || 'the file'} ${issue?.message}.`);
  }
  const names = Object.keys(ours) as PriceName[];
  const missing = names.filter((name) => !(name in data.prices));
  if (missing.length > 0) throw new UsageError(`${path} lacks the prices of ${missing.join(', ')}.`);
  const other = names.find((name) => data.prices[name]?.per !== ours[name].per);
  if (other)
    throw new UsageError(`${path}: prices.${other}.per must be ${ours[other].per}, as in our table.`);
  return { region: data.region, prices: data.prices as unknown as Prices };
}

function parse(path: string): unknown {
  const text = read(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not JSON.`);
  }
}

function read(path: string): string {
  try {
    if (statSync(path).size > maxPriceTable)
      throw new UsageError(`${path} has more than ${maxPriceTable} bytes.`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return unreadable(path)(error as NodeJS.ErrnoException);
  }
}
