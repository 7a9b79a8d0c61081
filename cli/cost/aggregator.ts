/** How often the aggregator runs, and for how long: the stream of the usage table invokes it with what was gathered. */
import { maxStreamBatch } from '../../lib/stores/usage/stream.ts';
import { operations, type Traffic } from './traffic.ts';

/** The stack gathers changes for so long. */
const gatherSeconds = 2;

/** A partition of the table, which has a shard of the stream of its own, takes so many write units a second. */
const unitsOfPartition = 1_000;

/** Of a request: its open and its final record. */
const changesOfRequest = 2;

/** Milliseconds of a batch, and of each change in it. Estimated from the local gateway; a batch mostly waits for its writes. */
const batchMs = 40;
const changeMs = 0.3;

export interface Batches {
  readonly perSecond: number;
  /** Of one batch. */
  readonly milliseconds: number;
}

export function aggregatorBatches({ rps, operation }: Traffic): Batches {
  if (!operations[operation].callsModels) return { perSecond: 0, milliseconds: 0 };
  const changes = rps * changesOfRequest;
  const shards = Math.max(1, Math.ceil(changes / unitsOfPartition));
  const perSecond = Math.min(changes, Math.max(shards / gatherSeconds, changes / maxStreamBatch));
  return { perSecond, milliseconds: batchMs + (changeMs * changes) / perSecond };
}
