/** Reads and checks the settings of a deployment, from the command line (`-c name=value`), a settings file (`-c config=`) or `cdk.json`. */
import type { Node } from 'constructs';
import { adminStackName } from '../names.ts';
import { type GivenSettings, givenSettings } from './given.ts';
import { type AccountSettings, readAccount } from './groups/account.ts';
import { readAlarms, type WatchSettings } from './groups/alarms.ts';
import { type BedrockSettings, readBedrock } from './groups/bedrock.ts';
import { type Compute, computes, hasEventFunction } from './groups/computes.ts';
import { type DashboardSettings, readDashboard } from './groups/dashboard.ts';
import { type Domain, type EdgeSettings, readDomain, readEdge } from './groups/edge.ts';
import { type FargateSettings, readFargate } from './groups/fargate.ts';
import { type FileSettings, readFiles } from './groups/files.ts';
import { type GeneralSettings, readGeneral } from './groups/general.ts';
import { type ReleaseSettings, readRelease } from './groups/release.ts';
import { type ReplicaSettings, readReplicas } from './groups/replicas.ts';
import { readTables, type TableSettings } from './groups/tables.ts';
import {
  type MetricSettings,
  readMetrics,
  readTelemetry,
  type TelemetrySettings,
} from './groups/telemetry.ts';
import { readTraffic, type TrafficSettings } from './groups/traffic.ts';
import { readWeb, type WebSettings } from './groups/web.ts';
import { settingRows } from './rows.ts';
import { oneOf, type SettingText } from './values.ts';

export interface Settings
  extends BedrockSettings,
    GeneralSettings,
    TableSettings,
    FileSettings,
    ReplicaSettings,
    TrafficSettings,
    ReleaseSettings,
    EdgeSettings,
    WatchSettings,
    MetricSettings,
    TelemetrySettings,
    AccountSettings {
  /** `stackName`. Also the first part of the parameter names of provider keys. */
  readonly stackName: string;
  /** `domainName` and `certificateArn`; the API's own address by default. */
  readonly domain: Domain | undefined;
  /** `dashboard` and what belongs to it; undefined: there is neither a page nor an admin API. */
  readonly dashboard: DashboardSettings | undefined;
  /** `compute`: what runs the operations. */
  readonly compute: Compute;
  /** With `compute=web` only. */
  readonly web: WebSettings | undefined;
  /** With `compute=fargate` only. */
  readonly fargate: FargateSettings | undefined;
  /** What was given, as texts. */
  readonly given: GivenSettings;
}

/** Reads the settings from the context of the app. Throws an Error that names the setting at fault. */
export function readSettings(node: Node): Settings {
  const given = givenSettings(node.getAllContext());
  const settings = composeSettings((name, defaultValue) => given.get(name) ?? defaultValue);
  refuseWithoutEffect(given, settings);
  return { ...settings, given };
}

/** Asks for each setting that counts. */
function composeSettings(text: SettingText): Omit<Settings, 'given'> {
  const stackName = readStackName(text);
  const compute = oneOf(text, 'compute', computes, 'event');
  const domain = readDomain(text);
  const tables = readTables(text);
  const traffic = readTraffic(text);
  const edge = readEdge(text, domain);
  return {
    stackName,
    ...readGeneral(text),
    ...readBedrock(text),
    ...tables,
    ...readFiles(text),
    ...readReplicas(text, tables),
    ...traffic,
    ...readRelease(text, compute, traffic.reservedConcurrency),
    ...edge,
    ...readAlarms(text),
    ...readMetrics(text),
    ...readTelemetry(text),
    ...readAccount(text),
    domain,
    dashboard: readDashboard(text, edge.vpcEndpoints.length > 0),
    compute,
    web: compute === 'web' ? readWeb(text, stackName) : undefined,
    fargate: compute === 'fargate' ? readFargate(text, domain !== undefined) : undefined,
  };
}

/** A throttle that limits nothing would not be noticed before it is needed. */
function refuseWithoutEffect(
  given: GivenSettings,
  { compute, reservedConcurrency }: Pick<Settings, 'compute' | 'reservedConcurrency'>,
): void {
  const useless = settingRows.find(
    ({ name, hosts }) => given.has(name) && hosts?.includes(compute) === false,
  );
  if (useless)
    throw new Error(`The setting "${useless.name}" has no effect with compute=${compute}: leave it out.`);
  const wrong = [...reservedConcurrency.keys()].find((name) => !hasEventFunction(name, compute));
  if (wrong !== undefined)
    throw new Error(
      `The setting "reservedConcurrency" cannot have "${wrong}" with compute=${compute}: it is no function of its own there.`,
    );
}

/** Source: docs.aws.amazon.com CloudFormation, API_CreateStack, "StackName". */
const stackNameForm = /^[A-Za-z][A-Za-z0-9-]*$/;
const longestStackName = 128 - adminStackName('').length;

/** The first part of a parameter's name may not begin so. Source: docs.aws.amazon.com Systems Manager, API_PutParameter, "Name". */
const reservedStackName = /^(?:aws|ssm)/i;

/** Throws an Error that names the setting. */
function readStackName(text: SettingText): string {
  const name = text('stackName', 'ModelGateway');
  if (stackNameForm.test(name) && name.length <= longestStackName && !reservedStackName.test(name))
    return name;
  throw new Error(
    `The setting "stackName" must be a letter and then letters, digits and hyphens, at most ${longestStackName} in all, and not begin with "aws" or "ssm", not "${name}".`,
  );
}

/** Settings that let every reader ask. */
const probes: readonly Readonly<Record<string, string>>[] = [
  {},
  { alarmEmail: 'ops@example.com' },
  { compute: 'web' },
  { compute: 'fargate', balancer: 'private' },
];

/** The value of each setting where it is not given: what its reader asks for. */
export function settingDefaults(): ReadonlyMap<string, string> {
  const defaults = new Map<string, string>();
  for (const probe of probes)
    composeSettings((name, defaultValue) => {
      if (!defaults.get(name)) defaults.set(name, defaultValue);
      return probe[name] ?? defaultValue;
    });
  return defaults;
}
