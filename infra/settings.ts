/** Reads and checks the settings of a deployment, from the command line (`-c name=value`) or `cdk.json`. */
import type { Node } from 'constructs';
import { readCorsOrigins } from '../lib/core/cors.ts';
import { operations } from '../lib/core/operations.ts';
import { type ExportFormat, exportFormats } from '../lib/metering/export/formats.ts';
import { type FargateSettings, readFargate } from './fargate-settings.ts';
import { matching, oneOf, wholeNumber } from './setting-values.ts';
import { webOperations } from './web-operations.ts';
import { readWeb, type WebSettings } from './web-settings.ts';

export interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

/** A domain of the operator for the API, with a certificate of the same region. */
export interface Domain {
  readonly name: string;
  readonly certificateArn: string;
}

export interface Settings {
  /** `stackName`. Also the first part of the parameter names of provider keys. */
  readonly stackName: string;
  /** `retain`; with `false`, the tables are deleted with the stack. */
  readonly retain: boolean;
  /** `throttleRate`, sustained requests per second, and `throttleBurst`, for all callers together. */
  readonly throttle: Throttle;
  /** `openThrottleRate` and `openThrottleBurst`: the same for each operation that needs no API key. */
  readonly openThrottle: Throttle;
  /**
   * `reservedConcurrency`: how many requests a function serves at a time, and keeps of the account's concurrency, by the name of its
   * operation or `aggregate`. None by default: a new account may have no more than ten in all.
   */
  readonly reservedConcurrency: ReadonlyMap<string, number>;
  /** `ledgerDays`: how long the record of each request is kept. Daily totals stay. */
  readonly ledgerDays: number;
  /** `cacheSeconds`: the longest that content is cached at a provider that charges for it by time. */
  readonly cacheSeconds: number;
  /**
   * `memory` of each function that serves requests, in MB. The largest allowed request takes 309 and Lambda's own part, which 512
   * holds and 256 does not: `docs/decisions/0066-one-file-at-the-start.md`, `test/contract/request-memory.test.ts`.
   */
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
  /** `kmsKeyArn`: the operator's key for tables and provider keys; keys of AWS by default. */
  readonly kmsKeyArn: string;
  /** `responseRecovery`: whether stored responses that were deleted can be restored for some weeks, as all tables can. */
  readonly responseRecovery: boolean;
  /** `domainName` and `certificateArn`; the API's own address by default. */
  readonly domain: Domain | undefined;
  /** `compute`: what runs the operations. */
  readonly compute: Compute;
  /** With `compute=web` only. */
  readonly web: WebSettings | undefined;
  /** With `compute=fargate` only. */
  readonly fargate: FargateSettings | undefined;
}

/**
 * What runs the operations: `event` has one Lambda function for each operation; `web` has Web Functions for those that generate
 * text; `fargate` has a server of all operations.
 */
export const computes = ['event', 'web', 'fargate'] as const;
export type Compute = (typeof computes)[number];

/** Requests per second, where the setting of this name is not given. */
export const throttleRate = 1_000;
/** Far more than people who look at models need. */
export const openThrottleRate = 100;
const throttleDefaults = { throttleRate, throttleBurst: 500, openThrottleRate, openThrottleBurst: 100 };

/** Lambda's limits. */
const memorySizes = { min: 128, max: 10_240 };

const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/** Reads the settings from the context of the app. Throws an Error that names the setting at fault. */
export function readSettings(node: Node): Settings {
  const text = (name: string, defaultValue: string) => String(node.tryGetContext(name) ?? defaultValue);
  const throttle = (name: keyof typeof throttleDefaults) =>
    wholeNumber(name, text(name, String(throttleDefaults[name])));
  const stackName = text('stackName', 'ModelGateway');
  const compute = oneOf('compute', text('compute', 'event'), computes);
  const domain = readDomain(text);
  const reservedConcurrency = concurrencies('reservedConcurrency', text('reservedConcurrency', ''));
  refuseWithoutEffect(node, compute, reservedConcurrency.keys());
  return {
    stackName,
    retain: oneOf('retain', text('retain', 'true'), ['true', 'false']) === 'true',
    throttle: { rate: throttle('throttleRate'), burst: throttle('throttleBurst') },
    openThrottle: { rate: throttle('openThrottleRate'), burst: throttle('openThrottleBurst') },
    reservedConcurrency,
    ledgerDays: wholeNumber('ledgerDays', text('ledgerDays', '90')),
    cacheSeconds: wholeNumber('cacheSeconds', text('cacheSeconds', '3600')),
    memory: wholeNumber('memory', text('memory', '512'), memorySizes),
    corsOrigins: readCorsOrigins('The setting "corsOrigins"', text('corsOrigins', '')),
    alertMail: matching('alertMail', text('alertMail', ''), mailAddress, 'a mail address'),
    exportBucket: matching(
      'exportBucket',
      text('exportBucket', ''),
      bucketName,
      'the name of a bucket, without dots',
    ),
    exportFormat: oneOf('exportFormat', text('exportFormat', 'focus'), exportFormats),
    logLevel: oneOf('logLevel', text('logLevel', 'INFO'), logLevels),
    kmsKeyArn: matching('kmsKeyArn', text('kmsKeyArn', ''), keyArn, 'the ARN of a key of KMS'),
    responseRecovery: oneOf('responseRecovery', text('responseRecovery', 'on'), ['on', 'off']) === 'on',
    domain,
    compute,
    web: compute === 'web' ? readWeb(text, stackName) : undefined,
    fargate: compute === 'fargate' ? readFargate(text, domain !== undefined) : undefined,
  };
}

/** What has an effect on some hosts only. */
const hostsOf: Readonly<Record<string, readonly Compute[]>> = {
  throttleRate: ['event', 'web'],
  throttleBurst: ['event', 'web'],
  openThrottleRate: ['event', 'web'],
  openThrottleBurst: ['event', 'web'],
  memory: ['event', 'web'],
  webEnvironments: ['web'],
  webConcurrency: ['web'],
  originSecret: ['web'],
  minTasks: ['fargate'],
  maxTasks: ['fargate'],
  taskCpu: ['fargate'],
  taskMemory: ['fargate'],
  taskArchitecture: ['fargate'],
  balancer: ['fargate'],
};

/** Whether it is an event function, which alone can have reserved concurrency. */
function isFunction(name: string, compute: Compute): boolean {
  if (compute === 'fargate') return name === 'aggregate';
  return compute === 'event' || !webOperations.some((operation) => operation === name);
}

/** A throttle that limits nothing would not be noticed before it is needed. */
function refuseWithoutEffect(node: Node, compute: Compute, reserved: Iterable<string>): void {
  for (const [name, hosts] of Object.entries(hostsOf)) {
    if (hosts.includes(compute) || node.tryGetContext(name) === undefined) continue;
    throw new Error(`The setting "${name}" has no effect with compute=${compute}: leave it out.`);
  }
  const wrong = [...reserved].find((name) => !isFunction(name, compute));
  if (wrong !== undefined)
    throw new Error(
      `The setting "reservedConcurrency" cannot have "${wrong}" with compute=${compute}: it is no function of its own there.`,
    );
}

const mailAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** No certificate covers the host name of a bucket with dots. */
const bucketName = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const keyArn = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key\/[A-Za-z0-9-]+$/;
const certificateArn = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate\/[A-Za-z0-9-]+$/;
/** A label has at most 63 characters. */
const hostName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

function readDomain(text: (name: string, defaultValue: string) => string): Domain | undefined {
  const domain = {
    name: matching('domainName', text('domainName', ''), hostName, 'a host name in lower case'),
    certificateArn: matching(
      'certificateArn',
      text('certificateArn', ''),
      certificateArn,
      'the ARN of a certificate of ACM',
    ),
  };
  if (!domain.name && !domain.certificateArn) return undefined;
  if (domain.name && domain.certificateArn) return domain;
  throw new Error('The settings "domainName" and "certificateArn" go together.');
}

/** What may have reserved concurrency: all that serves requests, and what they need to be counted. */
const reservable = [...operations.map(({ name }) => name), 'aggregate'];

/** A list such as `chat-completions:100,models:10`. */
function concurrencies(name: string, value: string): ReadonlyMap<string, number> {
  const parts = value.split(',').flatMap((part) => part.trim() || []);
  return new Map(
    parts.map((part) => {
      const [, what = '', number = ''] = /^([^:]*):(.*)$/.exec(part) ?? [];
      return [oneOf(name, what, reservable), wholeNumber(name, number)];
    }),
  );
}
