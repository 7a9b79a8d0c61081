/** A table of another stack, as the functions use it. It lists the actions that readers need, so that `Permissions.reads` grants no more. */
import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { kindOf, type TableName } from '../../../lib/core/tables.ts';
import { pascalCase } from '../../names.ts';
import type { AdoptedTable } from '../../settings/groups/tables.ts';

/** Where a table is. */
export interface TableAddress {
  readonly name: string;
  readonly arn: string;
  /** Of its changes; that of the usage table is needed. */
  readonly streamArn?: string;
}

export type TableAddresses = Readonly<Record<TableName, TableAddress>>;

// A key is only looked up by its hash: no function may list what is stored of keys.
const readActions: Readonly<Record<TableName, readonly string[]>> = {
  access: ['dynamodb:GetItem'],
  catalog: ['dynamodb:GetItem', 'dynamodb:Scan'],
  files: ['dynamodb:GetItem', 'dynamodb:Query'],
  // Stored items are found by a key that only their owner can compute.
  state: ['dynamodb:GetItem'],
  // Counters of limits. Reading records is granted separately.
  usage: ['dynamodb:GetItem'],
};

export const adoptedAddress = (table: AdoptedTable): TableAddress => ({
  ...table,
  name: table.arn.slice(table.arn.indexOf('/') + 1),
});

export class UsedTable extends Construct {
  readonly table: ITableV2;
  /** That of `table` is cut out of its ARN in the template, and `Fn::Split` is not documented to accept `Fn::GetStackOutput`. */
  readonly tableName: string;
  readonly environmentVariable: string;
  readonly readActions: readonly string[];

  constructor(scope: Construct, id: string, name: TableName, address: TableAddress) {
    super(scope, id);
    this.environmentVariable = kindOf(name).environmentVariable;
    this.readActions = readActions[name];
    this.tableName = address.name;
    const { arn, streamArn } = address;
    this.table = TableV2.fromTableAttributes(this, 'Table', {
      tableArn: arn,
      ...(streamArn !== undefined && { tableStreamArn: streamArn }),
    });
  }
}

/** All tables of a gateway, in a stack that uses them. */
export function usedTables(
  scope: Construct,
  addresses: TableAddresses,
): Readonly<Record<TableName, UsedTable>> {
  const table = (name: TableName) => new UsedTable(scope, `Used${pascalCase(name)}`, name, addresses[name]);
  return {
    catalog: table('catalog'),
    access: table('access'),
    state: table('state'),
    usage: table('usage'),
    files: table('files'),
  };
}

/** Most calls of the functions to each table, by which CloudWatch counts faults of a table: an alarm has room for ten. */
export const callsOf: Readonly<Record<TableName, readonly string[]>> = {
  catalog: ['GetItem', 'Scan'],
  access: ['GetItem'],
  files: ['GetItem'],
  state: ['GetItem', 'PutItem'],
  usage: ['GetItem', 'PutItem', 'BatchWriteItem', 'UpdateItem'],
};
