/**
 * A table with our defaults: on demand, point-in-time recovery, encrypted, expiring items, and retained when the stack is deleted.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { expiryAttribute, kindOf, partitionKey, sortKey, type TableName } from '../../../lib/core/tables.ts';
import { acknowledge } from '../acknowledge.ts';

interface GatewayTableProps {
  readonly name: TableName;
  /** Whether the table outlives its stack and cannot be deleted. */
  readonly retain: boolean;
  /** Whether it can be restored to any moment of the last 35 days. */
  readonly recovery: boolean;
  /** The ARN of the operator's key; a key of DynamoDB if empty. */
  readonly kmsKeyArn: string;
  /** Other regions that have the table too. */
  readonly replicaRegions: readonly string[];
}

export class GatewayTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, props: GatewayTableProps) {
    super(scope, id);
    const { name, retain, recovery, kmsKeyArn, replicaRegions } = props;
    const { isSorted, hasStream } = kindOf(name);
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...(isSorted && { sortKey: { name: sortKey, type: AttributeType.STRING } }),
      ...(hasStream && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: recovery },
      timeToLiveAttribute: expiryAttribute,
      replicas: replicaRegions.map((region) => ({ region })),
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    if (kmsKeyArn) this.encryptWith(kmsKeyArn, replicaRegions);
    if (recovery) return;
    acknowledge(this.table, { DDB3: 'The operator wants what is deleted of this table to be gone.' });
  }

  /**
   * The construct takes an operator's key only in a stack whose region is known before it is deployed. A replica is encrypted with the
   * key of the same id in its region, which only multi-region keys have. The construct puts the table's own region last.
   */
  private encryptWith(kmsKeyArn: string, replicaRegions: readonly string[]): void {
    const resource = this.table.node.defaultChild as CfnGlobalTable;
    resource.addPropertyOverride('SSESpecification', { SSEEnabled: true, SSEType: 'KMS' });
    const keys = [...replicaRegions.map((region) => inRegion(kmsKeyArn, region)), kmsKeyArn];
    for (const [index, key] of keys.entries())
      resource.addPropertyOverride(`Replicas.${index}.SSESpecification`, { KMSMasterKeyId: key });
  }
}

const inRegion = (arn: string, region: string) => arn.replace(/^((?:[^:]*:){3})[^:]*/, `$1${region}`);
