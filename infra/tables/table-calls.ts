/** The calls of DynamoDB that make tables. Sources: docs.aws.amazon.com DynamoDB, API_CreateTable, API_DescribeTable. */
import { setTimeout as pause } from 'node:timers/promises';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import { partitionKey, sortKey, type TableKind } from '../../lib/core/tables.ts';

export type TableShape = Pick<TableKind, 'isSorted' | 'hasStream'> & {
  /** Whether it can only be deleted once an operator has allowed it. */
  readonly isProtected?: boolean;
};

/** What DynamoDB answers about a table. Source: docs.aws.amazon.com DynamoDB, API_TableDescription. */
export interface TableDescription {
  readonly TableArn?: string;
  readonly TableStatus?: string;
  /** Both are counted about every six hours. */
  readonly ItemCount?: number;
  readonly TableSizeBytes?: number;
  readonly BillingModeSummary?: { readonly BillingMode?: string };
  readonly SSEDescription?: { readonly KMSMasterKeyArn?: string };
  readonly DeletionProtectionEnabled?: boolean;
  readonly LatestStreamArn?: string;
  /** Of a table that was restored. The time is in Unix seconds. */
  readonly RestoreSummary?: { readonly SourceTableArn?: string; readonly RestoreDateTime?: number };
  readonly KeySchema?: readonly { readonly AttributeName?: string; readonly KeyType?: string }[];
  readonly StreamSpecification?: { readonly StreamEnabled?: boolean; readonly StreamViewType?: string };
}

/** How long a new table may take; usually some seconds. */
const patienceMs = 300_000;

export const streamFormat = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

export const keyForm = ({ isSorted }: TableShape) =>
  [partitionKey, ...(isSorted ? [sortKey] : [])].map((key) => ({
    AttributeName: key,
    KeyType: key === sortKey ? 'RANGE' : 'HASH',
  }));

/** An action of DynamoDB. */
export const act = (call: AwsCall, action: string, input: object) =>
  call(`DynamoDB_20120810.${action}`, input);

/** Undefined if there is no such table. */
export async function describeTable(call: AwsCall, table: string): Promise<TableDescription | undefined> {
  try {
    return (await act(call, 'DescribeTable', { TableName: table })).Table as TableDescription;
  } catch (error) {
    if (error instanceof AwsError && error.type === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/** Resolves when the table can be used. Returns whether this has created it. */
export async function createIfAbsent(
  call: AwsCall,
  table: string,
  { pauseMs = 1_000, ...form }: TableShape & { readonly pauseMs?: number },
): Promise<boolean> {
  const isCreated = await create(call, table, form);
  await untilActive(call, table, pauseMs);
  return isCreated;
}

async function create(call: AwsCall, table: string, form: TableShape): Promise<boolean> {
  const keys = keyForm(form);
  try {
    await act(call, 'CreateTable', {
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys,
      ...(form.hasStream && { StreamSpecification: streamFormat }),
      ...(form.isProtected && { DeletionProtectionEnabled: true }),
    });
    return true;
  } catch (error) {
    if (error instanceof AwsError && error.type === 'ResourceInUseException') return false;
    throw error;
  }
}

/** Rejects for a table that is not there, or not ready in time. */
export async function untilActive(call: AwsCall, table: string, pauseMs: number): Promise<void> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const { TableStatus } = (await describeTable(call, table)) ?? {};
    if (TableStatus === 'ACTIVE') return;
    if (performance.now() > end)
      throw new Error(`The table ${table} is not ready: its status is ${TableStatus}.`);
    await pause(pauseMs);
  }
}
