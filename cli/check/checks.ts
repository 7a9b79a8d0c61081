/** Every check, in the order in which they are shown. */
import { dataStackName, pascalCase } from '../../infra/names.ts';
import type { AccountCheck, StackCheck } from './check.ts';
import { bootstrap, concurrency, parameterStore, region } from './rows/account.ts';
import {
  dashboardAnswers,
  firstOperator,
  gatewayAnswers,
  providerCalls,
  providerKeys,
} from './rows/answers.ts';
import { accountThrottle, stageThrottle } from './rows/api-throttle.ts';
import { anthropicForm, bedrockAccess } from './rows/bedrock.ts';
import { aggregator, alarmStates, logGroups, subscriptions } from './rows/monitoring.ts';
import { orphanTables, outputs, stackStatus, tables } from './rows/stack.ts';

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
