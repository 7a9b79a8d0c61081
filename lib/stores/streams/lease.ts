/**
 * Which process follows the stream: an item of the table `state` that names it, for a short time. Two processes that both believe it do
 * the same work twice, which is wasteful and not wrong: changes that come again count once (decision 0015).
 */
import { expiryAttribute } from '../../core/tables.ts';
import { openTable, type TableOptions } from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';

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
