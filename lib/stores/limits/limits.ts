/**
 * The use of limits, in the usage table: a bank for each key, tenant and user that has limits, and shards that it lends to.
 * Nothing in them grows with the number of running requests: what a request holds is in its record, and the stream of the ledger
 * settles it.
 */
import type {
  Admission,
  Committed,
  LimitScope,
  LimitStore,
  SettledScope,
  Settlement,
} from '../../core/accounting/limits.ts';
import { AwsError } from '../../core/ports/aws.ts';
import { withCircuitBreaker } from '../dynamodb/circuit-breaker.ts';
import { openTable, type TableOptions } from '../dynamodb/table.ts';
import { createLru, type Lru } from '../lru.ts';
import { type BankAccess, bankName, unknownUsage } from './bank.ts';
import { addition } from './bank-change.ts';
import { type Bank, readBank, turnOf } from './bank-item.ts';
import { type Counts, counters, toCounts, toLimitUsage } from './counts.ts';
import { openItem } from './item-access.ts';
import { minuteOf } from './periods.ts';
import { cancelAt, changeAt, endAt, settleAt } from './settle.ts';
import { readShard, type Shard, shardsOf } from './shard-item.ts';
import {
  admitAtRest,
  admitSharded,
  type ScopeMemory,
  type ShardedScope,
  shardName,
  usageOf,
} from './shards.ts';

export interface LimitStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  /** How long the database may be silent before a request goes on without it. */
  readonly timeoutMs?: number;
}

/** The scopes whose bank a process remembers. */
const rememberedScopes = 2_000;

export function createLimitStore(options: LimitStoreOptions): LimitStore {
  const { now, call, table: name, timeoutMs = 1_000 } = options;
  const table = openTable({ call: withCircuitBreaker(call, timeoutMs), table: name });
  const banks = { table, now, remembered: createLru<Bank>(rememberedScopes), parse: readBank };
  const shards = { table, now, remembered: createLru<Shard>(rememberedScopes), parse: readShard };
  const memories = createLru<ScopeMemory>(rememberedScopes);
  const bankOf = (scope: LimitScope) => openItem(banks, bankName(scope));
  const open = (scope: LimitScope): ShardedScope => ({
    scope,
    bank: bankOf(scope),
    shardOf: (number) => openItem(shards, shardName(scope, number)),
    memory: memoryOf(memories, bankName(scope)),
  });
  return {
    reserve: (scope, limits, wanted, { shards: count = 0 } = {}) =>
      // Running requests are counted in one place.
      (count > 1 && limits.concurrentRequests === undefined
        ? admitSharded(open(scope), limits, wanted, count)
        : admitAtRest(open(scope), limits, wanted)
      ).catch((error) => refuseWhileThrottled(error, now())),
    cancel: (hold) => cancelAt(bankOf(hold), hold),
    endRunning: (hold) => endAt(bankOf(hold)),
    settle: (shard, settlements) => settle({ shard, now: now() }, settlements, open),
    read: (scope) => usageOf(open(scope)),
    seed: (scope, committed) => seed(bankOf(scope), committed),
  };
}

function memoryOf(memories: Lru<ScopeMemory>, name: string): ScopeMemory {
  const known = memories.get(name) ?? {};
  memories.set(name, known);
  return known;
}

/**
 * An item of the database accepts a thousand writes per second. A caller must not exceed its limits by sending more, as is
 * possible while the database is down.
 */
function refuseWhileThrottled(error: unknown, time: number): Admission {
  if (!(error instanceof AwsError && error.isThrottling)) throw error;
  return { refusedBy: 'contention', output: 0, usage: unknownUsage(time) };
}

async function settle(
  batch: { readonly shard: string; readonly now: number },
  settlements: readonly Settlement[],
  open: (scope: LimitScope) => ShardedScope,
): Promise<readonly SettledScope[]> {
  const byScope = Map.groupBy(settlements, ({ hold }) => bankName(hold));
  const settled = await Promise.all(
    [...byScope.values()].map(async (of) => {
      const [first] = of;
      if (!first) return undefined;
      const { kind, id } = first.hold;
      const sharded = open({ kind, id });
      const bank = await settleAt(sharded.bank, batch, of);
      if (!bank) return undefined;
      const isLent = shardsOf(bank).length > 0;
      const usage = isLent ? await usageOf(sharded) : toLimitUsage(bank, bank.minute);
      return usage && { scope: { kind, id }, usage, limits: bank.limits };
    }),
  );
  return settled.filter((one) => one !== undefined);
}

/** Raises what a scope has used in each period to what the ledger says. */
async function seed(bank: BankAccess, { day, week, month, total }: Committed): Promise<void> {
  await bank.read();
  await changeAt(bank, (seen) => {
    const turn = turnOf(seen, minuteOf(bank.now()));
    const least: Partial<Counts> = {
      dayCommitted: day,
      weekCommitted: week,
      committed: month,
      totalCommitted: total,
    };
    const more = toCounts((name) =>
      least[name] === undefined ? 0 : Math.max(0, least[name] - turn.counts[name]),
    );
    return counters.some((name) => more[name] > 0) ? addition(seen, turn, more) : undefined;
  });
}
