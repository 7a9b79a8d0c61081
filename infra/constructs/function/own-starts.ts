/**
 * Lets a function invoke itself: at once for work that takes longer than one invocation, and later by a schedule that runs once and is
 * deleted then.
 */
import { Aws, Stack } from 'aws-cdk-lib';
import { Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import type { GatewayFunction } from './gateway-function.ts';

/** Of a group of schedules. Source: scheduler, API_CreateScheduleGroup. */
const maxGroupName = 64;

const invoking = (functionArn: string): PolicyStatement =>
  new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] });

/** `suffix`: of the name of its group of schedules, which begins as the stack's. */
export function allowOwnStarts(
  scope: Construct,
  { live: { role, functionArn }, alias, permissions }: GatewayFunction,
  suffix = '',
): void {
  // As a part of its role, it would depend on a function that depends on it.
  new Policy(scope, 'Next', { ...(role && { roles: [role] }), statements: [invoking(functionArn)] });
  const name = `${Stack.of(scope).stackName.slice(0, maxGroupName - suffix.length)}${suffix}`;
  const scheduler = scheduleRole(scope, name);
  scheduler.addToPolicy(invoking(alias.functionArn));
  const each = `arn:${Aws.PARTITION}:scheduler:${Aws.REGION}:${Aws.ACCOUNT_ID}:schedule/${name}/*`;
  permissions.allows(
    ['scheduler:CreateSchedule'],
    each,
    'One schedule for each attempt, or work on a batch, that is to come.',
  );
  const conditions = { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } };
  permissions.adds(
    new PolicyStatement({ actions: ['iam:PassRole'], resources: [scheduler.roleArn], conditions }),
  );
  permissions.setVariables({ GATEWAY_SCHEDULE_GROUP: name, GATEWAY_SCHEDULE_ROLE: scheduler.roleArn });
}

/** Of schedules of a new group. Source of the conditions: scheduler/latest/UserGuide/cross-service-confused-deputy-prevention. */
function scheduleRole(scope: Construct, name: string): Role {
  const group = new CfnScheduleGroup(scope, 'Schedules', { name });
  const isOfGroup = { 'aws:SourceAccount': Aws.ACCOUNT_ID, 'aws:SourceArn': group.attrArn };
  return new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions: { StringEquals: isOfGroup } }),
  });
}
