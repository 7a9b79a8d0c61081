/** The log groups of the stack, each with a generated name: one that outlives its stack does not keep the next stack from being made. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** How the lines of a group are kept. */
export interface LogKeeping {
  /** After so many, a line is deleted. CloudWatch allows certain numbers only. */
  readonly days: number;
  /** Whether the group outlives its stack: a record that could not be written into the ledger is only there. */
  readonly outliveStack: boolean;
}

export function logGroup(
  scope: Construct,
  id: string,
  { days, outliveStack }: LogKeeping,
  name?: string,
): LogGroup {
  return new LogGroup(scope, id, {
    ...(name !== undefined && { logGroupName: name }),
    retention: days,
    // A creation that fails has no lines that matter, and leaves no group.
    removalPolicy: outliveStack ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
}
