/**
 * How far the aggregator has come: `positions` / `<shard of the stream>`, each with the time of the last change that was counted, and when it was. A shard
 * whose last batch failed says so until the batch has succeeded. Items expire after two days: no shard has changes that are as old.
 */
import type { StreamBatch } from '../../core/accounting/journal.ts';
import type { StreamPosition } from '../../core/ports/sums-store.ts';
import { expiryAttribute } from '../../core/tables.ts';
import { dayMs } from '../../core/time.ts';
import type { Table } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';

const partition = 'positions';

const untilOf = ({ now }: StreamBatch) => Math.floor((now + 2 * dayMs) / 1000);

/** `at`: of the last change of the batch, in Unix milliseconds. */
export async function notePosition(table: Table, batch: StreamBatch, at: number): Promise<void> {
  const set = [
    [['at'], at],
    [['counted'], batch.now],
    [[expiryAttribute], untilOf(batch)],
  ] as const;
  await table.update([partition, batch.shard], toItemUpdate({ set, remove: [['failed']], where: [] }));
}

export async function noteFailedBatch(table: Table, batch: StreamBatch): Promise<void> {
  const set = [
    [['failed'], batch.now],
    [[expiryAttribute], untilOf(batch)],
  ] as const;
  await table.update([partition, batch.shard], toItemUpdate({ set, where: [] }));
}

export async function readPositions(table: Table): Promise<readonly StreamPosition[]> {
  const items = await table.query(partition, { from: ' ', to: '~', limit: maxShards, mayLag: true });
  return items.map(({ at, counted, failed }) => ({
    ...(typeof at === 'number' && { at }),
    ...(typeof counted === 'number' && { countedAt: counted }),
    hasFailed: typeof failed === 'number',
  }));
}

/** A stream has one shard for each partition of its table, and new ones every four hours. */
const maxShards = 1_000;
