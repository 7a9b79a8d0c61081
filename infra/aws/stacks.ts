/** Stacks and their resources. Sources: docs.aws.amazon.com CloudFormation, API_DescribeStacks, API_ListStackResources. */
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
