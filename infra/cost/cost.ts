/**
 * Estimates the monthly AWS bill of a workload, and which quotas it exceeds: `npm run cost -- --help`. Exit codes: 0
 * success, 1 failure, 2 usage error.
 */
import { maxMetricModels } from '../../lib/metering/request-metrics.ts';
import { type CommandOption, type Output, UsageError } from '../cli/command.ts';
import { optionLines, wrap } from '../cli/help.ts';
import { jsonOption } from '../cli/output/listing.ts';
import { parseOptions, splitOptions } from '../cli/parse-options.ts';
import { billOf, ofEvents } from './bill.ts';
import { hostingOptions, readHosting } from './hosting-options.ts';
import { readNumber, readTraffic, trafficOptions } from './options.ts';
import { priceRegions, pricesOf } from './prices.ts';
import { printBill } from './print-bill.ts';
import { printComparison } from './print-comparison.ts';
import { printPrices } from './print-prices.ts';
import { printQuotas } from './print-quotas.ts';
import type { Watching } from './watching.ts';

const options: Readonly<Record<string, CommandOption>> = {
  ...trafficOptions,
  ...hostingOptions,
  region: { value: priceRegions.join('|'), description: 'Region of the prices (default: us-east-1)' },
  alarms: { description: 'With alarms' },
  dashboard: { description: 'With the dashboard' },
  metrics: { description: 'With metrics of requests' },
  'metric-models': { value: '<n>', description: 'Models that these metrics count by name (default: 0)' },
  waf: { description: 'With a web ACL of two rules' },
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

const modelsOption = { value: '<n>', description: '', defaultValue: 0, min: 0, max: maxMetricModels };

function readWatching(given: Options, flags: ReadonlySet<string>): Watching {
  if (given['metric-models'] !== undefined && !flags.has('metrics'))
    throw new UsageError('--metric-models requires --metrics.');
  const models = readNumber('metric-models', modelsOption, given['metric-models']);
  return {
    alarms: flags.has('alarms'),
    dashboard: flags.has('dashboard'),
    metricModels: flags.has('metrics') ? models : undefined,
    waf: flags.has('waf'),
  };
}

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
  const region = given.region ?? 'us-east-1';
  const prices = pricesOf(region);
  if (!prices) throw new UsageError(`--region must be one of ${priceRegions.join(', ')}, not ${region}.`);
  const traffic = readTraffic(given, flags);
  const watching = readWatching(given, flags);
  const chosen = readHosting(given);
  const hosting = chosen && { ...chosen, watching };
  if (hosting && flags.has('quotas')) throw new UsageError('Give either --quotas or --compute, not both.');
  const printOptions = { region, isJson: flags.has('json') };
  if (flags.has('prices')) printPrices(prices, printOptions, output);
  else if (hosting) printComparison({ traffic, prices, hosting }, printOptions, output);
  else if (flags.has('quotas')) printQuotas(traffic, printOptions, output);
  else printBill(traffic, billOf(traffic, prices, { ...ofEvents, watching }), printOptions, output);
}

if (import.meta.main) {
  process.exitCode = runCost(process.argv.slice(2), {
    write: (line) => console.log(line),
    writeError: (line) => console.error(line),
    columns: process.stdout.columns,
  });
}
