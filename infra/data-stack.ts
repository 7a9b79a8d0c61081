/**
 * The tables of a gateway, in a stack of their own: a deployment of the functions that fails, or their removal, does not touch them.
 */
import { CfnOutput, type Environment, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { kindOf, type TableName, tableNames } from '../lib/core/tables.ts';
import { GatewayTable } from './constructs/gateway-table.ts';
import type { TableAddress, TableAddresses } from './constructs/used-table.ts';
import { pascalCase } from './names.ts';
import type { ReplicaSettings } from './settings/replicas.ts';
import type { TableSettings } from './settings/tables.ts';

/** The name of the stack of a gateway's tables. */
export const dataStackName = (stackName: string): string => `${stackName}Data`;

/**
 * What replicas share. Of two writes to one item, the later one stays: that is right for models and keys, which people change, and
 * wrong for counters, of which it would lose one. Stored responses stay where they are.
 */
const shared: readonly TableName[] = ['catalog', 'access'];

interface DataSettings extends TableSettings, Pick<ReplicaSettings, 'replicaRegions'> {
  /** The account and region, as far as they are known. Replicas need both. */
  readonly env?: Environment;
}

export class GatewayDataStack extends Stack {
  constructor(scope: Construct, id: string, settings: DataSettings) {
    const { retain, kmsKeyArn, responseRecovery, replicaRegions, env } = settings;
    super(scope, id, {
      description: 'Tables of a model gateway',
      terminationProtection: retain,
      ...(env && { env }),
    });
    for (const name of tableNames) {
      const recovery = name !== 'state' || responseRecovery;
      const { table } = new GatewayTable(this, pascalCase(name), {
        name,
        retain,
        recovery,
        kmsKeyArn,
        replicaRegions: shared.includes(name) ? replicaRegions : [],
      });
      this.output(arnOutput(name), table.tableArn, `The ARN of the table "${name}"`);
      if (kindOf(name).hasStream && table.tableStreamArn)
        this.output(
          streamOutput(name),
          table.tableStreamArn,
          `The ARN of the changes of the table "${name}"`,
        );
    }
  }

  /**
   * The tables as another stack names them. It reads the outputs when it is deployed, so it can leave a table without a change of this
   * stack; an export could not be removed while it is in use.
   */
  get addresses(): TableAddresses {
    const output = (name: string) => Fn.getStackOutput(this.stackName, name);
    const addresses = tableNames.map((name): readonly [TableName, TableAddress] => [
      name,
      {
        arn: output(arnOutput(name)),
        ...(kindOf(name).hasStream && { streamArn: output(streamOutput(name)) }),
      },
    ]);
    return Object.fromEntries(addresses) as Record<TableName, TableAddress>;
  }

  private output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}

const arnOutput = (name: TableName) => `${pascalCase(name)}TableArn`;
const streamOutput = (name: TableName) => `${pascalCase(name)}StreamArn`;
