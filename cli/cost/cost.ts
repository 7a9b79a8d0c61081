/**
 * Estimates the monthly AWS bill of a workload on each host, and which quotas it exceeds: `npm run cost -- --help`. Exit codes: 0
 * success, 1 failure, 2 usage error.
 */

import { type CommandOption, type Output, UsageError } from '../command.ts';
import { optionLines, wrap } from '../help.ts';
import { jsonOption } from '../listing.ts';
import { parseOptions } from '../parse-options.ts';
import { costOptions, readHosting, readTraffic } from './options.ts';
import { printBill } from './print-bill.ts';
import { printQuotas } from './quotas.ts';

const options: Readonly<Record<string, CommandOption>> = {
  ...costOptions,
  quotas: { description: 'Show which quotas 1,000 to 1,000,000 concurrent requests exceed' },
  ...jsonOption,
  help: { description: 'Show help' },
};

const usage = 'Usage: npm run cost -- [options]';

const describeTool = (columns?: number) =>
  [
    ...wrap(
      'Estimates the monthly AWS bill of a workload, at the list prices of us-east-1 and without free tiers. Charges of model providers are not included, nor are alarms, a web ACL, and other parts that a deployment has only where a setting asks for them.',
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

function run(typed: readonly string[], output: Output): void {
  const { options: given, flags, positionals } = parseOptions(typed, options);
  if (positionals.length > 0) throw new UsageError(`Unexpected argument: ${positionals[0]}`);
  if (flags.has('help')) {
    output.write(describeTool(output.columns));
    return;
  }
  const traffic = readTraffic(given, flags);
  const hosting = readHosting(given);
  const isJson = flags.has('json');
  if (!flags.has('quotas')) printBill(traffic, hosting, isJson, output);
  else if (given.compute === undefined) printQuotas(traffic, isJson, output);
  else throw new UsageError('Give either --quotas or --compute, not both.');
}

if (import.meta.main) {
  process.exitCode = runCost(process.argv.slice(2), {
    write: (line) => console.log(line),
    writeError: (line) => console.error(line),
    columns: process.stdout.columns,
  });
}
