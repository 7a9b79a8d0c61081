/**
 * A table of the gateway with our defaults: on demand, restorable to any point in time, items that expire, and kept when
 * the stack goes. It also knows what a reader of it needs, so that `GatewayFunction.reads` grants no more.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { expiryAttribute, partitionKey, sortKey, type TableName, tables } from '../../lib/core/tables.ts';

interface GatewayTableProps {
  readonly name: TableName;
  /** Whether the table outlives its stack and refuses to be deleted. */
  readonly retain: boolean;
}

// A key is only ever looked up by its hash: no function may list who holds one.
const readActions: Readonly<Record<TableName, readonly string[]>> = {
  access: ['dynamodb:GetItem'],
  catalog: ['dynamodb:GetItem', 'dynamodb:Scan'],
  // What is remembered is found by a key that only its owner can make.
  state: ['dynamodb:GetItem'],
  // What is used up of a limit. Whoever reads records is granted that apart.
  usage: ['dynamodb:GetItem'],
};

export class GatewayTable extends Construct {
  readonly table: TableV2;
  readonly environmentVariable: string;
  readonly readActions: readonly string[];

  constructor(scope: Construct, id: string, { name, retain }: GatewayTableProps) {
    super(scope, id);
    this.environmentVariable = tables[name].environmentVariable;
    this.readActions = readActions[name];
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...('isSorted' in tables[name] && { sortKey: { name: sortKey, type: AttributeType.STRING } }),
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: expiryAttribute,
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
