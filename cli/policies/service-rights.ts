/**
 * What CloudFormation needs to make, change and remove the resources of each service that the stacks use: the rights of a role for
 * `cdk bootstrap --cloudformation-execution-policies` in place of AdministratorAccess. Source: docs.aws.amazon.com Service
 * Authorization Reference, the page of each service.
 */

import { resourcePrefixes } from '../../infra/names.ts';

/** Where a gateway is. */
export interface Place {
  readonly partition: string;
  readonly account: string;
  readonly region: string;
  readonly stack: string;
}

interface Rights {
  readonly actions: readonly string[];
  /** The resources, whose names begin with that of the stack where the service lets them. */
  readonly resources: (place: Place) => readonly string[];
}

/** Actions of a service, with spaces between. */
export const of = (service: string, actions: string): readonly string[] =>
  actions.split(' ').map((action) => `${service}:${action}`);

const everything = (): readonly string[] => ['*'];

/** `arn:…:<service>:<region>:<account>:<each>`, followed by the names of the gateway's resources unless it ends in `*`. */
const inRegion =
  (service: string, ...kinds: readonly string[]) =>
  ({ partition, region, account, stack }: Place) =>
    kinds.flatMap((kind) => named(`arn:${partition}:${service}:${region}:${account}:${kind}`, stack));

function named(start: string, stack: string): readonly string[] {
  return start.endsWith('*') ? [start] : resourcePrefixes(stack).map((prefix) => `${start}${prefix}*`);
}

/** By the second part of a resource type, as in `AWS::Lambda::Function`. */
export const serviceRights: Readonly<Record<string, readonly Rights[]>> = {
  ApiGateway: [
    {
      actions: of(
        'apigateway',
        'GET POST PUT PATCH DELETE TagResource UntagResource SetWebACL UpdateRestApiPolicy',
      ),
      resources: ({ partition, region }) => [`arn:${partition}:apigateway:${region}::/*`],
    },
  ],
  ApplicationAutoScaling: [{ actions: ['application-autoscaling:*'], resources: everything }],
  CloudFront: [
    {
      // Most of its resources are named by ids that it makes up, in an account as a whole.
      actions: of(
        'cloudfront',
        '*Distribution* *Function* *OriginAccessControl* *ResponseHeadersPolic* *agResource ListTagsForResource',
      ),
      resources: ({ partition, account }) => [`arn:${partition}:cloudfront::${account}:*`],
    },
    { actions: ['cloudfront:List*'], resources: everything },
  ],
  CloudWatch: [
    {
      actions: ['cloudwatch:*'],
      resources: (place) => [
        ...inRegion('cloudwatch', 'alarm:')(place),
        ...named(`arn:${place.partition}:cloudwatch::${place.account}:dashboard/`, place.stack),
      ],
    },
  ],
  CodeDeploy: [
    {
      actions: ['codedeploy:*'],
      resources: inRegion('codedeploy', 'application:', 'deploymentgroup:', 'deploymentconfig:*'),
    },
  ],
  Cognito: [
    {
      actions: ['cognito-idp:*'],
      resources: inRegion('cognito-idp', 'userpool/*'),
    },
    {
      actions: of('cognito-idp', 'CreateUserPool ListUserPools DescribeUserPoolDomain'),
      resources: everything,
    },
  ],
  DynamoDB: [
    {
      actions: [
        ...of(
          'dynamodb',
          '*Table* *ContinuousBackups *TimeToLive *TagsOfResource *agResource *ContributorInsights',
        ),
        ...of(
          'dynamodb',
          '*KinesisStreamingDestination *ResourcePolicy CreateTableReplica *StreamSpecification',
        ),
        // With replicas, DynamoDB asks whether these are allowed. Source: the permissions of the type AWS::DynamoDB::GlobalTable.
        ...of('dynamodb', 'Query Scan GetItem PutItem UpdateItem DeleteItem BatchWriteItem'),
      ],
      resources: ({ partition, account, stack }) =>
        named(`arn:${partition}:dynamodb:*:${account}:table/`, stack),
    },
  ],
  EC2: [
    {
      actions: of('ec2', 'Describe* *Vpc* *Subnet* *Route* *InternetGateway* *SecurityGroup* *Tags'),
      resources: everything,
    },
  ],
  ECS: [{ actions: ['ecs:*'], resources: everything }],
  ElasticLoadBalancingV2: [{ actions: ['elasticloadbalancing:*'], resources: everything }],
  Events: [{ actions: ['events:*'], resources: inRegion('events', 'rule/') }],
  IAM: [
    {
      actions: of(
        'iam',
        '*Role *RolePolicy *RolePolicies *RoleTags *RolePermissionsBoundary UpdateAssumeRolePolicy UpdateRoleDescription',
      ),
      resources: ({ partition, account, stack }) => named(`arn:${partition}:iam::${account}:role/`, stack),
    },
    {
      actions: ['iam:CreateServiceLinkedRole'],
      resources: ({ partition, account }) => [`arn:${partition}:iam::${account}:role/aws-service-role/*`],
    },
  ],
  KMS: [
    {
      actions: [
        ...of(
          'kms',
          'CreateKey Describe* Get* List* PutKeyPolicy EnableKeyRotation ScheduleKeyDeletion *agResource',
        ),
        // For tables with a key of the operator. Source: the permissions of the type AWS::DynamoDB::GlobalTable.
        ...of('kms', 'UpdateKeyDescription CreateGrant RevokeGrant Decrypt'),
      ],
      resources: everything,
    },
  ],
  Lambda: [
    {
      actions: ['lambda:*'],
      resources: everything,
    },
  ],
  Logs: [
    {
      actions: ['logs:*'],
      resources: inRegion('logs', 'log-group:', 'log-group:/aws/lambda/'),
    },
    {
      actions: of('logs', 'Describe* *LogDelivery *ResourcePolicy *ResourcePolicies'),
      resources: everything,
    },
  ],
  S3: [
    {
      actions: ['s3:*'],
      resources: ({ partition, stack }) =>
        named(`arn:${partition}:s3:::`, stack).map((name) => name.toLowerCase()),
    },
  ],
  SNS: [{ actions: ['sns:*'], resources: inRegion('sns', '') }],
  SQS: [{ actions: ['sqs:*'], resources: inRegion('sqs', '') }],
  SecretsManager: [
    { actions: ['secretsmanager:*'], resources: inRegion('secretsmanager', 'secret:*') },
    { actions: ['secretsmanager:GetRandomPassword'], resources: everything },
  ],
  WAFv2: [
    {
      actions: ['wafv2:*'],
      resources: everything,
    },
  ],
};
