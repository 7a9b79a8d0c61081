/**
 * Over how many partitions the ledger of a tenant's day is spread. A partition of the database takes a thousand write units a
 * second, and its key sorts by time, so that every write of a tenant goes to its end: a busy tenant needs several.
 */

/** Open and final records have partitions of their own. Where limits make a record larger than a kilobyte, this leaves half of one for bursts. */
const requestsPerSecondOfOne = 250;

const maxPartitions = 64;

/** `throughput`: the requests per second that are expected of a tenant. */
export function partitionsFor(throughput: number | undefined): number {
  return Math.min(maxPartitions, Math.max(1, Math.ceil((throughput ?? 0) / requestsPerSecondOfOne)));
}

/** The partition of a request: evenly spread, and the same each time (FNV-1a). */
export function partitionOf(requestId: string, partitions: number): number {
  if (partitions === 1) return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < requestId.length; index += 1) {
    hash = Math.imul(hash ^ requestId.charCodeAt(index), 0x01000193);
  }
  // The low bits of similar ids differ least.
  return ((hash ^ (hash >>> 15)) >>> 0) % partitions;
}
