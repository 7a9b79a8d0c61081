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

/** `resources`: their names begin with that of the stack where the service lets them. */
type Rights = readonly [actions: readonly string[], resources: (place: Place) => readonly string[]];

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
    [
      of('apigateway', 'GET POST PUT PATCH DELETE TagResource UntagResource SetWebACL UpdateRestApiPolicy'),
      ({ partition, region }) => [`arn:${partition}:apigateway:${region}::/*`],
    ],
  ],
  ApplicationAutoScaling: [[['application-autoscaling:*'], everything]],
  CloudFront: [
    [
      // Most of its resources are named by ids that it makes up, in an account as a whole.
      of(
        'cloudfront',
        '*Distribution* *Function* *OriginAccessControl* *ResponseHeadersPolic* *agResource ListTagsForResource',
      ),
      ({ partition, account }) => [`arn:${partition}:cloudfront::${account}:*`],
    ],
    [['cloudfront:List*'], everything],
  ],
  CloudWatch: [
    [
      ['cloudwatch:*'],
      (place) => [
        ...inRegion('cloudwatch', 'alarm:')(place),
        ...named(`arn:${place.partition}:cloudwatch::${place.account}:dashboard/`, place.stack),
      ],
    ],
  ],
  CodeDeploy: [
    [['codedeploy:*'], inRegion('codedeploy', 'application:', 'deploymentgroup:', 'deploymentconfig:*')],
  ],
  Cognito: [
    [['cognito-idp:*'], inRegion('cognito-idp', 'userpool/*')],
    [of('cognito-idp', 'CreateUserPool ListUserPools DescribeUserPoolDomain'), everything],
  ],
  DynamoDB: [
    [
      [
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
      ({ partition, account, stack }) => named(`arn:${partition}:dynamodb:*:${account}:table/`, stack),
    ],
  ],
  EC2: [[of('ec2', 'Describe* *Vpc* *Subnet* *Route* *InternetGateway* *SecurityGroup* *Tags'), everything]],
  ECS: [[['ecs:*'], everything]],
  ElasticLoadBalancingV2: [[['elasticloadbalancing:*'], everything]],
  Events: [[['events:*'], inRegion('events', 'rule/')]],
  IAM: [
    [
      of(
        'iam',
        '*Role *RolePolicy *RolePolicies *RoleTags *RolePermissionsBoundary UpdateAssumeRolePolicy UpdateRoleDescription',
      ),
      ({ partition, account, stack }) => named(`arn:${partition}:iam::${account}:role/`, stack),
    ],
    [
      ['iam:CreateServiceLinkedRole'],
      ({ partition, account }) => [`arn:${partition}:iam::${account}:role/aws-service-role/*`],
    ],
  ],
  KMS: [
    [
      [
        ...of(
          'kms',
          'CreateKey Describe* Get* List* PutKeyPolicy EnableKeyRotation ScheduleKeyDeletion *agResource',
        ),
        // For tables with a key of the operator. Source: the permissions of the type AWS::DynamoDB::GlobalTable.
        ...of('kms', 'UpdateKeyDescription CreateGrant RevokeGrant Decrypt'),
      ],
      everything,
    ],
  ],
  Lambda: [[['lambda:*'], everything]],
  Logs: [
    [['logs:*'], inRegion('logs', 'log-group:', 'log-group:/aws/lambda/')],
    [of('logs', 'Describe* *LogDelivery *ResourcePolicy *ResourcePolicies'), everything],
  ],
  S3: [
    [
      ['s3:*'],
      ({ partition, stack }) => named(`arn:${partition}:s3:::`, stack).map((name) => name.toLowerCase()),
    ],
  ],
  // A group is deleted with its schedules. Source: the permissions of the type AWS::Scheduler::ScheduleGroup.
  Scheduler: [
    [
      of('scheduler', '*ScheduleGroup *agResource ListTagsForResource DeleteSchedule'),
      inRegion('scheduler', 'schedule-group/', 'schedule/'),
    ],
  ],
  SNS: [[['sns:*'], inRegion('sns', '')]],
  SQS: [[['sqs:*'], inRegion('sqs', '')]],
  SecretsManager: [
    [['secretsmanager:*'], inRegion('secretsmanager', 'secret:*')],
    [['secretsmanager:GetRandomPassword'], everything],
  ],
  WAFv2: [[['wafv2:*'], everything]],
};
