/**
 * What DynamoDB does to tables: descriptions, restores to a moment, expiry, recovery, streams, tags. Items are the embedded database's.
 * Sources: docs.aws.amazon.com DynamoDB, API_RestoreTableToPointInTime (errors; what a restore leaves out), API_UpdateTable (one change at a
 * time; a second stream is refused), API_UpdateTimeToLive, API_UpdateContinuousBackups, API_TagResource, API_ListTagsOfResource.
 */
import type { AwsCall } from '../../../../lib/core/ports/aws.ts';
import { AwsRefusal, type CallContext, type FakeAction, type Input } from '../service.ts';

/** The state of a table beside its items. */
export interface TableState {
  /** Descriptions that still answer with this status. */
  pending: { readonly status: string; left: number } | undefined;
  expiry: string | undefined;
  /** Unix seconds; undefined without recovery. */
  recovery: { readonly earliest: number; readonly latest: number } | undefined;
  stream: { readonly view: string; readonly label: string } | undefined;
  isProtected: boolean;
  key: string | undefined;
  tags: Map<string, string>;
  restored: { readonly source: string; readonly at: number } | undefined;
  /** Whether the table is too new for backups, as it is for a moment. */
  isNew: boolean;
}

export const tableState = (given: Partial<TableState> = {}): TableState => ({
  pending: undefined,
  expiry: undefined,
  recovery: undefined,
  stream: undefined,
  isProtected: false,
  key: undefined,
  tags: new Map(),
  restored: undefined,
  isNew: false,
  ...given,
});

interface RestoreOptions {
  /** The embedded database. */
  readonly call: AwsCall;
  /** By name; restores add to it. */
  readonly tables: Map<string, TableState>;
  /** The items that a restore of a table finds. */
  readonly itemsAt: (table: string, at: number) => Promise<readonly object[]>;
  /** Descriptions for which a restored table is CREATING. */
  readonly creating?: number;
}

const pageOfTags = 10;

export function dynamoDbRestore(options: RestoreOptions): Readonly<Record<string, FakeAction>> {
  const { tables, call, itemsAt, creating = 1 } = options;
  const act = (action: string, input: object) => call(`DynamoDB_20120810.${action}`, input);

  const stateOf = (name: unknown): TableState => {
    const found = tables.get(String(name));
    if (found) return found;
    throw new AwsRefusal(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${name} not found`,
    );
  };
  const byArn = ({ ResourceArn }: Input) => stateOf(String(ResourceArn).split('/')[1]);

  const whereReady = (name: unknown): TableState => {
    const found = stateOf(name);
    if (!found.pending) return found;
    throw new AwsRefusal(
      'ResourceInUseException',
      `Attempt to change a resource which is still in use: ${name}`,
    );
  };

  async function describe(name: string, context: CallContext): Promise<object> {
    const table = stateOf(name);
    const { Table } = (await act('DescribeTable', { TableName: name })) as { Table: object };
    const arn = arnOf(name, context);
    const status = table.pending?.status ?? 'ACTIVE';
    if (table.pending && --table.pending.left === 0) table.pending = undefined;
    return {
      ...Table,
      TableArn: arn,
      TableStatus: status,
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      DeletionProtectionEnabled: table.isProtected,
      ...(table.key !== undefined && { SSEDescription: { SSEType: 'KMS', KMSMasterKeyArn: table.key } }),
      ...(table.stream && {
        StreamSpecification: { StreamEnabled: true, StreamViewType: table.stream.view },
        LatestStreamArn: `${arn}/stream/${table.stream.label}`,
      }),
      ...(table.restored && {
        RestoreSummary: {
          SourceTableArn: table.restored.source,
          RestoreDateTime: table.restored.at,
          RestoreInProgress: status === 'CREATING',
        },
      }),
    };
  }

  return {
    DescribeTable: async ({ TableName }, context) => ({ Table: await describe(String(TableName), context) }),
    async RestoreTableToPointInTime(input, context) {
      const { SourceTableName: source, TargetTableName: target, RestoreDateTime: at } = input;
      const found = tables.get(String(source));
      if (!found) throw new AwsRefusal('TableNotFoundException', `Table not found: ${source}`);
      if (!found.recovery)
        throw new AwsRefusal(
          'PointInTimeRecoveryUnavailableException',
          'Point in time recovery is not enabled',
        );
      const { earliest, latest } = found.recovery;
      if (Number(at) < earliest || Number(at) > latest)
        throw new AwsRefusal('InvalidRestoreTimeException', 'RestoreDateTime is out of the restorable range');
      const there = tables.get(String(target));
      if (there?.pending) throw new AwsRefusal('TableInUseException', `Table is being created: ${target}`);
      if (there) throw new AwsRefusal('TableAlreadyExistsException', `Table already exists: ${target}`);
      await copyTable(act, String(source), String(target), await itemsAt(String(source), Number(at)));
      const restored = { source: arnOf(String(source), context), at: Number(at) };
      const pending = { status: 'CREATING', left: creating };
      tables.set(String(target), tableState({ pending, key: found.key, restored, isNew: true }));
      return { TableDescription: { TableName: target, TableStatus: 'CREATING' } };
    },
    UpdateTable({ TableName, StreamSpecification, DeletionProtectionEnabled }) {
      const table = whereReady(TableName);
      if (StreamSpecification !== undefined) {
        if (table.stream) throw new AwsRefusal('ValidationException', 'Table already has an enabled stream');
        const { StreamViewType: view } = StreamSpecification as { readonly StreamViewType: string };
        table.stream = { view, label: '2026-11-22T10:00:00.000' };
      }
      if (typeof DeletionProtectionEnabled === 'boolean') table.isProtected = DeletionProtectionEnabled;
      table.pending = { status: 'UPDATING', left: 1 };
      return { TableDescription: { TableName, TableStatus: 'UPDATING' } };
    },
    DescribeTimeToLive({ TableName }) {
      const { expiry: AttributeName } = stateOf(TableName);
      const TimeToLiveStatus = AttributeName === undefined ? 'DISABLED' : 'ENABLING';
      return { TimeToLiveDescription: { TimeToLiveStatus, AttributeName } };
    },
    UpdateTimeToLive({ TableName, TimeToLiveSpecification }) {
      const table = whereReady(TableName);
      if (table.expiry !== undefined)
        throw new AwsRefusal('ValidationException', 'TimeToLive is already enabled');
      table.expiry = (TimeToLiveSpecification as { readonly AttributeName: string }).AttributeName;
      return { TimeToLiveSpecification };
    },
    DescribeContinuousBackups({ TableName }) {
      const { recovery } = stateOf(TableName);
      return {
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: 'ENABLED',
          PointInTimeRecoveryDescription: {
            PointInTimeRecoveryStatus: recovery ? 'ENABLED' : 'DISABLED',
            ...(recovery && {
              EarliestRestorableDateTime: recovery.earliest,
              LatestRestorableDateTime: recovery.latest,
            }),
          },
        },
      };
    },
    UpdateContinuousBackups({ TableName }) {
      const table = whereReady(TableName);
      if (table.isNew) {
        table.isNew = false;
        throw new AwsRefusal(
          'ContinuousBackupsUnavailableException',
          'Backups are being enabled for the table',
        );
      }
      const now = Math.floor(Date.now() / 1000);
      table.recovery ??= { earliest: now, latest: now };
      return {};
    },
    TagResource(input) {
      const table = byArn(input);
      for (const { Key, Value } of input.Tags as readonly { Key: string; Value: string }[]) {
        if (Key.startsWith('aws:'))
          throw new AwsRefusal('ValidationException', 'Tag keys that begin with aws: are reserved');
        table.tags.set(Key, Value);
      }
      return {};
    },
    ListTagsOfResource(input) {
      const start = Number(input.NextToken ?? 0);
      const all = [...byArn(input).tags].map(([Key, Value]) => ({ Key, Value }));
      const next = start + pageOfTags;
      return {
        Tags: all.slice(start, next),
        ...(next < all.length && { NextToken: String(next) }),
      };
    },
  };
}

const arnOf = (table: string, { region, account }: CallContext) =>
  `arn:aws:dynamodb:${region}:${account}:table/${table}`;

type Act = (action: string, input: object) => Promise<Readonly<Record<string, unknown>>>;

async function copyTable(act: Act, source: string, target: string, items: readonly object[]): Promise<void> {
  const { Table } = await act('DescribeTable', { TableName: source });
  const { KeySchema, AttributeDefinitions } = Table as {
    readonly KeySchema: object;
    readonly AttributeDefinitions: object;
  };
  const form = { KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' };
  await act('CreateTable', { TableName: target, ...form });
  for (const Item of items) {
    for (;;) {
      const isWritten = await act('PutItem', { TableName: target, Item }).then(
        () => true,
        // The embedded database takes a moment to make a table.
        () => false,
      );
      if (isWritten) break;
    }
  }
}
