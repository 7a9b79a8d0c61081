/**
 * How far the shards of the ledger's stream were processed, in the table `state`: not in `usage`, whose stream would then report each
 * position as a further change. Losing one is harmless: changes that come again count once (decision 0015).
 */
import { expiryAttribute } from '../../core/tables.ts';
import { openTable, type TableOptions } from '../dynamodb/table.ts';

export interface Position {
  /** The last change that was processed; absent: none. */
  readonly after?: string;
  /** The shard is closed, and was processed to its end. */
  readonly isEnded: boolean;
}

export interface Positions {
  read(shard: string): Promise<Position>;
  write(shard: string, position: Position): Promise<void>;
}

/** A stream keeps its changes for a day. */
const keptSeconds = 2 * 86_400;

export function createPositions({
  now,
  ...options
}: TableOptions & { readonly now: () => number }): Positions {
  const table = openTable(options);
  const keyOf = (shard: string) => `stream-position#${shard}`;
  return {
    async read(shard) {
      const { after, ended } = (await table.get(keyOf(shard), { consistent: true })) ?? {};
      return { isEnded: ended === true, ...(typeof after === 'string' && { after }) };
    },
    async write(shard, { after, isEnded }) {
      const until = Math.floor(now() / 1000) + keptSeconds;
      await table.put(keyOf(shard), { after, ended: isEnded, [expiryAttribute]: until });
    },
  };
}
