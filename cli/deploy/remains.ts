/** What a stack takes with it when it is removed, and what stays in the account, by its template. */
import { z } from 'zod';
import type { StackResource } from '../../infra/aws/stacks.ts';

const schema = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), DeletionPolicy: z.string().optional() })),
});

export interface Remains {
  /** How many of each type go. */
  readonly goes: ReadonlyMap<string, number>;
  readonly stays: readonly StackResource[];
}

/** CloudFormation keeps what says so in the template that was deployed. Source: docs.aws.amazon.com CloudFormation, DeletionPolicy. */
export function remainsOf(template: unknown, resources: readonly StackResource[]): Remains {
  const { Resources } = schema.parse(template);
  const isKept = ({ logicalId }: StackResource) =>
    Resources[logicalId]?.DeletionPolicy?.startsWith('Retain') ?? false;
  const goes = new Map<string, number>();
  for (const resource of resources)
    if (!isKept(resource)) goes.set(resource.type, (goes.get(resource.type) ?? 0) + 1);
  return { goes, stays: resources.filter(isKept) };
}

const removals: Readonly<Record<string, (id: string) => readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': (id) => [
    `aws dynamodb update-table --table-name ${id} --no-deletion-protection-enabled`,
    `aws dynamodb delete-table --table-name ${id}`,
  ],
  // An update without other settings takes them back, which does not matter here. Source: docs.aws.amazon.com Cognito, API_UpdateUserPool.
  'AWS::Cognito::UserPool': (id) => [
    `aws cognito-idp update-user-pool --user-pool-id ${id} --deletion-protection INACTIVE`,
    `aws cognito-idp delete-user-pool --user-pool-id ${id}`,
  ],
  'AWS::Logs::LogGroup': (id) => [`aws logs delete-log-group --log-group-name ${id}`],
};

/** The commands that remove what stays, for those who want it gone; of roles and the like, a line that names them. */
export const removalOf = ({ type, physicalId }: StackResource): readonly string[] =>
  removals[type]?.(physicalId) ?? [`# ${type} ${physicalId}: other APIs of the account may use it`];

/** What `npm run deploy` needs to use the tables of a removed stack again; empty if it had none. */
export function adoptionOf(outputs: ReadonlyMap<string, string>): readonly string[] {
  return [...outputs].flatMap(([name, arn]) => {
    const [, table, kind] = /^(.*?)(TableArn|StreamArn)$/.exec(name) ?? [];
    if (table === undefined) return [];
    return ['-c', `tables.${table.toLowerCase()}${kind === 'StreamArn' ? 'Stream' : ''}=${arn}`];
  });
}
