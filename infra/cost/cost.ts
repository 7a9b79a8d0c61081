/**
 * What the gateway costs on AWS, and which quotas bind: `npm run cost -- --help`. Exit code 0: told, 1: it failed,
 * 2: it was typed wrongly.
 */
import { type CommandOption, type Output, UsageError } from '../cli/command.ts';
import { optionLines } from '../cli/help.ts';
import { jsonOption } from '../cli/output/listing.ts';
import { parseOptions, splitOptions } from '../cli/parse-options.ts';
import { billOf } from './bill.ts';
import { readTraffic, trafficOptions } from './options.ts';
import { priceRegions, pricesOf } from './prices.ts';
import { printBill } from './print-bill.ts';
import { printPrices } from './print-prices.ts';
import { printQuotas } from './print-quotas.ts';

const options: Readonly<Record<string, CommandOption>> = {
  ...trafficOptions,
  region: { value: priceRegions.join('|'), description: 'Whose prices; us-east-1 where it is not given' },
  quotas: { description: 'Which quotas bind at 1,000 to 1,000,000 such requests at a time' },
  prices: { description: 'The table of prices, and where each was read' },
  ...jsonOption,
  help: { description: 'This text' },
};

const help = [
  'Usage: npm run cost -- [options]',
  '',
  'What the deployed gateway costs for a traffic, by list prices and without free allowances.',
  'What model providers charge is not part of it.',
  '',
  'Options:',
  ...optionLines(options),
].join('\n');

/** Runs what was typed; gives the exit code. */
export function runCost(typed: readonly string[], output: Output): number {
  try {
    run(typed, output);
    return 0;
  } catch (error) {
    output.writeError(`Error: ${error instanceof Error ? error.message : String(error)}`);
    if (!(error instanceof UsageError)) return 1;
    output.writeError(help);
    return 2;
  }
}

type Options = Readonly<Record<string, string | undefined>>;

function run(typed: readonly string[], output: Output): void {
  const { values, positionals } = parseOptions(typed, options);
  const { options: given, flags } = splitOptions(values);
  if (positionals.length > 0) throw new UsageError(`What is ${positionals[0]}? There are only options.`);
  if (flags.has('help')) output.write(help);
  else tell(given, flags, output);
}

function tell(given: Options, flags: ReadonlySet<string>, output: Output): void {
  if (flags.has('quotas') && flags.has('prices')) throw new UsageError('Either --quotas or --prices.');
  const region = given.region ?? 'us-east-1';
  const prices = pricesOf(region);
  if (!prices) throw new UsageError(`There are prices of ${priceRegions.join(', ')}, not of ${region}.`);
  const traffic = readTraffic(given, flags);
  const told = { region, isJson: flags.has('json') };
  if (flags.has('prices')) printPrices(prices, told, output);
  else if (flags.has('quotas')) printQuotas(traffic, told, output);
  else printBill(traffic, billOf(traffic, prices), told, output);
}

if (import.meta.main) {
  process.exitCode = runCost(process.argv.slice(2), {
    write: (line) => console.log(line),
    writeError: (line) => console.error(line),
    columns: process.stdout.columns,
  });
}
