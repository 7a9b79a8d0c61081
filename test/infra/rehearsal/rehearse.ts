/**
 * Creates stacks as CloudFormation does, lets one resource fail, and rolls back: what stays behind, and whether it is in the way of the
 * next attempt. A model of CloudFormation's rules, not of AWS. Sources: AWS CloudFormation user guide, "DeletionPolicy attribute"
 * (RetainExceptOnCreate deletes what a failed creation has made) and "Stack failure options".
 */
import type { StackTemplate, TemplateResource } from './graph.ts';

/** What is in the account, by type and physical name: a name of the template, or one that is new each time. */
export type Account = Map<string, TemplateResource>;

export interface Outcome {
  /** The resource that could not be made because of something that was there before; undefined if there was none. */
  readonly collision: string | undefined;
  /** Of those that this attempt made: what is still there after the rollback, as type and logical id. */
  readonly left: readonly string[];
}

/** The property that names a resource in the account. Without a value there, CloudFormation makes up a name. */
const nameProperties: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::DomainName': ['DomainName'],
  'AWS::CloudFront::Function': ['Name'],
  'AWS::CloudWatch::Alarm': ['AlarmName'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::CodeDeploy::Application': ['ApplicationName'],
  'AWS::DynamoDB::GlobalTable': ['TableName'],
  'AWS::Events::Rule': ['Name'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::Lambda::Function': ['FunctionName'],
  'AWS::Lambda::WebFunction': ['FunctionName', 'WebFunctionName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::SNS::Topic': ['TopicName'],
  'AWS::SQS::Queue': ['QueueName'],
  'AWS::WAFv2::WebACL': ['Name'],
};

/** Fails at the resource `failing`, or nowhere. `order` is that of creation; `attempt` is part of the names that CloudFormation makes up. */
export function createStack(
  template: StackTemplate,
  account: Account,
  {
    order,
    attempt,
    failing,
  }: { readonly order: readonly string[]; readonly attempt: number; readonly failing?: string },
): Outcome {
  const made: (readonly [id: string, name: string])[] = [];
  for (const id of order) {
    const resource = resourceOf(template, id);
    const name = physicalName(id, resource, attempt);
    const isTaken = account.has(name);
    if (isTaken || id === failing) {
      rollBack(template, account, made);
      return { collision: isTaken ? id : undefined, left: leftOf(template, account, made) };
    }
    account.set(name, resource);
    made.push([id, name]);
  }
  return { collision: undefined, left: leftOf(template, account, made) };
}

type Made = readonly (readonly [id: string, name: string])[];

/** In the reverse order. A resource whose deletion AWS refuses stays, too. */
function rollBack(template: StackTemplate, account: Account, made: Made): void {
  for (const [id, name] of made.toReversed()) {
    const { DeletionPolicy, Properties } = resourceOf(template, id);
    if (DeletionPolicy !== 'Retain' && !isProtected(Properties)) account.delete(name);
  }
}

const leftOf = (template: StackTemplate, account: Account, made: Made): readonly string[] =>
  made.flatMap(([id, name]) => (account.has(name) ? [`${resourceOf(template, id).Type} ${id}`] : []));

const isProtected = (properties: unknown): boolean =>
  JSON.stringify(properties ?? {}).match(/"DeletionProtectionEnabled":true|"DeletionProtection":"ACTIVE"/) !==
  null;

function physicalName(id: string, { Type, Properties = {} }: TemplateResource, attempt: number): string {
  const given = (nameProperties[Type] ?? []).map((property) => Properties[property]).find(isGiven);
  if (given === undefined) return `${Type} ${id} of attempt ${attempt}`;
  // Names that contain those of other resources are as new as these are.
  const isNew = /"(Ref|Fn::GetAtt)":(?!"AWS::)/.test(JSON.stringify(given));
  return `${Type} ${JSON.stringify(given)}${isNew ? ` of attempt ${attempt}` : ''}`;
}

const isGiven = (value: unknown): boolean => value !== undefined;

function resourceOf({ Resources }: StackTemplate, id: string): TemplateResource {
  const found = Resources[id];
  if (!found) throw new Error(`The template has no resource ${id}.`);
  return found;
}
