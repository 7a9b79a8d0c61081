/** What roles may start: workers, and what listens to alerts. */
import { Aws } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Permissions } from './permissions.ts';

const variables = { background: 'GATEWAY_BACKGROUND_FUNCTION', batches: 'GATEWAY_BATCHES_FUNCTION' } as const;

/** Allows starting the function that creates responses in the background, or that works on batches, and no other. */
export function allowWorker(
  permissions: Permissions,
  of: keyof typeof variables,
  { functionArn }: IFunction,
): void {
  permissions.allows(['lambda:InvokeFunction'], functionArn);
  permissions.setVariable(variables[of], functionArn);
}

/** Allows putting events on the default bus of the account. */
export const allowAlerts = (permissions: Permissions): void =>
  permissions.allows(
    ['events:PutEvents'],
    `arn:${Aws.PARTITION}:events:${Aws.REGION}:${Aws.ACCOUNT_ID}:event-bus/default`,
  );
