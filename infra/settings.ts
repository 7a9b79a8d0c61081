/** Reads and checks the settings of a deployment, from the command line (`-c name=value`) or `cdk.json`. */
import type { Node } from 'constructs';
import { readCorsOrigins } from '../lib/core/cors.ts';
import { type ExportFormat, exportFormats } from '../lib/metering/export/formats.ts';

export interface Settings {
  /** `stackName`. Also the first part of the parameter names of provider keys. */
  readonly stackName: string;
  /** `retain`; with `false`, the tables are deleted with the stack. */
  readonly retain: boolean;
  /** `throttleRate`, sustained requests per second, and `throttleBurst`, for all callers together. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** `ledgerDays`: how long the record of each request is kept. Daily totals stay. */
  readonly ledgerDays: number;
  /** `cacheSeconds`: the longest that content is cached at a provider that charges for it by time. */
  readonly cacheSeconds: number;
  /** `memory` of each function that serves requests, in MB. See `test/bench/RESULTS.md`. */
  readonly memory: number;
  /** `corsOrigins`: the web pages that may call the gateway from a browser, separated by commas; none by default. */
  readonly corsOrigins: readonly string[];
  /** `alertMail`: the address that alerts about budgets are mailed to; none by default. */
  readonly alertMail: string;
  /** `exportBucket`: where the ledger is exported to each day, in `exportFormat`; nowhere by default. */
  readonly exportBucket: string;
  readonly exportFormat: ExportFormat;
  /** `logLevel` of the functions. */
  readonly logLevel: string;
}

/** Lambda's limits. */
const memorySizes = { min: 128, max: 10_240 };

const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/** Reads the settings from the context of the app. Throws an Error that names the setting at fault. */
export function readSettings(node: Node): Settings {
  const text = (name: string, defaultValue: string) => String(node.tryGetContext(name) ?? defaultValue);
  return {
    stackName: text('stackName', 'ModelGateway'),
    retain: oneOf('retain', text('retain', 'true'), ['true', 'false']) === 'true',
    throttle: {
      rate: wholeNumber('throttleRate', text('throttleRate', '1000')),
      burst: wholeNumber('throttleBurst', text('throttleBurst', '500')),
    },
    ledgerDays: wholeNumber('ledgerDays', text('ledgerDays', '90')),
    cacheSeconds: wholeNumber('cacheSeconds', text('cacheSeconds', '3600')),
    memory: wholeNumber('memory', text('memory', '512'), memorySizes),
    corsOrigins: readCorsOrigins('The setting "corsOrigins"', text('corsOrigins', '')),
    alertMail: mailAddress('alertMail', text('alertMail', '')),
    exportBucket: bucketName('exportBucket', text('exportBucket', '')),
    exportFormat: oneOf('exportFormat', text('exportFormat', 'focus'), exportFormats),
    logLevel: oneOf('logLevel', text('logLevel', 'INFO'), logLevels),
  };
}

function wholeNumber(name: string, value: string, { min, max } = { min: 1, max: Number.MAX_SAFE_INTEGER }) {
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Error(`The setting "${name}" must be a whole number from ${min} to ${max}, not "${value}".`);
}

function mailAddress(name: string, value: string): string {
  if (value === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return value;
  throw new Error(`The setting "${name}" must be a mail address, not "${value}".`);
}

/** No certificate covers the host name of a bucket with dots. */
function bucketName(name: string, value: string): string {
  if (value === '' || /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(value)) return value;
  throw new Error(`The setting "${name}" must be the name of a bucket, without dots, not "${value}".`);
}

function oneOf<Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new Error(`The setting "${name}" must be one of ${choices.join(', ')}, not "${value}".`);
}
