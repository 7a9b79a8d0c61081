/** What the code of an operation may do, from its row in the route table. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Operation } from '../../../lib/core/operations.ts';
import { beginningOf, type StateItem, type TableName } from '../../../lib/core/tables.ts';
import type { Settings } from '../../settings/settings.ts';
import type { UsedTable } from '../table/used-table.ts';
import { allowFiles } from './bucket-permissions.ts';
import { allowModels, allowTokenCounts } from './model-permissions.ts';
import type { Permissions } from './permissions.ts';
import { allowProviderKeys, allowSealing } from './secret-permissions.ts';
import { allowWorker } from './start-permissions.ts';
import { measureRequests, traceRequests } from './telemetry-permissions.ts';

export interface OperationResources
  extends Pick<
    Settings,
    | 'bedrock'
    | 'fileDays'
    | 'batchMode'
    | 'corsOrigins'
    | 'cacheSeconds'
    | 'ledgerDays'
    | 'creditRegion'
    | 'otlpEndpoint'
    | 'traceProviders'
    | 'metrics'
  > {
  readonly tables: Readonly<Record<TableName, UsedTable>>;
  /** Of files; absent: none are stored. */
  readonly bucket?: string | undefined;
  /** Of the metrics of requests. */
  readonly namespace: string;
  /** The path of the providers' keys in the parameter store. */
  readonly providerParametersPrefix: string;
}

/** Whether it writes the ledger. */
const writesLedger = ({ writes }: Operation): boolean => writes?.includes('usage') ?? false;

/** Whether it calls models, and so writes log lines that an operator should count. */
export const keepsRecords = (operation: Operation): boolean =>
  operation.endpoint !== undefined && writesLedger(operation);

const actions = {
  writes: 'PutItem',
  updates: 'UpdateItem',
  queries: 'Query',
  deletes: 'DeleteItem',
  scans: 'Scan',
} as const;

/** Columns of the row of an operation. */
type ItemColumns = Pick<Operation, 'reads'> &
  Partial<Readonly<Record<keyof typeof actions, readonly TableName[]>>> & {
    readonly stateItems: readonly StateItem[];
  };

/** What the row of an operation says of the tables. */
export function allowItems(
  permissions: Permissions,
  tables: OperationResources['tables'],
  { reads, stateItems, ...columns }: ItemColumns,
): void {
  const itemsOf = (name: TableName) => (name === 'state' ? stateItems.map(beginningOf) : undefined);
  for (const name of reads) permissions.reads(tables[name], itemsOf(name));
  for (const column of Object.keys(actions) as (keyof typeof actions)[])
    for (const name of columns[column] ?? [])
      permissions.acts(actions[column], tables[name], column === 'queries' ? undefined : itemsOf(name));
}

/** What a process that serves many requests of the operation may do beside that: it writes their records together. */
export function allowManyRequests(
  permissions: Permissions,
  operation: Operation,
  { tables }: Pick<OperationResources, 'tables'>,
): void {
  if (keepsRecords(operation)) permissions.acts('BatchWriteItem', tables.usage);
}

/** What the code of an operation may do that hands responses over to a function that creates them. */
export function allowStarts(
  permissions: Permissions,
  { startsRuns }: Operation,
  background: IFunction,
): void {
  if (startsRuns) allowWorker(permissions, 'background', background);
}

/** What the code of an operation that creates or cancels batches may do beside that: it begins what works on them. */
export function allowBatches(permissions: Permissions, operation: Operation, worker: IFunction): void {
  if (operation.function === 'batches' && operation.updates?.includes('files'))
    allowWorker(permissions, 'batches', worker);
}

/** What the code that creates responses in the background may do to send webhooks when they end. */
export function allowEvents(permissions: Permissions, { tables }: Pick<OperationResources, 'tables'>): void {
  const state = ['state'] as const;
  allowItems(permissions, tables, { stateItems: ['webhook'], reads: state, writes: state, updates: state });
}

/** Of the objects that have the bytes of files. What a request has stored that fails is deleted again. */
const fileActions = ({ writes, deletes }: Operation): readonly string[] => [
  's3:GetObject',
  ...(writes?.includes('files') ? ['s3:PutObject'] : []),
  ...(writes?.includes('files') || deletes?.includes('files') ? ['s3:DeleteObject'] : []),
];

export function allowOperation(
  permissions: Permissions,
  operation: Operation,
  {
    tables,
    providerParametersPrefix,
    bedrock,
    corsOrigins,
    cacheSeconds,
    ledgerDays,
    creditRegion,
    otlpEndpoint,
    traceProviders,
    metrics,
    namespace,
    bucket,
    fileDays,
    batchMode,
  }: OperationResources,
): void {
  const { reads, queries = [] } = operation;
  permissions.answersPages(corsOrigins);
  allowItems(permissions, tables, { stateItems: [], ...operation });
  if (bucket !== undefined && reads.includes('files'))
    allowFiles(permissions, bucket, fileDays, fileActions(operation));
  if (operation.function === 'batches') permissions.setVariables({ GATEWAY_BATCH_MODE: batchMode });
  // Only operations that look up a model call providers; the others have no key and reach no model.
  if (operation.endpoint !== undefined && reads.includes('catalog')) {
    allowProviderKeys(permissions, providerParametersPrefix);
    permissions.cachesContent(cacheSeconds);
    if (operation.onlyCounts) allowTokenCounts(permissions, bedrock);
    else allowModels(permissions, bedrock);
    permissions.notesKeyUse(tables.access);
    permissions.notesCredentialUse(tables.access);
    allowSealing(permissions, 'kms:Decrypt');
    if (metrics) measureRequests(permissions, namespace, metrics.models);
  }
  if (keepsRecords(operation)) {
    permissions.servesCreditIn(creditRegion);
    traceRequests(permissions, { otlpEndpoint, traceProviders });
  }
  // What reads the ledger reports how far back it goes.
  if (queries.includes('usage') || writesLedger(operation)) permissions.keepsLedger(ledgerDays);
}
