/** The permissions for a part of a table. */
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { partitionKey } from '../../../lib/core/tables.ts';

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
