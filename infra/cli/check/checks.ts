/** Every check, in the order in which they are shown. A line of it is a row of the documentation, too. */
import { dataStackName } from '../../names.ts';
import type { AccountCheck, StackCheck } from './check.ts';
import { aggregator } from './rows/aggregator.ts';
import { alarmStates, subscriptions } from './rows/alarms.ts';
import { accountThrottle, stageThrottle } from './rows/api-throttle.ts';
import { anthropicForm, bedrockAccess } from './rows/bedrock-access.ts';
import { bootstrap } from './rows/bootstrap.ts';
import { concurrency } from './rows/concurrency.ts';
import { dashboardAnswers, firstOperator } from './rows/dashboard.ts';
import { gatewayAnswers } from './rows/gateway-answers.ts';
import { logGroups } from './rows/log-groups.ts';
import { orphanTables } from './rows/orphan-tables.ts';
import { outputs } from './rows/outputs.ts';
import { parameterStore } from './rows/parameter-store.ts';
import { providerCalls } from './rows/provider-calls.ts';
import { providerKeys } from './rows/provider-keys.ts';
import { region } from './rows/region.ts';
import { stackStatus } from './rows/stack-status.ts';
import { tables } from './rows/tables.ts';

export const accountChecks: readonly AccountCheck[] = [
  region,
  bootstrap,
  concurrency,
  accountThrottle,
  parameterStore,
  bedrockAccess,
  anthropicForm,
];

export const stackChecks: readonly StackCheck[] = [
  stackStatus,
  outputs,
  tables,
  orphanTables,
  stageThrottle,
  providerKeys,
  aggregator,
  subscriptions,
  alarmStates,
  logGroups,
  gatewayAnswers,
  dashboardAnswers,
  firstOperator,
  providerCalls,
];

/** The models are read. Other tables hold what callers wrote, and hashes of keys. */
export const modelReads: readonly string[] = ['dynamodb:Scan'];

/** What all of them need beside it, of anything. */
export const checkActions = (): readonly string[] =>
  [...new Set([...accountChecks, ...stackChecks].flatMap(({ needs }) => needs))]
    .filter((action) => !modelReads.includes(action))
    .sort();

/** The permissions that all of them need, as a policy of IAM. None of them changes anything, or reads a secret. */
export const checkPolicy = () => ({
  Version: '2012-10-17',
  Statement: [
    { Sid: 'GatewayCheck', Effect: 'Allow', Action: checkActions(), Resource: '*' },
    {
      Sid: 'GatewayModels',
      Effect: 'Allow',
      Action: modelReads,
      Resource: `arn:*:dynamodb:*:*:table/${dataStackName('*')}-Catalog*`,
    },
  ],
});
