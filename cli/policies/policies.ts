/** The rights that people and roles need: to deploy a gateway, to operate it, and to look at it. */

import { adminStackName, dataStackName } from '../../infra/names.ts';
import { checkStatements } from '../check/checks.ts';
import { of, type Place, serviceRights } from './service-rights.ts';

interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** The roles of `cdk bootstrap` that a deployment assumes. Source: aws-cdk, bootstrap-template.yaml. */
const bootstrapRoles = ['deploy', 'file-publishing', 'image-publishing', 'lookup'];
const qualifier = 'hnb659fds';

const stacksOf = ({ partition, region, account, stack }: Place) =>
  [stack, dataStackName(stack), adminStackName(stack)].map(
    (name) => `arn:${partition}:cloudformation:${region}:${account}:stack/${name}/*`,
  );

/** `npm run deploy` and `npm run destroy`. CloudFormation acts with the rights of its own role. */
function deployer(place: Place): readonly Statement[] {
  const { partition, account, region } = place;
  return [
    allow(
      'AssumeBootstrapRoles',
      ['sts:AssumeRole'],
      bootstrapRoles.map(
        (role) => `arn:${partition}:iam::${account}:role/cdk-${qualifier}-${role}-role-${account}-${region}`,
      ),
    ),
    allow(
      'CompareAndRemove',
      of(
        'cloudformation',
        'DescribeStacks GetTemplate ListStackResources UpdateTerminationProtection DeleteStack',
      ),
      stacksOf(place),
    ),
  ];
}

/** The role with which CloudFormation makes the resources: `cdk bootstrap --cloudformation-execution-policies`. */
function execution(place: Place): readonly Statement[] {
  const { partition, account, region, stack } = place;
  const services = Object.entries(serviceRights).flatMap(([service, rights]) =>
    rights.map(([actions, resources], index) => allow(`${service}${index + 1}`, actions, resources(place))),
  );
  return [
    ...services,
    allow(
      'ReadAssets',
      ['s3:GetObject*', 's3:GetBucket*', 's3:List*'],
      [
        `arn:${partition}:s3:::cdk-${qualifier}-assets-${account}-${region}`,
        `arn:${partition}:s3:::cdk-${qualifier}-assets-${account}-${region}/*`,
      ],
    ),
    allow(
      'ReadBootstrapVersion',
      ['ssm:GetParameters'],
      [`arn:${partition}:ssm:${region}:${account}:parameter/cdk-bootstrap/${qualifier}/version`],
    ),
    allow('ReadTableOutputs', ['cloudformation:DescribeStacks'], stacksOf({ ...place, stack })),
  ];
}

/** Item by item, and none that removes a table. */
const itemActions = of(
  'dynamodb',
  'GetItem PutItem UpdateItem DeleteItem Query Scan BatchGetItem BatchWriteItem',
);

const restoreActions = [
  ...of('dynamodb', 'DescribeTable ListTables DescribeContinuousBackups RestoreTableToPointInTime'),
  ...of('dynamodb', 'UpdateContinuousBackups DescribeTimeToLive UpdateTimeToLive UpdateTable'),
  ...of('dynamodb', 'ListTagsOfResource TagResource'),
];

/** `npm run gateway` with `--stack`: tenants, keys, prices, keys of providers, restores. */
function operator(place: Place): readonly Statement[] {
  const { partition, account, region, stack } = place;
  const tables = [`arn:${partition}:dynamodb:${region}:${account}:table/${dataStackName(stack)}-*`];
  const services = ['dynamodb', 'ssm'].map((service) => `${service}.${region}.amazonaws.com`);
  return [
    ...viewer(place),
    allow('Items', itemActions, tables),
    allow('Restore', restoreActions, tables),
    allow(
      'ProviderKeys',
      ['ssm:PutParameter', 'ssm:DeleteParameter', 'ssm:GetParameter', 'ssm:GetParametersByPath'],
      [
        `arn:${partition}:ssm:${region}:${account}:parameter/${stack}/providers`,
        `arn:${partition}:ssm:${region}:${account}:parameter/${stack}/providers/*`,
      ],
    ),
    allow('ListParameters', ['ssm:DescribeParameters'], ['*']),
    {
      ...allow('OwnKey', of('kms', 'Decrypt DescribeKey Encrypt GenerateDataKey ReEncrypt* CreateGrant'), [
        `arn:${partition}:kms:${region}:${account}:key/*`,
      ]),
      Condition: { StringEquals: { 'kms:ViaService': services } },
    },
  ];
}

/** `npm run gateway -- check`, and what is deployed. It reads models, and no other item and no secret: no parameter but the CDK's. */
const viewer = (place: Place): readonly Statement[] => [
  allow('Stacks', ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'], stacksOf(place)),
  ...checkStatements(place).map(([Sid, actions, resource]) => allow(Sid, actions, [resource])),
];

const allow = (Sid: string, Action: readonly string[], Resource: readonly string[]): Statement => ({
  Sid,
  Effect: 'Allow',
  Action,
  Resource,
});

export const policies: Readonly<Record<string, (place: Place) => readonly Statement[]>> = {
  deployer,
  execution,
  operator,
  viewer,
};

/** Throws an Error for an unknown name. */
export function policyOf(name: string, place: Place): Policy {
  const statements = policies[name];
  if (statements) return { Version: '2012-10-17', Statement: statements(place) };
  throw new Error(`The policies are ${Object.keys(policies).join(', ')}, not "${name}".`);
}
