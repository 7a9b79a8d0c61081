/**
 * Estimates the monthly AWS bill of a workload, and which quotas it exceeds: `npm run cost -- --help`. Exit codes: 0
 * success, 1 failure, 2 usage error.
 */

import { hasEventFunction } from '../../infra/settings/groups/event-functions.ts';
import { type CommandOption, type Output, UsageError } from '../command.ts';
import { optionLines, wrap } from '../help.ts';
import { jsonOption } from '../output/listing.ts';
import { parseOptions, splitOptions } from '../parse-options.ts';
import { billOf, type Hosting, ofEvents } from './bill.ts';
import { hostingOptions, readHosting } from './hosting-options.ts';
import { readTraffic, trafficOptions } from './options.ts';
import { type PriceTable, readPriceTable } from './price-table.ts';
import { type Prices, priceRegions, pricesOf } from './prices.ts';
import { printBill } from './print-bill.ts';
import { printComparison } from './print-comparison.ts';
import { printPrices } from './print-prices.ts';
import { printQuotas } from './print-quotas.ts';
import { readSavings, savingsOptions } from './savings.ts';
import type { Traffic } from './traffic.ts';
import { readWatching, watchingOptions } from './watching-options.ts';

const options: Readonly<Record<string, CommandOption>> = {
  ...trafficOptions,
  ...hostingOptions,
  region: { value: priceRegions.join('|'), description: 'Region of the prices (default: us-east-1)' },
  'price-table': {
    value: '<file>',
    description: 'Prices of another region: the output of --prices --json, with its amounts',
  },
  ...watchingOptions,
  ...savingsOptions,
  quotas: { description: 'Show which quotas 1,000 to 1,000,000 concurrent requests exceed' },
  prices: { description: 'Show the price table and its sources' },
  ...jsonOption,
  help: { description: 'Show help' },
};

const usage = 'Usage: npm run cost -- [options]';

const describeTool = (columns?: number) =>
  [
    ...wrap(
      'Estimates the monthly AWS bill of a workload, at list prices and without free tiers. Charges of model providers are not included.',
      columns,
    ),
    '',
    usage,
    '',
    'Options:',
    ...optionLines(options, columns),
    '',
    'Examples:',
    '  npm run cost -- --rps 50 --duration 8 --chunks 400',
    '  npm run cost -- --rps 50 --quotas',
    '  npm run cost -- --rps 50 --compute fargate',
    '  npm run cost -- --rps 5 --provisioned 40 --provisioned-hours Mon-Fri/07:00-19:00',
    '  npm run cost -- --rps 50 --compute web --web-vcpu-second <USD> --web-gb-second <USD> --web-requests <USD>',
    '',
    'Exit codes: 0 success, 1 failure, 2 usage error.',
  ].join('\n');

/** Runs a command line; returns the exit code. */
export function runCost(typed: readonly string[], output: Output): number {
  try {
    run(typed, output);
    return 0;
  } catch (error) {
    output.writeError(`Error: ${error instanceof Error ? error.message : String(error)}`);
    if (!(error instanceof UsageError)) return 1;
    output.writeError(`\n${usage}\nFor options and examples: npm run cost -- --help`);
    return 2;
  }
}

type Options = Readonly<Record<string, string | undefined>>;

function run(typed: readonly string[], output: Output): void {
  const { values, positionals } = parseOptions(typed, options);
  const { options: given, flags } = splitOptions(values);
  if (positionals.length > 0) throw new UsageError(`Unexpected argument: ${positionals[0]}`);
  if (flags.has('help')) output.write(describeTool(output.columns));
  else print(given, flags, output);
}

function print(given: Options, flags: ReadonlySet<string>, output: Output): void {
  if (flags.has('quotas') && flags.has('prices'))
    throw new UsageError('Give either --quotas or --prices, not both.');
  const { region, prices: listed } = pricesFor(given);
  const prices = { ...listed, ...readSavings(given, listed) };
  const traffic = readTraffic(given, flags);
  const watching = readWatching(given, flags);
  const chosen = readHosting(given);
  const hosting = chosen && { ...chosen, watching };
  refuseUseless(traffic, hosting);
  if (hosting && flags.has('quotas')) throw new UsageError('Give either --quotas or --compute, not both.');
  const printOptions = { region, isJson: flags.has('json') };
  if (flags.has('prices')) printPrices(prices, printOptions, output);
  else if (hosting) printComparison({ traffic, prices, hosting }, printOptions, output);
  else if (flags.has('quotas')) printQuotas(traffic, printOptions, output);
  else printBill(traffic, billOf(traffic, prices, { ...ofEvents, watching }), printOptions, output);
}

function pricesFor({ region, 'price-table': file }: Options): PriceTable {
  if (file !== undefined && region !== undefined)
    throw new UsageError('Give either --region or --price-table, which names its region, not both.');
  const ours = ourPrices(region ?? 'us-east-1');
  return file === undefined ? ours : readPriceTable(file, ours.prices);
}

function ourPrices(region: string): PriceTable {
  const prices: Prices | undefined = pricesOf(region);
  if (prices) return { region, prices };
  throw new UsageError(
    `--region must be one of ${priceRegions.join(', ')}, not ${region}. --price-table takes the prices of any other.`,
  );
}

function refuseUseless({ kept, operation }: Traffic, hosting: Hosting | undefined): void {
  if (!kept || !hosting || hasEventFunction(operation, hosting.compute)) return;
  throw new UsageError(
    `--provisioned cannot be used with --compute ${hosting.compute}: ${operation} is no function of its own there.`,
  );
}

if (import.meta.main) {
  process.exitCode = runCost(process.argv.slice(2), {
    write: (line) => console.log(line),
    writeError: (line) => console.error(line),
    columns: process.stdout.columns,
  });
}
