/** What the ledger reports of holds: each change counts once at their pool. */
import type { StreamBatch } from '../../core/accounting/journal.ts';
import type { LimitScope, SettledScope, Settlement } from '../../core/accounting/limits.ts';
import type { UpdateFields } from '../dynamodb/update-expression.ts';
import { forgetting, hasSeen, isAfter, watermarkOf } from '../dynamodb/watermark.ts';
import { type Counts, toLimitUsage } from './counts.ts';
import { changeAt, differenceOf } from './end.ts';
import { mayHaveLeaked } from './leaked.ts';
import { minuteOf } from './periods.ts';
import { type PoolAccess, poolName } from './pool/pool.ts';
import { addition } from './pool/pool-change.ts';
import { differenceIn, type QuotaPool, shardsOf, sumOf, type Turn, turnOf } from './pool/pool-item.ts';

interface Settling {
  readonly poolOf: (scope: LimitScope) => PoolAccess;
  /** The use of a scope that has shards. */
  readonly usageOf: (scope: LimitScope) => Promise<SettledScope['usage'] | undefined>;
}

/** Settles each scope with one write. */
export async function settle(
  batch: StreamBatch,
  settlements: readonly Settlement[],
  { poolOf, usageOf }: Settling,
): Promise<readonly SettledScope[]> {
  const byScope = Map.groupBy(settlements, ({ hold }) => poolName(hold));
  const settled = await Promise.all(
    [...byScope.values()].map(async (of) => {
      const [first] = of;
      if (!first) return undefined;
      const { kind, id } = first.hold;
      const pool = await settleAt(poolOf({ kind, id }), batch, of);
      if (!pool) return undefined;
      const isLeased = shardsOf(pool).length > 0;
      const usage = isLeased ? await usageOf({ kind, id }) : toLimitUsage(pool, pool.minute);
      const hasLeaked = mayHaveLeaked(pool, batch.now);
      return usage && { scope: { kind, id }, usage, limits: pool.limits, mayHaveLeaked: hasLeaked };
    }),
  );
  return settled.filter((one) => one !== undefined);
}

async function settleAt(
  pool: PoolAccess,
  batch: StreamBatch,
  settlements: readonly Settlement[],
): Promise<QuotaPool | undefined> {
  const inOrder = settlements.toSorted((one, other) => (isAfter(one.sequence, other.sequence) ? 1 : -1));
  const settled = await changeAt(pool, (seen) => {
    const unseen = inOrder.filter(({ sequence }) => !hasSeen(seen?.stored, batch, sequence));
    return unseen.length === 0 ? undefined : settlementOf(seen, batch, unseen);
  });
  // The item stays small. It fails without harm if another write was faster.
  const forgotten = settled && forgetting(settled.stored, batch);
  if (forgotten) await pool.update(forgotten);
  return settled;
}

function settlementOf(
  seen: QuotaPool | undefined,
  batch: StreamBatch,
  settlements: readonly Settlement[],
): UpdateFields {
  const minute = minuteOf(batch.now);
  // A clock that was far ahead when it admitted a request does not take the pool there again.
  const turn = turnOf(seen, Math.min(minute, Math.max(...settlements.map(({ hold }) => hold.minute))));
  const more = sumOf(settlements.map((one) => changeOf(one, seen, turn)));
  const first = settlements[0]?.sequence ?? '';
  const last = settlements.at(-1)?.sequence ?? '';
  const watermark = watermarkOf(batch, { first, last });
  const { set, add, where } = addition(seen, turn, more);
  const ended = settlements.filter(
    (one) => one.isEnd && one.hold.running === 1 && !isFreed(one, seen),
  ).length;
  const begins = ended > 0 && minute > (seen?.settledMinute ?? 0);
  return {
    set: [
      ...set,
      watermark.set,
      ...(begins
        ? [[['settledMinute'], minute] as const, [['settledBefore'], seen?.settled ?? 0] as const]
        : []),
    ],
    add: [...add, ['settled', ended]],
    where: [...where, watermark.where],
  };
}

function changeOf(settlement: Settlement, seen: QuotaPool | undefined, turn: Turn): Counts {
  const { hold, tokens, amount, isEnd } = settlement;
  const released = isEnd ? 1 : 0;
  // Nothing is held for it any more, so that all of its use is added.
  const of = isFreed(settlement, seen) ? { ...hold, amount: 0, running: 0 as const } : hold;
  const change = {
    requests: 0,
    tokens,
    amount: amount + hold.amount - of.amount,
    released,
    isRecorded: true,
  } as const;
  return differenceIn(turn, hold, differenceOf(of, change));
}

/** Whether what a request held was freed because it had no record, which it got later. */
const isFreed = ({ hold, isEnd }: Settlement, seen: QuotaPool | undefined): boolean =>
  isEnd && hold.minute <= (seen?.freedUntil ?? 0);
