/** All settings of a deployment. */
import { accountRows } from './account.ts';
import { watchRows } from './alarms.ts';
import { bedrockRows } from './bedrock.ts';
import { dashboardRows } from './dashboard.ts';
import { domainRows } from './domain.ts';
import { edgeRows } from './edge.ts';
import { endpointRows } from './endpoints.ts';
import { fargateRows } from './fargate.ts';
import { generalRows } from './general.ts';
import { identityProviderRows } from './identity-provider.ts';
import { logRows } from './logs.ts';
import { metricRows } from './metrics.ts';
import { releaseRows } from './release.ts';
import { replicaRows } from './replicas.ts';
import type { SettingRow } from './row.ts';
import { tableRows } from './tables.ts';
import { telemetryRows } from './telemetry.ts';
import { trafficRows } from './traffic.ts';
import { webRows } from './web.ts';

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
      'What runs the operations: `event` (Lambda functions), `web` (experimental: Web Functions for those that generate text) or `fargate` (a server in containers). [hosts.md](hosts.md) compares them',
  },
  ...generalRows,
  ...bedrockRows,
  ...tableRows,
  ...logRows,
  ...trafficRows,
  ...releaseRows,
  ...domainRows,
  ...edgeRows,
  ...endpointRows,
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
