/**
 * How evenly a tenant's writes are spread, simulated with the real functions: the share of the fullest partition of the ledger, and
 * of the fullest shard of a scope's limits.
 */
import { createHash } from 'node:crypto';
import { shardingFor } from '../../lib/core/accounting/limits.ts';
import { partitionOf, partitionsFor } from '../../lib/core/accounting/partitions.ts';

/** Requests of a simulation: enough for the busiest second, and the same each time. */
const requests = 20_000;

function idOf(index: number): string {
  const hex = createHash('sha256').update(String(index)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const known = new Map<string, number>();

/** The greatest share of one of `count` places. */
function fullest(name: string, count: number, placeOf: (index: number) => number): number {
  const key = `${name} ${count}`;
  const share = known.get(key) ?? simulate(count, placeOf);
  known.set(key, share);
  return share;
}

function simulate(count: number, placeOf: (index: number) => number): number {
  const places = new Array<number>(count).fill(0);
  for (let index = 0; index < requests; index += 1) {
    const place = placeOf(index);
    places[place] = (places[place] ?? 0) + 1;
  }
  return Math.max(...places) / requests;
}

/** `throughput`: the requests a second that the tenant is set to. */
export function fullestPartition(throughput: number): number {
  const count = partitionsFor(throughput);
  return fullest('partition', count, (index) => partitionOf(idOf(index), count));
}

/** Each admission takes a shard at random. */
export function fullestShard(throughput: number): number {
  const { shards: count = 1 } = shardingFor(throughput);
  return fullest('shard', count, (index) => {
    const random = createHash('sha256').update(`shard ${index}`).digest().readUInt32BE();
    return random % count;
  });
}
