/**
 * The sums of the dashboard, in the usage table: `hour#<tenant>#<day>` / `<hour>#<key id>#<model>`,
 * `keys#<month>#<shard>` / `<tenant>#<key id>`, `user#<tenant>#<month>` / `<day>#<user>`, `tenants#<day or month>#<shard>` / `<tenant>`, and
 * `place#<day or month>#<shard>` / `<hour or day>#<provider>#<region>#<model>`.
 *
 * What all tenants add to is spread over shards, because a partition of the database takes a thousand write units a second. Like the
 * daily counters, each sum knows how far it has seen the stream of the ledger's changes.
 */
import type { StreamBatch } from '../../core/accounting/journal.ts';
import { partitionOf } from '../../core/accounting/partitions.ts';
import { addNumbers, type SumKey, sumUntil } from '../../core/accounting/sums.ts';
import type { CountedChange } from '../../core/ports/usage-store.ts';
import { expiryAttribute } from '../../core/tables.ts';
import { addOnce } from '../dynamodb/add-once.ts';
import type { ItemKey, Table } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';

/** In Unix milliseconds. It may be some seconds before the latest, where several shards of the stream write it. */
export const lastAttribute = 'lastAt';

/** Adds the changes that the sum has not seen, in one write. A sum that has expired is gone, or will be: nothing is added to it. */
export async function addToSum(
  table: Table,
  key: SumKey,
  { changes, batch }: { readonly changes: readonly CountedChange[]; readonly batch: StreamBatch },
): Promise<void> {
  const until = sumUntil(key);
  if (until * 1000 <= batch.now) return;
  await addOnce(table, sumKey(key), {
    changes,
    batch,
    fieldsOf(unseen) {
      const counts = unseen.map((change) => change.counts).reduce(addNumbers);
      const latest = Math.max(0, ...unseen.map(({ lastAt = 0 }) => lastAt));
      return {
        set: latest > 0 ? [[[lastAttribute], latest]] : [],
        setOnce: [[[expiryAttribute], until]],
        add: Object.entries(counts),
      };
    },
  });
}

/** The time, in Unix milliseconds, from which on sums have all changes of the ledger. */
export const sinceAttribute = 'at';

/** The same of the sums of keys, which there were not at first. */
export const keysSinceAttribute = 'keysAt';

/** Sets the mark once, or takes it away: what the ledger gets from then on is in no sum. */
export async function noteSums(table: Table, areKept: boolean, now: number): Promise<void> {
  const fields = areKept
    ? { setOnce: marks.map((mark) => [mark, now] as const), where: [] }
    : { remove: marks, where: [{ path: [sinceAttribute], exists: true }] };
  await table.update(sinceKey, toItemUpdate(fields));
}

const marks = [[sinceAttribute], [keysSinceAttribute]] as const;

const shards = 8;

const shardOf = (name: string) => partitionOf(name, shards);

export const hourPartition = (tenant: string, day: string): string => `hour#${tenant}#${day}`;

export const userPartition = (tenant: string, month: string): string => `user#${tenant}#${month}`;

const tenantPartition = (period: string, shard: number): string => `tenants#${period}#${shard}`;

const keyPartition = (month: string, shard: number): string => `keys#${month}#${shard}`;

const deploymentPartition = (period: string, shard: number): string => `place#${period}#${shard}`;

/** All shards of the tenants of a day or month. */
export const tenantPartitions = (period: string): readonly string[] =>
  allShards((shard) => tenantPartition(period, shard));

/** All shards of the keys of a month. */
export const keyPartitions = (month: string): readonly string[] =>
  allShards((shard) => keyPartition(month, shard));

/** All shards of the deployments of a day's hours, or a month's days. */
export const deploymentPartitions = (period: string): readonly string[] =>
  allShards((shard) => deploymentPartition(period, shard));

const allShards = (partition: (shard: number) => string) =>
  Array.from({ length: shards }, (_, shard) => partition(shard));

export const tenantKey = (period: string, tenant: string): readonly [string, string] => [
  tenantPartition(period, shardOf(tenant)),
  tenant,
];

export function sumKey(key: SumKey): ItemKey {
  switch (key.of) {
    case 'hour': {
      const [day = '', hour] = key.hour.split('T');
      return [hourPartition(key.tenant, day), `${hour}#${key.key}#${key.model}`];
    }
    case 'key': {
      const name = `${key.tenant}#${key.key}`;
      return [keyPartition(key.month, shardOf(name)), name];
    }
    case 'user':
      return [userPartition(key.tenant, key.day.slice(0, 7)), `${key.day}#${key.user}`];
    case 'tenant':
      return tenantKey(key.period, key.tenant);
    case 'deployment': {
      const { period, provider, region, model } = key;
      const deployment = `${provider}#${region}#${model}`;
      const [whole, part] = period.includes('T') ? period.split('T') : [period.slice(0, 7), period];
      return [deploymentPartition(whole ?? '', shardOf(deployment)), `${part}#${deployment}`];
    }
  }
}

/** A mark of since when sums are kept. */
export const sinceKey: ItemKey = ['sums', 'since'];
