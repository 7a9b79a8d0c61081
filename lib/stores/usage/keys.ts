/**
 * The keys of the usage table's items of the ledger and its sums: `ledger#<tenant>#<day>` (with `#<partition>` for all but the
 * first one) / `<time>#<request id>` for final records, `running#…` with the same for open ones, and `count#<tenant>#<month>` /
 * `<day>#<key id>#<model>`.
 */

import { type CounterKey, dayOf } from '../../core/accounting/counters.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import { partitionOf } from '../../core/accounting/partitions.ts';
import { dayMs, isoTime } from '../../core/time.ts';
import type { ItemKey } from '../dynamodb/table.ts';

const prefixes = { done: 'ledger#', open: 'running#' } as const;

type State = keyof typeof prefixes;

/** The stream of the table delivers the items whose partition key starts with one of these. */
export const streamedPrefixes: readonly string[] = Object.values(prefixes);

/** The first partition has no number: it was the only one once. */
const ledgerPartition = (tenant: string, day: string, partition: number, state: State): string =>
  `${prefixes[state]}${tenant}#${day}${partition === 0 ? '' : `#${partition}`}`;

/** All partitions of a tenant's day. */
export const ledgerPartitions = (
  tenant: string,
  day: string,
  partitions: number,
  state: State = 'done',
): readonly string[] =>
  Array.from({ length: partitions }, (_, index) => ledgerPartition(tenant, day, index, state));

type RecordId = Pick<LedgerRecord, 'tenant' | 'at' | 'requestId'>;

export type RecordKey = readonly [partition: string, sort: string];

/** Of the final record of a request, and of its open one. */
export type RecordKeys = Readonly<Record<State, RecordKey>>;

export const recordKeys = (record: RecordId, partitions: number): RecordKeys =>
  keysIn(record, partitionOf(record.requestId, partitions));

function keysIn({ tenant, at, requestId }: RecordId, partition: number): RecordKeys {
  const time = isoTime(at);
  const day = time.slice(0, 'YYYY-MM-DD'.length);
  const sort = `${time}#${requestId}`;
  return {
    done: [ledgerPartition(tenant, day, partition, 'done'), sort],
    open: [ledgerPartition(tenant, day, partition, 'open'), sort],
  };
}

/** The key of the final record of a request, from that of its open one. */
export const finalBeside = (partition: string, sort: string): RecordKey => [
  prefixes.done + partition.slice(prefixes.open.length),
  sort,
];

/** Where the records of a request may be: its partition first, then the others, of when the tenant had fewer. */
export function possibleKeys(record: RecordId, partitions: number): readonly RecordKeys[] {
  const first = partitionOf(record.requestId, partitions);
  const others = Array.from({ length: partitions }, (_, index) => index).filter((index) => index !== first);
  return [first, ...others].map((index) => keysIn(record, index));
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
