/**
 * What processes that follow the ledger's stream keep in the table `state`: not in `usage`, whose stream would then report each write
 * as a further change. Losing it is harmless: changes that come again count once (decision 0015).
 */
import { expiryAttribute } from '../../core/tables.ts';
import { openTable, type TableOptions } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';

/**
 * Which process follows the stream: an item that names it, for a short time. Two processes that both believe it do the same work twice,
 * which is wasteful and not wrong.
 */
export interface Lease {
  /** Takes or renews it. Returns whether this process has it now. */
  take(): Promise<boolean>;
  /** Gives it back, so that another process need not wait. */
  release(): Promise<void>;
}

interface LeaseOptions extends TableOptions {
  /** Of this process, unlike any other's. */
  readonly owner: string;
  readonly lengthMs: number;
  readonly now: () => number;
}

const key = 'stream-lease#ledger';

export function createLease({ owner, lengthMs, now, ...options }: LeaseOptions): Lease {
  const table = openTable(options);
  const claim = async (until: number, where: Parameters<typeof toItemUpdate>[0]['where']) =>
    await table.update(
      key,
      toItemUpdate({
        set: [
          [['owner'], owner],
          [['until'], until],
          [[expiryAttribute], Math.ceil(until / 1000) + 86_400],
        ],
        where,
      }),
    );
  return {
    async take() {
      const time = now();
      const until = time + lengthMs;
      const renewed = await claim(until, [{ path: ['owner'], is: '=', value: owner }]);
      return (
        renewed !== undefined ||
        (await claim(until, [{ path: ['until'], absentOr: '<', value: time }])) !== undefined
      );
    },
    async release() {
      await claim(0, [{ path: ['owner'], is: '=', value: owner }]);
    },
  };
}

/** How far a shard was processed. */
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
