/** The permission to read the names of all tenants. */
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { partitionKey } from '../../lib/core/tables.ts';

/** A scan cannot be limited to some items, but to an attribute: of keys, it sees their hashes. */
export const namesOfTenants = ({ tableArn }: Pick<ITable, 'tableArn'>): PolicyStatement =>
  new PolicyStatement({
    actions: ['dynamodb:Scan'],
    resources: [tableArn],
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': [partitionKey] },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    },
  });
