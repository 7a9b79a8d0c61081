/** Reads and checks the settings of a deployment, from the command line (`-c name=value`), a settings file (`-c config=`) or `cdk.json`. */
import type { Node } from 'constructs';
import { type GivenSettings, givenSettings } from './given.ts';
import { type AccountSettings, readAccount } from './groups/account.ts';
import { readAlarms, type WatchSettings } from './groups/alarms.ts';
import { type BedrockSettings, readBedrock } from './groups/bedrock.ts';
import { type Compute, computes } from './groups/computes.ts';
import { type DashboardSettings, readDashboard } from './groups/dashboard.ts';
import { type Domain, readDomain } from './groups/domain.ts';
import { type EdgeSettings, readEdge } from './groups/edge.ts';
import { type EndpointSettings, readEndpoints } from './groups/endpoints.ts';
import { hasEventFunction } from './groups/event-functions.ts';
import { type FargateSettings, readFargate } from './groups/fargate.ts';
import { type GeneralSettings, readGeneral } from './groups/general.ts';
import { type LogSettings, readLogs } from './groups/logs.ts';
import { type MetricSettings, readMetrics } from './groups/metrics.ts';
import { type ReleaseSettings, readRelease } from './groups/release.ts';
import { type ReplicaSettings, readReplicas } from './groups/replicas.ts';
import { readTables, type TableSettings } from './groups/tables.ts';
import { readTelemetry, type TelemetrySettings } from './groups/telemetry.ts';
import { readTraffic, type TrafficSettings } from './groups/traffic.ts';
import { readWeb, type WebSettings } from './groups/web.ts';
import { settingRows } from './rows.ts';
import { readStackName } from './stack-name.ts';
import { oneOf, type SettingText } from './values.ts';

export interface Settings
  extends BedrockSettings,
    GeneralSettings,
    TableSettings,
    ReplicaSettings,
    LogSettings,
    TrafficSettings,
    ReleaseSettings,
    EdgeSettings,
    EndpointSettings,
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
export function composeSettings(text: SettingText): Omit<Settings, 'given'> {
  const stackName = readStackName(text);
  const compute = oneOf('compute', text('compute', 'event'), computes);
  const domain = readDomain(text);
  const tables = readTables(text);
  const traffic = readTraffic(text);
  const edge = readEdge(text, domain);
  return {
    stackName,
    ...readGeneral(text),
    ...readBedrock(text),
    ...tables,
    ...readReplicas(text, tables),
    ...readLogs(text),
    ...traffic,
    ...readRelease(text, compute, traffic.reservedConcurrency),
    ...edge,
    ...readEndpoints(text),
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
