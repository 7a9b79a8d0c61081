/** What roles may do at Bedrock, no more than the settings let requests reach; with the operator's own key; and with a part of a table. */
import { Aws } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { allowedRegions } from '../../../lib/core/catalog/geography.ts';
import { regionsIn } from '../../../lib/core/catalog/regions.ts';
import { partitionKey } from '../../../lib/core/tables.ts';
import type { BedrockSettings } from '../../settings/groups/bedrock.ts';

/**
 * The ARNs of models in every region that an allowed profile routes to, and of the profiles of the calling region: those of AWS, and
 * those that the account made of them, for its own tags on the bill. Source: docs.aws.amazon.com bedrock/latest/userguide,
 * geographic-cross-region-inference, inference-profiles-prereq.
 */
export function callable({ region, geography }: BedrockSettings['bedrock']): readonly string[] {
  const calling = region || Aws.REGION;
  const allowed = allowedRegions(calling, geography);
  const models = [...new Set(allowed?.flatMap(regionsIn) ?? ['*'])];
  // Where requests may go anywhere, a deployment may be called in the region that its row names.
  const profiles = `arn:${Aws.PARTITION}:bedrock:${allowed ? calling : '*'}:${Aws.ACCOUNT_ID}`;
  return [
    ...models.map((each) => `arn:${Aws.PARTITION}:bedrock:${each}::foundation-model/*`),
    `${profiles}:inference-profile/*`,
    `${profiles}:application-inference-profile/*`,
  ];
}

/**
 * What policies of guardrails name: guardrails of the account, which may work in other regions by a profile, and checks that have no
 * resource. Each in the regions that requests may reach. Source: docs.aws.amazon.com bedrock/latest/userguide, guardrails-permissions,
 * guardrail-profiles-permissions.
 */
export function guarding({ region, geography }: BedrockSettings['bedrock']): readonly PolicyStatement[] {
  const allowed = allowedRegions(region || Aws.REGION, geography);
  const regions = [...new Set(allowed?.flatMap(regionsIn) ?? ['*'])];
  const resources = regions.flatMap((each) =>
    ['guardrail', 'guardrail-profile'].map(
      (kind) => `arn:${Aws.PARTITION}:bedrock:${each}:${Aws.ACCOUNT_ID}:${kind}/*`,
    ),
  );
  return [
    new PolicyStatement({ actions: ['bedrock:ApplyGuardrail'], resources }),
    new PolicyStatement({
      actions: ['bedrock:InvokeGuardrailChecks'],
      resources: ['*'],
      ...(allowed && { conditions: { StringEquals: { 'aws:RequestedRegion': regions } } }),
    }),
  ];
}

/**
 * Bedrock subscribes the account to a model of another owner when it is first called, with the permissions of the caller. Source:
 * docs.aws.amazon.com bedrock/latest/userguide, model-access.
 */
export const subscribing = () =>
  new PolicyStatement({
    actions: ['aws-marketplace:Subscribe', 'aws-marketplace:ViewSubscriptions'],
    resources: ['*'],
    conditions: { StringEquals: { 'aws:CalledViaLast': 'bedrock.amazonaws.com' } },
  });

/** What a table with a key of the operator needs of those who read and write it. Source: aws-cdk-lib, `aws-dynamodb/lib/perms`. */
export const tableKeyActions = [
  'Decrypt',
  'DescribeKey',
  'Encrypt',
  'GenerateDataKey',
  'ReEncryptFrom',
  'ReEncryptTo',
].map((action) => `kms:${action}`);

/**
 * Allows a service to use the operator's key for a role, and the role to use it in no other way. DynamoDB and the
 * parameter store decrypt with the permissions of the reader. Source: docs.aws.amazon.com KMS, conditions-kms.
 */
export const usingKey = (
  kmsKeyArn: string,
  service: string,
  actions: readonly string[],
  contextLike?: Record<string, string>,
): PolicyStatement =>
  new PolicyStatement({
    actions: [...actions],
    resources: [kmsKeyArn],
    conditions: {
      StringEquals: { 'kms:ViaService': viaService(service) },
      ...(contextLike && { StringLike: contextLike }),
    },
  });

/** KMS documents `amazonaws.com` alone; regions of other partitions may have their own suffix here, as in the names of hosts. */
const viaService = (service: string): string[] =>
  ['amazonaws.com', Aws.URL_SUFFIX].map((suffix) => `${service}.${Aws.REGION}.${suffix}`);

type Table = Pick<ITable, 'tableArn'>;

/** To read the names of all tenants. A scan cannot be limited to some items, but to an attribute: of keys, it sees their hashes. */
export const namesOfTenants = ({ tableArn }: Table): PolicyStatement =>
  new PolicyStatement({
    actions: ['dynamodb:Scan'],
    resources: [tableArn],
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': [partitionKey] },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    },
  });

const keysLike = (prefixes: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) },
});

/** For the items whose keys begin so, and no others. */
export const itemsOf = (
  { tableArn }: Table,
  prefixes: readonly string[],
  actions: readonly string[],
): PolicyStatement =>
  new PolicyStatement({ actions: [...actions], resources: [tableArn], conditions: keysLike(prefixes) });

/** To update these attributes, and no others, of items whose key begins so. */
export const changesOf = (
  { tableArn }: Table,
  prefix: string,
  attributes: readonly string[],
): PolicyStatement =>
  new PolicyStatement({
    actions: ['dynamodb:UpdateItem'],
    resources: [tableArn],
    conditions: {
      ...keysLike([prefix]),
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': [partitionKey, ...attributes] },
      // The answer must not show the other attributes. Source: docs.aws.amazon.com DynamoDB, specifying-conditions.
      StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
    },
  });
