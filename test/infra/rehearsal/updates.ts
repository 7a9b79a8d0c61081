/**
 * What an update of a stack does with each resource. A change of some properties makes a new resource in place of the old one: it gets
 * another address, and what it holds is gone or left behind. Source: AWS CloudFormation template reference, "Update requires: Replacement"
 * of each property.
 */
import { isDeepStrictEqual } from 'node:util';
import type { StackTemplate, TemplateResource } from './graph.ts';

export type Effect = 'created' | 'changed' | 'replaced' | 'deleted' | 'left behind';

export interface Update {
  readonly id: string;
  readonly type: string;
  readonly effect: Effect;
}

/** The properties of the types that have an address of their own, or hold data. Of other types, a replacement is not noticed. */
const fixedProperties: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::DomainName': ['DomainName'],
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::CloudFront::Distribution': [],
  'AWS::Cognito::UserPool': ['UsernameAttributes', 'AliasAttributes', 'UsernameConfiguration'],
  'AWS::Cognito::UserPoolClient': ['UserPoolId', 'GenerateSecret'],
  'AWS::Cognito::UserPoolDomain': ['UserPoolId', 'Domain'],
  'AWS::DynamoDB::GlobalTable': ['KeySchema', 'LocalSecondaryIndexes', 'TableName'],
  'AWS::ElasticLoadBalancingV2::LoadBalancer': ['Name', 'Scheme', 'Type'],
  'AWS::Lambda::Alias': ['FunctionName', 'Name'],
  'AWS::Lambda::Function': ['FunctionName', 'PackageType'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
};

/** Types of which the loss of one would be noticed by callers or tenants. */
export const keptTypes: readonly string[] = Object.keys(fixedProperties);

/** What happens to the resources of a stack with an update, without those that stay as they are. */
export function updatesOf(before: StackTemplate, after: StackTemplate): readonly Update[] {
  const ids = new Set([...Object.keys(before.Resources), ...Object.keys(after.Resources)]);
  return [...ids].flatMap((id) => {
    const [old, made] = [before.Resources[id], after.Resources[id]];
    const effect = effectOf(old, made);
    return effect === undefined ? [] : [{ id, type: (made ?? old)?.Type ?? '', effect }];
  });
}

function effectOf(old: TemplateResource | undefined, made: TemplateResource | undefined): Effect | undefined {
  if (!old) return 'created';
  if (!made) return isRetained(old) ? 'left behind' : 'deleted';
  if (old.Type !== made.Type) return 'replaced';
  const isFixed = (name: string) => isDeepStrictEqual(old.Properties?.[name], made.Properties?.[name]);
  if (!(fixedProperties[made.Type] ?? []).every(isFixed)) return 'replaced';
  return isDeepStrictEqual(old.Properties, made.Properties) ? undefined : 'changed';
}

/** Both policies keep a resource that an update leaves out. Source: AWS CloudFormation user guide, "DeletionPolicy attribute". */
const isRetained = ({ DeletionPolicy = '' }: TemplateResource) =>
  DeletionPolicy === 'Retain' || DeletionPolicy === 'RetainExceptOnCreate';
