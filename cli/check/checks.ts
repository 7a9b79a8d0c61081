/** Every check, in the order in which they are shown. A line of it is a row of the documentation, too. */
import { dataStackName, pascalCase } from '../../infra/names.ts';
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

/** Whose checks they are; each `*`: any. */
type Place = Readonly<Record<'partition' | 'region' | 'account' | 'stack', string>>;

/** Reads of one thing alone: other tables hold what callers wrote and hashes of keys, other parameters are secrets. */
const bounded: Readonly<Record<string, (place: Place) => string>> = {
  'dynamodb:Scan': ({ partition, region, account, stack }) =>
    `arn:${partition}:dynamodb:${region}:${account}:table/${dataStackName(stack)}-Catalog*`,
  'ssm:GetParameter': ({ partition, region, account }) =>
    `arn:${partition}:ssm:${region}:${account}:parameter/cdk-bootstrap/*`,
};

/** The permissions that all of them need: what they are for, the actions, and the resource. None changes anything, or reads a secret. */
export function checkStatements(
  place: Place,
): readonly (readonly [id: string, actions: readonly string[], resource: string])[] {
  const actions = [...new Set([...accountChecks, ...stackChecks].flatMap(({ needs }) => needs))].sort();
  return [
    ['Check', actions.filter((action) => !bounded[action]), '*'],
    ...Object.entries(bounded).map(
      ([action, resource]) => [pascalCase(action.replace(/\W/, '-')), [action], resource(place)] as const,
    ),
  ];
}

/** The same as a policy of IAM. */
export const checkPolicy = () => ({
  Version: '2012-10-17',
  Statement: checkStatements({ partition: '*', region: '*', account: '*', stack: '*' }).map(
    ([id, Action, Resource]) => ({ Sid: `Gateway${id}`, Effect: 'Allow', Action, Resource }),
  ),
});
