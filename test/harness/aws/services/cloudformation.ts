/** Stacks. Sources: docs.aws.amazon.com CloudFormation, API_DescribeStacks, API_ListStackResources, API_DeleteStack, API_GetTemplate. */
import { AwsRefusal, type FakeService, type Input } from '../service.ts';

export interface FakeStack {
  status: string;
  reason?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  isProtected?: boolean;
  /** `[logical id, type, physical id]` */
  readonly resources?: readonly (readonly [string, string, string])[];
  readonly template?: object;
}

const resourcesOfPage = 100;

/** By name; a test may change them. */
export function cloudFormation(stacks: Readonly<Record<string, FakeStack>>): FakeService {
  const find = ({ StackName }: Input) => {
    const stack = stacks[String(StackName)];
    if (stack && stack.status !== 'DELETE_COMPLETE') return stack;
    throw new AwsRefusal('ValidationError', `Stack with id ${StackName} does not exist`);
  };
  return {
    name: 'cloudformation',
    protocol: 'query',
    namespace: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
    actions: {
      // A stack without a change set that was carried out has no template. Source: aws/aws-sam-cli #5687, envato/stack_master #233.
      GetTemplate(input) {
        const { status, template = {} } = find(input);
        return { TemplateBody: status === 'REVIEW_IN_PROGRESS' ? '' : JSON.stringify(template) };
      },
      UpdateTerminationProtection(input) {
        find(input).isProtected = input.EnableTerminationProtection === 'true';
        return {};
      },
      DeleteStack(input) {
        const stack = find(input);
        if (stack.isProtected)
          throw new AwsRefusal(
            'ValidationError',
            `Stack [${input.StackName}] cannot be deleted while TerminationProtection is enabled`,
          );
        stack.status = stack.reason ? 'DELETE_FAILED' : 'DELETE_COMPLETE';
        return {};
      },
      DescribeStacks: (input) => ({ Stacks: [describe(String(input.StackName), find(input))] }),
      ListStackResources(input) {
        const start = Number(input.NextToken ?? 0);
        const all = find(input).resources ?? [];
        const next = start + resourcesOfPage;
        return {
          StackResourceSummaries: all.slice(start, next).map(([LogicalResourceId, ResourceType, id]) => ({
            LogicalResourceId,
            PhysicalResourceId: id,
            ResourceType,
            ResourceStatus: 'CREATE_COMPLETE',
            LastUpdatedTimestamp: '2026-11-20T00:00:00Z',
          })),
          NextToken: next < all.length ? next : undefined,
        };
      },
    },
  };
}

const describe = (name: string, { status, reason, outputs = {}, isProtected = false }: FakeStack) => ({
  StackName: name,
  StackId: `arn:aws:cloudformation:eu-west-1:123456789012:stack/${name}/1a2b`,
  CreationTime: '2026-11-20T00:00:00Z',
  StackStatus: status,
  StackStatusReason: reason,
  EnableTerminationProtection: isProtected,
  Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
});
