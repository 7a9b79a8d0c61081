/**
 * The use of limits, in the usage table: a bank for each key, tenant and user that has limits, and shards that it lends to.
 * Nothing in them grows with the number of running requests: what a request holds is in its record, and the stream of the ledger
 * settles it.
 */
import { lazy } from '../../async/lazy.ts';
import type { Admission, LimitScope, LimitStore, LimitUsage, Wanted } from '../../core/accounting/limits.ts';
import { AwsError } from '../../core/ports/aws.ts';
import type { Limits } from '../../core/tenancy.ts';
import { withCircuitBreaker } from '../dynamodb/circuit-breaker.ts';
import { openTable, type TableOptions } from '../dynamodb/table.ts';
import { createLru } from '../lru.ts';
import { admitAtBank, bankName, unknownUsage } from './bank/bank.ts';
import { rebased } from './bank/bank-change.ts';
import { type Bank, readBank, shardsOf, turnOf } from './bank/bank-item.ts';
import { toLimitUsage } from './counts.ts';
import { cancelAt, endAt, endUnrecordedAt } from './end.ts';
import { openItem } from './item-access.ts';
import { minuteOf } from './periods.ts';

interface LimitStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Limits were brought back to the time of this clock: another one was far ahead. `name`: of their item. */
  readonly onRebased?: (name: string) => void;
  /** How long the database may be silent before a request goes on without it. */
  readonly timeoutMs?: number;
}

/** The scopes whose bank a process remembers. */
const rememberedScopes = 2_000;

export function createLimitStore(options: LimitStoreOptions): LimitStore {
  const { now, call, table: name, onRebased, timeoutMs = 1_000 } = options;
  const table = openTable({ call: withCircuitBreaker(call, timeoutMs), table: name });
  const banks = {
    table,
    now,
    remembered: createLru<Bank>(rememberedScopes),
    parse: readBank,
    rebased,
    onRebased,
  };
  const bankOf = (scope: LimitScope) => openItem(banks, bankName(scope));
  // Few scopes have shards, and few processes settle.
  const loadShards = lazy(async () =>
    (await import('./shards/shards.ts')).createShards({ table, now, bankOf }),
  );

  async function reserve(
    scope: LimitScope,
    limits: Limits,
    wanted: Wanted,
    shards: number,
  ): Promise<Admission> {
    // Running requests are counted in one place.
    if (shards > 1 && limits.concurrentRequests === undefined) {
      return await (await loadShards()).reserve(scope, limits, wanted, shards);
    }
    const bank = bankOf(scope);
    const admission = await admitAtBank(bank, scope, limits, wanted);
    const { refusedBy } = admission;
    if (!refusedBy || refusedBy === 'contention' || shardsOf(bank.seen()).length === 0) return admission;
    return (await (await loadShards()).reserveReturned(scope, limits, wanted)) ?? admission;
  }

  async function read(scope: LimitScope): Promise<LimitUsage | undefined> {
    const seen = await bankOf(scope).read();
    if (!seen) return undefined;
    if (shardsOf(seen).length > 0) return await (await loadShards()).read(scope);
    const { counts, to } = turnOf(seen, minuteOf(now()));
    return toLimitUsage(counts, to.minute);
  }

  return {
    reserve: (scope, limits, wanted, { shards = 0 } = {}) =>
      reserve(scope, limits, wanted, shards).catch((error) => refuseWhileThrottled(error, now())),
    async preview(scope, limits, wanted) {
      const { preview } = await import('./preview.ts');
      return await preview(bankOf(scope), limits, wanted);
    },
    cancel: (hold) => cancelAt(bankOf(hold), hold),
    endRunning: (hold) => endAt(bankOf(hold)),
    endUnrecorded: (hold) => endUnrecordedAt(bankOf(hold), hold),
    async settle(shard, settlements) {
      const { settle } = await import('./settle.ts');
      return await settle({ shard, now: now() }, settlements, { bankOf, usageOf: read });
    },
    read,
    async freeStranded(scope, countRecorded, write) {
      const { freeStranded } = await import('./stranded.ts');
      return await freeStranded(scope, countRecorded, {
        bank: bankOf(scope),
        shards: await loadShards(),
        write,
      });
    },
    async seed(scope, committed) {
      const { seed } = await import('./seed.ts');
      if (shardsOf(await bankOf(scope).read()).length > 0) await (await loadShards()).callIn(scope);
      await seed(bankOf(scope), committed);
    },
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
