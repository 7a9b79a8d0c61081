/** Stacks and their resources, and what deploying and destroying do with them. Source: docs.aws.amazon.com CloudFormation, API reference. */

import { setTimeout as pause } from 'node:timers/promises';
import { AwsError } from '../../lib/core/ports/aws.ts';
import type { AwsClients } from './clients.ts';
import { listAt, textAt } from './read-xml.ts';

export interface StackFacts {
  readonly name: string;
  readonly status: string;
  readonly reason: string;
  readonly isProtected: boolean;
  readonly outputs: ReadonlyMap<string, string>;
}

export interface StackResource {
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
}

/** More pages of resources than any stack has: a stack has at most 500 resources, and a page 100. */
const maxPages = 10;

/** Rejects with AwsError `ValidationError` if there is no such stack. */
export async function describeStack(aws: AwsClients, name: string): Promise<StackFacts> {
  const answer = await aws.query('cloudformation', 'DescribeStacks', { StackName: name });
  const [found] = listAt(answer, 'Stacks');
  const outputs = listAt(found, 'Outputs').map(
    (one) => [textAt(one, 'OutputKey'), textAt(one, 'OutputValue')] as const,
  );
  return {
    name,
    status: textAt(found, 'StackStatus'),
    reason: textAt(found, 'StackStatusReason'),
    isProtected: textAt(found, 'EnableTerminationProtection') === 'true',
    outputs: new Map(outputs),
  };
}

export async function listResources(aws: AwsClients, stack: string): Promise<readonly StackResource[]> {
  const found: StackResource[] = [];
  let token = '';
  for (let page = 0; page < maxPages; page += 1) {
    const fields = { StackName: stack, ...(token && { NextToken: token }) };
    const answer = await aws.query('cloudformation', 'ListStackResources', fields);
    for (const one of listAt(answer, 'StackResourceSummaries')) {
      found.push({
        logicalId: textAt(one, 'LogicalResourceId'),
        physicalId: textAt(one, 'PhysicalResourceId'),
        type: textAt(one, 'ResourceType'),
      });
    }
    token = textAt(answer, 'NextToken');
    if (!token) break;
  }
  return found;
}

/** Undefined if there is no such stack. */
export async function findStack(aws: AwsClients, name: string): Promise<StackFacts | undefined> {
  try {
    return await describeStack(aws, name);
  } catch (error) {
    if (error instanceof AwsError && error.type === 'ValidationError' && /not exist/.test(error.message))
      return undefined;
    throw error;
  }
}

export async function protectStack(aws: AwsClients, name: string, isProtected: boolean): Promise<void> {
  const fields = { StackName: name, EnableTerminationProtection: String(isProtected) };
  await aws.query('cloudformation', 'UpdateTerminationProtection', fields);
}

/** The template as it was sent. A stack whose first change set was not carried out has none, and no resources. */
export async function templateOf(aws: AwsClients, { name, status }: StackFacts): Promise<unknown> {
  if (status === 'REVIEW_IN_PROGRESS') return { Resources: {} };
  const fields = { StackName: name, TemplateStage: 'Original' };
  return JSON.parse(textAt(await aws.query('cloudformation', 'GetTemplate', fields), 'TemplateBody'));
}

/** A stack with containers and a load balancer takes some minutes. */
const maxRemovalMs = 3_600_000;

/** Resolves when the stack is gone. Throws with CloudFormation's reason if some of it cannot be deleted. */
export async function removeStack(aws: AwsClients, name: string, pauseMs: number): Promise<void> {
  await aws.query('cloudformation', 'DeleteStack', { StackName: name });
  for (let waitedMs = 0; waitedMs < maxRemovalMs; waitedMs += pauseMs) {
    const stack = await findStack(aws, name);
    if (!stack || stack.status === 'DELETE_COMPLETE') return;
    if (stack.status === 'DELETE_FAILED')
      throw new Error(`The stack ${name} was not deleted: ${stack.reason || stack.status}`);
    await pause(pauseMs);
  }
  throw new Error(`The stack ${name} is still being deleted.`);
}
