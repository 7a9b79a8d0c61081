/** Looks at a restored table: whether it has all that the gateway needs, and how its data differs from the source's. */
import { isDeepStrictEqual } from 'node:util';
import { act, describeTable, keyForm, streamFormat } from '../../infra/tables/table-calls.ts';
import { mapConcurrently } from '../../lib/async/map-concurrently.ts';
import { dayOf } from '../../lib/core/accounting/counters.ts';
import { partitionsFor } from '../../lib/core/accounting/partitions.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { kindOf, partitionKey, sortKey } from '../../lib/core/tables.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import type { StoredApiKey } from '../../lib/stores/access/keys.ts';
import { createManagementKeyStore } from '../../lib/stores/access/management-keys.ts';
import { ledgerPartitions } from '../../lib/stores/usage/keys.ts';
import type { Installation } from '../command.ts';
import { expires, isRecoverable } from '../table-facts.ts';
import { type RestorePlan, showTime } from './plan.ts';

interface Verified {
  readonly lines: readonly string[];
  /** What the new table lacks; the gateway must not use it so. */
  readonly lacks: readonly string[];
  /** The ARN of its stream. */
  readonly stream: string | undefined;
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
  const has = {
    'the keys of the table': isDeepStrictEqual(keys, keyForm(kind)),
    'the expiry of items': expires(TimeToLiveDescription),
    'point-in-time recovery': isRecoverable(ContinuousBackupsDescription),
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

/** Whose last records are looked for. */
const maxTenants = 200;

const concurrency = 10;

export async function compareData(
  plan: RestorePlan,
  installation: Pick<Installation, 'tenantEdits'>,
  call: AwsCall,
): Promise<readonly string[]> {
  if (plan.purpose === 'usage') return [await lastRecord(plan, installation, call)];
  if (plan.purpose === 'access') return await changedKeys(plan, call);
  return [];
}

/** Of the day of the moment, and of the day before. */
async function lastRecord(
  { at, target }: RestorePlan,
  { tenantEdits }: Pick<Installation, 'tenantEdits'>,
  call: AwsCall,
): Promise<string> {
  const days = [dayOf(at * 1000), dayOf((at - 86_400) * 1000)];
  const partitions = (await tenantEdits.list())
    .slice(0, maxTenants)
    .flatMap(({ name, throughput }) =>
      days.flatMap((day) => ledgerPartitions(name, day, partitionsFor(throughput))),
    );
  const found = await mapConcurrently(partitions, concurrency, (partition) =>
    lastOf(call, target, partition),
  );
  const last = found.toSorted().at(-1) ?? '';
  return last === ''
    ? `The ledger has no record of ${days[1]} or ${days[0]}.`
    : `The last record of the ledger is of ${last.slice(0, 19)}Z.`;
}

/** The sort key of the last record; empty if there is none. */
async function lastOf(call: AwsCall, table: string, partition: string): Promise<string> {
  const { Items } = await act(call, 'Query', {
    TableName: table,
    KeyConditionExpression: '#partition = :partition',
    ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
    ExpressionAttributeValues: { ':partition': { S: partition } },
    ProjectionExpression: '#sort',
    ScanIndexForward: false,
    Limit: 1,
  });
  const [item] = (Items ?? []) as readonly { readonly [sortKey]?: { readonly S?: string } }[];
  return item?.[sortKey]?.S ?? '';
}

/** Each by its id: those that work again first. */
async function changedKeys({ at, source, target }: RestorePlan, call: AwsCall): Promise<readonly string[]> {
  const now = Math.floor(Date.now() / 1000);
  const works = ({ disabledAt, expiresAt }: Pick<StoredApiKey, 'disabledAt' | 'expiresAt'>) =>
    disabledAt === undefined && (expiresAt === undefined || expiresAt > now);
  // One that was revoked is in the source no more.
  const read = async (table: string) => {
    const keys = (await createKeyEdits({ call, table }).list({})).filter(works);
    const managementKeys = await createManagementKeyStore({ call, table }).list();
    return new Map([...keys, ...managementKeys.filter(works)].map((key) => [key.id, key]));
  };
  const [before, after] = await Promise.all([read(source.name), read(target)]);
  const back = [...after.values()].filter(({ id }) => !before.has(id));
  const gone = [...before.values()].filter(({ id }) => !after.has(id));
  return [
    `${back.length} keys that no longer work will WORK AGAIN.`,
    ...back.map(({ id, tenant, name }) => `  ${id}  ${tenant ?? '-'}  ${name ?? ''}`.trimEnd()),
    `${gone.length} keys that work now were made after ${showTime(at)}, and will be gone.`,
    ...gone.map(({ id, tenant, name }) => `  ${id}  ${tenant ?? '-'}  ${name ?? ''}`.trimEnd()),
  ];
}
