/**
 * The use of limits, in the usage table: a pool for each key, tenant and user that has limits, and shards that it leases to.
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
import { toLimitUsage } from './counts.ts';
import { cancelAt, endAt, endUnrecordedAt } from './end.ts';
import { openItem } from './item-access.ts';
import { minuteOf } from './periods.ts';
import { admitAtPool, poolName, unknownUsage } from './pool/pool.ts';
import { rebased } from './pool/pool-change.ts';
import { type QuotaPool, readPool, shardsOf, turnOf } from './pool/pool-item.ts';

interface LimitStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Limits were brought back to the time of this clock: another one was far ahead. `name`: of their item. */
  readonly onRebased?: (name: string) => void;
  /** How long the database may be unavailable before a request goes on without it. */
  readonly timeoutMs?: number;
}

/** The scopes whose pool a process remembers. */
const rememberedScopes = 2_000;

export function createLimitStore(options: LimitStoreOptions): LimitStore {
  const { now, call, table: name, onRebased, timeoutMs = 1_000 } = options;
  const table = openTable({ call: withCircuitBreaker(call, timeoutMs), table: name });
  const pools = {
    table,
    now,
    remembered: createLru<QuotaPool>(rememberedScopes),
    parse: readPool,
    rebased,
    onRebased,
  };
  const poolOf = (scope: LimitScope) => openItem(pools, poolName(scope));
  // Few scopes have shards, and few processes settle.
  const loadShards = lazy(async () =>
    (await import('./shards/shards.ts')).createShards({ table, now, poolOf }),
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
    const pool = poolOf(scope);
    const admission = await admitAtPool(pool, scope, limits, wanted);
    const { refusedBy } = admission;
    if (!refusedBy || refusedBy === 'contention' || shardsOf(pool.seen()).length === 0) return admission;
    return (await (await loadShards()).reserveReturned(scope, limits, wanted)) ?? admission;
  }

  async function read(scope: LimitScope): Promise<LimitUsage | undefined> {
    const seen = await poolOf(scope).read();
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
      return await preview(poolOf(scope), limits, wanted);
    },
    cancel: (hold) => cancelAt(poolOf(hold), hold),
    endRunning: (hold) => endAt(poolOf(hold)),
    endUnrecorded: (hold) => endUnrecordedAt(poolOf(hold), hold),
    async settle(shard, settlements) {
      const { settle } = await import('./settle.ts');
      return await settle({ shard, now: now() }, settlements, { poolOf, usageOf: read });
    },
    read,
    async readMany(scopes) {
      const { readMany } = await import('./read-many.ts');
      return await readMany(scopes, { ...options, read });
    },
    async freeLeaked(scope, countRecorded, write) {
      const { freeLeaked } = await import('./leaked.ts');
      return await freeLeaked(scope, countRecorded, {
        pool: poolOf(scope),
        shards: await loadShards(),
        write,
      });
    },
    async seed(scope, committed) {
      const { seed } = await import('./seed.ts');
      if (shardsOf(await poolOf(scope).read()).length > 0) await (await loadShards()).callIn(scope);
      await seed(poolOf(scope), committed);
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
