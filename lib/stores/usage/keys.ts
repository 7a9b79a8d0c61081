/**
 * The keys of the usage table's items of the ledger and its sums: `ledger#<tenant>#<day>` (with `#<partition>` for all but the
 * first one) / `<time>#<request id>`, and `count#<tenant>#<month>` / `<day>#<key id>#<model>`.
 */

import { type CounterKey, dayOf } from '../../core/accounting/counters.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { partitionOf } from '../../core/accounting/partitions.ts';
import { dayMs } from '../../core/time.ts';
import type { ItemKey } from '../dynamodb/table.ts';

/** The stream of the table delivers the items whose partition key starts so. */
export const ledgerPrefix = 'ledger#';

export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The first partition has no number: it was the only one once. */
const ledgerPartition = (tenant: string, day: string, partition: number): string =>
  `${ledgerPrefix}${tenant}#${day}${partition === 0 ? '' : `#${partition}`}`;

/** All partitions of a tenant's day. */
export const ledgerPartitions = (tenant: string, day: string, partitions: number): readonly string[] =>
  Array.from({ length: partitions }, (_, index) => ledgerPartition(tenant, day, index));

type RecordId = Pick<LedgerRecord, 'tenant' | 'at' | 'requestId'>;

type RecordKey = readonly [partition: string, sort: string];

export function recordKey({ tenant, at, requestId }: RecordId, partitions: number): RecordKey {
  const time = timeOf(at);
  const day = time.slice(0, 'YYYY-MM-DD'.length);
  return [ledgerPartition(tenant, day, partitionOf(requestId, partitions)), `${time}#${requestId}`];
}

/** Where a record may be: its partition first, then the others, of when the tenant had fewer. */
export function possibleKeys(record: RecordId, partitions: number): readonly RecordKey[] {
  const first = recordKey(record, partitions);
  const all = ledgerPartitions(record.tenant, dayOf(record.at), partitions);
  const [own, sort] = first;
  return [first, ...all.filter((one) => one !== own).map((one): RecordKey => [one, sort])];
}

export const counterPartition = (tenant: string, month: string): string => `count#${tenant}#${month}`;

export const counterKey = ({ tenant, day, key, model }: CounterKey): ItemKey => [
  counterPartition(tenant, day.slice(0, 7)),
  `${day}#${key}#${model}`,
];

export function daysBetween(from: string, to: string): readonly string[] {
  const first = Date.parse(from);
  const days = Math.floor((Date.parse(to) - first) / dayMs) + 1;
  return Array.from({ length: Math.max(0, days) }, (_, index) => dayOf(first + index * dayMs));
}

export const monthsBetween = (from: string, to: string): readonly string[] => [
  ...new Set(daysBetween(from, to).map((day) => day.slice(0, 7))),
];

/** Sorts after every other continuation of a sort key. */
export const lastSuffix = '\uffff';
