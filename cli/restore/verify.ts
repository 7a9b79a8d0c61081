/** Looks at a restored table: whether it has all that the gateway needs, and how its data differs from the source's. */
import { isDeepStrictEqual } from 'node:util';
import { act, describeTable, keyForm, streamFormat } from '../../infra/tables/table-calls.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { expiryAttribute, kindOf, partitionKey } from '../../lib/core/tables.ts';
import type { RestorePlan } from './plan.ts';

interface Verified {
  readonly lines: readonly string[];
  /** What the new table lacks; the gateway must not use it so. */
  readonly lacks: readonly string[];
  /** The ARN of its stream. */
  readonly stream: string | undefined;
}

interface Expiry {
  readonly TimeToLiveStatus?: string;
  readonly AttributeName?: string;
}

interface Backups {
  readonly PointInTimeRecoveryDescription?: { readonly PointInTimeRecoveryStatus?: string };
}

export async function verify({ purpose, source, target }: RestorePlan, call: AwsCall): Promise<Verified> {
  const TableName = target;
  const [table = {}, { TimeToLiveDescription }, { ContinuousBackupsDescription }, sample] = await Promise.all(
    [
      describeTable(call, target),
      act(call, 'DescribeTimeToLive', { TableName }),
      act(call, 'DescribeContinuousBackups', { TableName }),
      act(call, 'Scan', { TableName, Limit: 1, ProjectionExpression: partitionKey }),
    ],
  );
  const kind = kindOf(purpose);
  const keys = (table.KeySchema ?? []).map(({ AttributeName, KeyType }) => ({ AttributeName, KeyType }));
  const expiry = (TimeToLiveDescription ?? {}) as Expiry;
  const backups = (ContinuousBackupsDescription ?? {}) as Backups;
  const has = {
    'the keys of the table': isDeepStrictEqual(keys, keyForm(kind)),
    'the expiry of items':
      expiry.AttributeName === expiryAttribute && expiry.TimeToLiveStatus?.startsWith('ENABL') === true,
    'point-in-time recovery': backups.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED',
    'the stream':
      !kind.hasStream || table.StreamSpecification?.StreamViewType === streamFormat.StreamViewType,
    'protection against deletion':
      !source.DeletionProtectionEnabled || table.DeletionProtectionEnabled === true,
  };
  const isEmpty = !Array.isArray(sample.Items) || sample.Items.length === 0;
  return {
    lines: [
      `Items: ${source.ItemCount ?? 0} in the source, ${table.ItemCount ?? 0} in the new table, as DynamoDB counts about every six hours.`,
      isEmpty ? 'An item was looked for, and none was found: the new table is empty.' : 'An item was read.',
    ],
    lacks: Object.entries(has).flatMap(([part, isThere]) => (isThere ? [] : [part])),
    stream: kind.hasStream ? table.LatestStreamArn : undefined,
  };
}
