/**
 * The keys of the dashboard's sums, in the usage table: `hour#<tenant>#<day>` / `<hour>#<key id>#<model>`,
 * `user#<tenant>#<month>` / `<day>#<user>`, `tenants#<day or month>#<shard>` / `<tenant>`, and
 * `place#<day or month>#<shard>` / `<hour or day>#<provider>#<region>#<model>`.
 *
 * What all tenants add to is spread over shards, because a partition of the database takes a thousand write units a second.
 */
import { partitionOf } from '../../core/accounting/partitions.ts';
import type { SumKey } from '../../core/accounting/sums.ts';
import type { ItemKey } from '../dynamodb/table.ts';

const shards = 8;

const shardOf = (name: string) => partitionOf(name, shards);

export const hourPartition = (tenant: string, day: string): string => `hour#${tenant}#${day}`;

export const userPartition = (tenant: string, month: string): string => `user#${tenant}#${month}`;

const tenantPartition = (period: string, shard: number): string => `tenants#${period}#${shard}`;

const deploymentPartition = (period: string, shard: number): string => `place#${period}#${shard}`;

/** All shards of the tenants of a day or month. */
export const tenantPartitions = (period: string): readonly string[] =>
  allShards((shard) => tenantPartition(period, shard));

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
