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
import { createLru } from '../lru.ts';
import { admitAtBank, type BankAccess, openBank, unknownUsage } from './bank.ts';
import { addition } from './bank-change.ts';
import { type Bank, turnOf } from './bank-item.ts';
import { type Counts, counters, toCounts, toLimitUsage } from './counts.ts';
import { minuteOf } from './periods.ts';
import { cancelAt, changeAt, endAt, settleAt } from './settle.ts';

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
  const remembered = createLru<Bank>(rememberedScopes);
  const bankOf = (scope: LimitScope) => openBank({ table, now, remembered }, scope);
  return {
    reserve: (scope, limits, wanted) =>
      admitAtBank(bankOf(scope), scope, limits, wanted).catch((error) => refuseWhileThrottled(error, now())),
    cancel: (hold) => cancelAt(bankOf(hold), hold),
    endRunning: (hold) => endAt(bankOf(hold)),
    settle: (shard, settlements) => settle({ shard, now: now() }, settlements, bankOf),
    async read(scope) {
      const seen = await bankOf(scope).read();
      if (!seen) return undefined;
      const { counts, to } = turnOf(seen, minuteOf(now()));
      return toLimitUsage(counts, to.minute);
    },
    seed: (scope, committed) => seed(bankOf(scope), committed),
  };
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
  bankOf: (scope: LimitScope) => BankAccess,
): Promise<readonly SettledScope[]> {
  const byScope = Map.groupBy(settlements, ({ hold }) => `${hold.kind}#${hold.id}`);
  const settled = await Promise.all(
    [...byScope.values()].map(async (of) => of[0] && (await settleAt(bankOf(of[0].hold), batch, of))),
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
