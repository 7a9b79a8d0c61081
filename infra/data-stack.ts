/**
 * The tables of a gateway and the bucket of its files, in a stack of their own: a deployment of the functions that fails, or their removal, does not touch them.
 */
import { CfnOutput, type Environment, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { kindOf, type TableName, tableNames } from '../lib/core/tables.ts';
import { FilesBucket } from './constructs/table/files-bucket.ts';
import { GatewayTable } from './constructs/table/gateway-table.ts';
import { adoptedAddress, type TableAddress } from './constructs/table/used-table.ts';
import { pascalCase } from './names.ts';
import type { FileSettings } from './settings/groups/files.ts';
import { type ReplicaSettings, sharedTables } from './settings/groups/replicas.ts';
import type { TableSettings } from './settings/groups/tables.ts';

type DataSettings = TableSettings & FileSettings & Pick<ReplicaSettings, 'replicaRegions'>;

interface GatewayDataStackProps extends DataSettings {
  readonly stackTags: Record<string, string>;
  /** The account and region, as far as they are known. Replicas need both. */
  readonly env: Environment | undefined;
}

export class GatewayDataStack extends Stack {
  private readonly settings: DataSettings;

  constructor(scope: Construct, id: string, { stackTags, env, ...settings }: GatewayDataStackProps) {
    super(scope, id, {
      description: 'Tables of a model gateway',
      terminationProtection: settings.retain,
      tags: stackTags,
      ...(env && { env }),
    });
    this.settings = settings;
    for (const name of tableNames) {
      const adopted = settings.adopted.get(name);
      this.output(name, adopted ? adoptedAddress(adopted) : this.make(name));
    }
    const { fileDays, filesBucket } = settings;
    if (fileDays > 0)
      new CfnOutput(this, bucketOutput, {
        value: filesBucket || this.makeBucket(fileDays),
        description: 'The bucket of files',
      });
  }

  /** The name of the bucket of files, as another stack reads it. */
  get filesBucket(): string {
    return Fn.getStackOutput(this.stackName, bucketOutput);
  }

  private makeBucket(days: number): string {
    const { retain, kmsKeyArn } = this.settings;
    return new FilesBucket(this, 'FilesBucket', { retain, kmsKeyArn, days }).bucket.bucketName;
  }

  /**
   * A table as another stack names it. That stack reads the outputs when it is deployed, so it can leave a table without a change of
   * this stack; an export could not be removed while it is in use.
   */
  address(name: TableName): TableAddress {
    const read = (outputName: string) => Fn.getStackOutput(this.stackName, outputName);
    return {
      name: read(nameOutput(name)),
      arn: read(arnOutput(name)),
      ...(kindOf(name).hasStream && { streamArn: read(streamOutput(name)) }),
    };
  }

  private make(name: TableName): TableAddress {
    const { retain, kmsKeyArn, responseRecovery, replicaRegions } = this.settings;
    const { table } = new GatewayTable(this, pascalCase(name), {
      name,
      retain,
      recovery: name !== 'state' || responseRecovery,
      kmsKeyArn,
      replicaRegions: sharedTables.includes(name) ? replicaRegions : [],
    });
    const { tableName, tableArn, tableStreamArn } = table;
    return {
      name: tableName,
      arn: tableArn,
      ...(tableStreamArn !== undefined && { streamArn: tableStreamArn }),
    };
  }

  /**
   * In outputs. They name adopted tables too: what another stack reads here is then there also while it goes back to an earlier
   * version of itself.
   */
  private output(name: TableName, { name: tableName, arn, streamArn }: TableAddress): void {
    new CfnOutput(this, nameOutput(name), {
      value: tableName,
      description: `The name of the table "${name}"`,
    });
    new CfnOutput(this, arnOutput(name), { value: arn, description: `The ARN of the table "${name}"` });
    if (!kindOf(name).hasStream || streamArn === undefined) return;
    const description = `The ARN of the changes of the table "${name}"`;
    new CfnOutput(this, streamOutput(name), { value: streamArn, description });
  }
}

const bucketOutput = 'FilesBucketName';
const nameOutput = (name: TableName) => `${pascalCase(name)}TableName`;
const arnOutput = (name: TableName) => `${pascalCase(name)}TableArn`;
const streamOutput = (name: TableName) => `${pascalCase(name)}StreamArn`;
