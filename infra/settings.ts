/**
 * What an operator may set on the command line (`-c name=value`) or in `cdk.json`, read and checked.
 */
import type { Node } from 'constructs';

export interface Settings {
  /** `stackName`. Also the first part of where the providers' keys are kept. */
  readonly stackName: string;
  /** `retain`; `false`: the tables go when the stack goes. */
  readonly retain: boolean;
  /** `throttleRate`, requests a second over time, and `throttleBurst`, requests at once, for all callers together. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** `ledgerDays`: how long the record of each request is kept. Their daily sums stay. */
  readonly ledgerDays: number;
  /** `memory` of each function that serves requests, in MB. What it needs is in `test/bench/RESULTS.md`. */
  readonly memory: number;
  /** `logLevel` of the functions. */
  readonly logLevel: string;
}

/** Those that Lambda has. */
const memorySizes = { least: 128, most: 10_240 };

const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/** Reads the settings from the context of the app. Throws an Error that names the setting at fault. */
export function readSettings(node: Node): Settings {
  const text = (name: string, otherwise: string) => String(node.tryGetContext(name) ?? otherwise);
  return {
    stackName: text('stackName', 'ModelGateway'),
    retain: oneOf('retain', text('retain', 'true'), ['true', 'false']) === 'true',
    throttle: {
      rate: wholeNumber('throttleRate', text('throttleRate', '1000')),
      burst: wholeNumber('throttleBurst', text('throttleBurst', '500')),
    },
    ledgerDays: wholeNumber('ledgerDays', text('ledgerDays', '90')),
    memory: wholeNumber('memory', text('memory', '512'), memorySizes),
    logLevel: oneOf('logLevel', text('logLevel', 'INFO'), logLevels),
  };
}

function wholeNumber(
  name: string,
  value: string,
  { least, most } = { least: 1, most: Number.MAX_SAFE_INTEGER },
) {
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Error(`The setting "${name}" must be a whole number from ${least} to ${most}, not "${value}".`);
}

function oneOf(name: string, value: string, choices: readonly string[]): string {
  if (choices.includes(value)) return value;
  throw new Error(`The setting "${name}" must be one of ${choices.join(', ')}, not "${value}".`);
}
