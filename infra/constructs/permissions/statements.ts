/** What roles may do with a part of a table, and with the operator's own key. */
import { Aws } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { partitionKey } from '../../../lib/core/tables.ts';

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
