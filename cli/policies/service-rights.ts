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
      actions: [
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'TagResource',
        'UntagResource',
        'SetWebACL',
        'UpdateRestApiPolicy',
      ].map((action) => `apigateway:${action}`),
      resources: ({ partition, region }) => [`arn:${partition}:apigateway:${region}::/*`],
    },
  ],
  ApplicationAutoScaling: [{ actions: ['application-autoscaling:*'], resources: everything }],
  CloudFront: [
    {
      // Most of its resources are named by ids that it makes up, in an account as a whole.
      actions: [
        '*Distribution*',
        '*Function*',
        '*OriginAccessControl*',
        '*ResponseHeadersPolic*',
        'TagResource',
        'UntagResource',
        'ListTagsForResource',
      ].map((action) => `cloudfront:${action}`),
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
      actions: [
        'cognito-idp:CreateUserPool',
        'cognito-idp:ListUserPools',
        'cognito-idp:DescribeUserPoolDomain',
      ],
      resources: everything,
    },
  ],
  DynamoDB: [
    {
      actions: [
        'dynamodb:*Table*',
        'dynamodb:*ContinuousBackups',
        'dynamodb:*TimeToLive',
        'dynamodb:*TagsOfResource',
        'dynamodb:*agResource',
        'dynamodb:*ContributorInsights',
        'dynamodb:*KinesisStreamingDestination',
        'dynamodb:*ResourcePolicy',
        'dynamodb:CreateTableReplica',
        'dynamodb:*StreamSpecification',
        // With replicas, DynamoDB asks whether these are allowed. Source: the permissions of the type AWS::DynamoDB::GlobalTable.
        'dynamodb:Query',
        'dynamodb:Scan',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
        'dynamodb:DeleteItem',
        'dynamodb:BatchWriteItem',
      ],
      resources: ({ partition, account, stack }) =>
        named(`arn:${partition}:dynamodb:*:${account}:table/`, stack),
    },
  ],
  EC2: [
    {
      actions: [
        'ec2:Describe*',
        'ec2:*Vpc*',
        'ec2:*Subnet*',
        'ec2:*Route*',
        'ec2:*InternetGateway*',
        'ec2:*SecurityGroup*',
        'ec2:*Tags',
      ],
      resources: everything,
    },
  ],
  ECS: [{ actions: ['ecs:*'], resources: everything }],
  ElasticLoadBalancingV2: [{ actions: ['elasticloadbalancing:*'], resources: everything }],
  Events: [{ actions: ['events:*'], resources: inRegion('events', 'rule/') }],
  IAM: [
    {
      actions: [
        'iam:*Role',
        'iam:*RolePolicy',
        'iam:*RolePolicies',
        'iam:*RoleTags',
        'iam:*RolePermissionsBoundary',
        'iam:UpdateAssumeRolePolicy',
        'iam:UpdateRoleDescription',
      ],
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
        'kms:CreateKey',
        'kms:Describe*',
        'kms:Get*',
        'kms:List*',
        'kms:PutKeyPolicy',
        'kms:EnableKeyRotation',
        'kms:ScheduleKeyDeletion',
        'kms:*agResource',
        'kms:UpdateKeyDescription',
        // For tables with a key of the operator. Source: the permissions of the type AWS::DynamoDB::GlobalTable.
        'kms:CreateGrant',
        'kms:RevokeGrant',
        'kms:Decrypt',
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
      actions: ['logs:Describe*', 'logs:*LogDelivery', 'logs:*ResourcePolicy', 'logs:*ResourcePolicies'],
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
