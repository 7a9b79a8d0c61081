/**
 * The keys of the dashboard's sums, in the usage table: `hour#<tenant>#<day>` / `<hour>#<key id>#<model>`,
 * `user#<tenant>#<month>` / `<day>#<user>`, `tenants#<day or month>#<lane>` / `<tenant>`, and
 * `place#<day or month>#<lane>` / `<hour or day>#<provider>#<region>#<model>`.
 *
 * What all tenants add to is spread over lanes, because a partition of the database takes a thousand write units a second.
 */
import { partitionOf } from '../../core/accounting/partitions.ts';
import type { SumKey } from '../../core/accounting/sums.ts';
import type { ItemKey } from '../dynamodb/table.ts';

const lanes = 8;

const laneOf = (name: string) => partitionOf(name, lanes);

export const hourPartition = (tenant: string, day: string): string => `hour#${tenant}#${day}`;

export const userPartition = (tenant: string, month: string): string => `user#${tenant}#${month}`;

const tenantPartition = (period: string, lane: number): string => `tenants#${period}#${lane}`;

const placePartition = (period: string, lane: number): string => `place#${period}#${lane}`;

/** All lanes of the tenants of a day or month. */
export const tenantPartitions = (period: string): readonly string[] =>
  allLanes((lane) => tenantPartition(period, lane));

/** All lanes of the places of a day's hours, or a month's days. */
export const placePartitions = (period: string): readonly string[] =>
  allLanes((lane) => placePartition(period, lane));

const allLanes = (partition: (lane: number) => string) =>
  Array.from({ length: lanes }, (_, lane) => partition(lane));

export const tenantKey = (period: string, tenant: string): readonly [string, string] => [
  tenantPartition(period, laneOf(tenant)),
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
    case 'place': {
      const { period, provider, region, model } = key;
      const place = `${provider}#${region}#${model}`;
      const [whole, part] = period.includes('T') ? period.split('T') : [period.slice(0, 7), period];
      return [placePartition(whole ?? '', laneOf(place)), `${part}#${place}`];
    }
  }
}

/** A mark of since when sums are kept. */
export const sinceKey: ItemKey = ['sums', 'since'];
