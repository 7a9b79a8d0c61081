/** Reads and checks the settings of a deployment, from the command line (`-c name=value`) or `cdk.json`. */
import type { Node } from 'constructs';
import { readCorsOrigins } from '../../lib/core/cors.ts';
import { type ExportFormat, exportFormats } from '../../lib/metering/export/formats.ts';
import { readAlarms, type WatchSettings } from './alarms.ts';
import { type Compute, computes } from './computes.ts';
import { type Domain, readDomain } from './domain.ts';
import { type EdgeSettings, readEdge } from './edge.ts';
import { hasEventFunction } from './event-functions.ts';
import { type FargateSettings, readFargate } from './fargate.ts';
import { type ReleaseSettings, readRelease } from './release.ts';
import { type ReplicaSettings, readReplicas } from './replicas.ts';
import { readTables, type TableSettings } from './tables.ts';
import { readTelemetry, type TelemetrySettings } from './telemetry.ts';
import { readTraffic, type TrafficSettings } from './traffic.ts';
import { matching, oneOf, type SettingText, wholeNumber } from './values.ts';
import { readWeb, type WebSettings } from './web.ts';

export interface Settings
  extends TableSettings,
    ReplicaSettings,
    TrafficSettings,
    ReleaseSettings,
    EdgeSettings,
    WatchSettings,
    TelemetrySettings {
  /** `stackName`. Also the first part of the parameter names of provider keys. */
  readonly stackName: string;
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
  /** `exportBucket`: where the ledger is exported to each day, in `exportFormat`; nowhere by default. */
  readonly exportBucket: string;
  readonly exportFormat: ExportFormat;
  /** `logLevel` of the functions. */
  readonly logLevel: string;
  /** `domainName` and `certificateArn`; the API's own address by default. */
  readonly domain: Domain | undefined;
  /** `compute`: what runs the operations. */
  readonly compute: Compute;
  /** With `compute=web` only. */
  readonly web: WebSettings | undefined;
  /** With `compute=fargate` only. */
  readonly fargate: FargateSettings | undefined;
}

/** Lambda's limits. */
const memorySizes = { min: 128, max: 10_240 };

const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/** Reads the settings from the context of the app. Throws an Error that names the setting at fault. */
export function readSettings(node: Node): Settings {
  const text: SettingText = (name, defaultValue) => String(node.tryGetContext(name) ?? defaultValue);
  const stackName = text('stackName', 'ModelGateway');
  const compute = oneOf('compute', text('compute', 'event'), computes);
  const domain = readDomain(text);
  const tables = readTables(text);
  const traffic = readTraffic(text);
  refuseWithoutEffect(node, compute, traffic.reservedConcurrency.keys());
  return {
    stackName,
    ...tables,
    ...readReplicas(text, tables.kmsKeyArn),
    ...traffic,
    ...readRelease(text, compute, traffic.reservedConcurrency),
    ...readEdge(text, domain),
    ...readTelemetry(text),
    ledgerDays: wholeNumber('ledgerDays', text('ledgerDays', '90')),
    cacheSeconds: wholeNumber('cacheSeconds', text('cacheSeconds', '3600')),
    memory: wholeNumber('memory', text('memory', '512'), memorySizes),
    corsOrigins: readCorsOrigins('The setting "corsOrigins"', text('corsOrigins', '')),
    ...readAlarms(text),
    exportBucket: matching(
      'exportBucket',
      text('exportBucket', ''),
      bucketName,
      'the name of a bucket, without dots',
    ),
    exportFormat: oneOf('exportFormat', text('exportFormat', 'focus'), exportFormats),
    logLevel: oneOf('logLevel', text('logLevel', 'INFO'), logLevels),
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
  canary: ['event'],
  provisioned: ['event', 'web'],
  provisionedMax: ['event', 'web'],
  provisionedHours: ['event', 'web'],
  concurrencyQuota: ['event'],
  privateApi: ['event', 'web'],
  disableExecuteApiEndpoint: ['event', 'web'],
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

/** A throttle that limits nothing would not be noticed before it is needed. */
function refuseWithoutEffect(node: Node, compute: Compute, reserved: Iterable<string>): void {
  for (const [name, hosts] of Object.entries(hostsOf)) {
    if (hosts.includes(compute) || node.tryGetContext(name) === undefined) continue;
    throw new Error(`The setting "${name}" has no effect with compute=${compute}: leave it out.`);
  }
  const wrong = [...reserved].find((name) => !hasEventFunction(name, compute));
  if (wrong !== undefined)
    throw new Error(
      `The setting "reservedConcurrency" cannot have "${wrong}" with compute=${compute}: it is no function of its own there.`,
    );
}

/** No certificate covers the host name of a bucket with dots. */
const bucketName = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
