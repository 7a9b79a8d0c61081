/** All settings of a deployment. */
import { accountRows } from './groups/account.ts';
import { watchRows } from './groups/alarms.ts';
import { bedrockRows } from './groups/bedrock.ts';
import { dashboardRows } from './groups/dashboard.ts';
import { domainRows, edgeRows } from './groups/edge.ts';
import { fargateRows } from './groups/fargate.ts';
import { fileRows } from './groups/files.ts';
import { generalRows } from './groups/general.ts';
import { identityProviderRows } from './groups/identity-provider.ts';
import { releaseRows } from './groups/release.ts';
import { replicaRows } from './groups/replicas.ts';
import { tableRows } from './groups/tables.ts';
import { metricRows, telemetryRows } from './groups/telemetry.ts';
import { trafficRows } from './groups/traffic.ts';
import { webRows } from './groups/web.ts';
import type { SettingRow } from './values.ts';

/** What says which gateway it is; all others change that gateway. */
export const identityRows: readonly SettingRow[] = [
  {
    name: 'config',
    meaning: 'A file of settings, such as `config/prod.json`. What is given beside it counts more',
  },
  {
    name: 'stackName',
    meaning: 'The name of the stack, and the first part of the parameter names of provider keys',
  },
];

export const settingRows: readonly SettingRow[] = [
  ...identityRows,
  {
    name: 'compute',
    meaning:
      'What runs the operations: `event` (Lambda functions), `web` (experimental: Web Functions for those that generate text) or `fargate` (a server in containers). [hosts.md](../operate/hosts.md) compares them',
  },
  ...generalRows,
  ...bedrockRows,
  ...tableRows,
  ...fileRows,
  ...trafficRows,
  ...releaseRows,
  ...domainRows,
  ...edgeRows,
  ...replicaRows,
  ...dashboardRows,
  ...identityProviderRows,
  ...watchRows,
  ...metricRows,
  ...telemetryRows,
  ...accountRows,
  ...webRows,
  ...fargateRows,
];
