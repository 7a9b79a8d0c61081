/**
 * Admissions of a scope with shards: usually one write to one of them. What is left is too little to lease is spent at the pool; a
 * request is refused only once the shards have given back what they had.
 */
import type { Admission, Hold, LimitScope, LimitUsage, Wanted } from '../../../core/accounting/limits.ts';
import { AwsError } from '../../../core/ports/aws.ts';
import type { Limits } from '../../../core/tenancy.ts';
import type { Table } from '../../dynamodb/table.ts';
import { createLru } from '../../lru.ts';
import { type Counts, countsOf, toCounts, toLimitUsage } from '../counts.ts';
import { decide } from '../decision.ts';
import { openItem, slotOf } from '../item-access.ts';
import { dayOf, minuteOf } from '../periods.ts';
import { giveBack, lease, type Pair, type ShardAccess } from '../pool/lease.ts';
import { admitAtPool, holdOf, type PoolAccess, poolName } from '../pool/pool.ts';
import { differenceIn, type QuotaPool, shardsOf, sumOf, type Turn, turnOf } from '../pool/pool-item.ts';
import { fits, isLeasedUnder, leftAt, rebasedShard, spending } from './shard-change.ts';
import { type Lot, leftIn, readShard, type Shard, transferAttribute, transferOf } from './shard-item.ts';

/** A scope, as one process uses it. */
interface ShardedScope {
  readonly scope: LimitScope;
  readonly pool: PoolAccess;
  readonly shardOf: (number: number) => ShardAccess;
  readonly memory: ScopeMemory;
}

interface ScopeMemory {
  /** The shard that this process uses. */
  shard?: number;
  /** The leases of the pool when all of them had been given back. */
  emptied?: string;
  /** What this process is doing for all of its requests. */
  leasing?: Promise<unknown> | undefined;
  calling?: Promise<boolean> | undefined;
}

/** A pool and what its shards have left, or have spent without a lease. */
export interface Leased {
  readonly seen: QuotaPool | undefined;
  readonly lots: readonly Lot[];
  /** The last minute in which a shard was used; 0 without shards. */
  readonly minute: number;
}

export interface Shards {
  reserve(scope: LimitScope, limits: Limits, wanted: Wanted, shards: number): Promise<Admission>;
  /** Once more at the pool, with what all shards give back; undefined if they have nothing. */
  reserveReturned(scope: LimitScope, limits: Limits, wanted: Wanted): Promise<Admission | undefined>;
  read(scope: LimitScope): Promise<LimitUsage | undefined>;
  /** Takes back what all shards have left, or have spent without a lease. */
  callIn(scope: LimitScope): Promise<boolean>;
  leased(scope: LimitScope): Promise<Leased>;
}

const rememberedShards = 2_000;

export function createShards({
  table,
  now,
  poolOf,
}: {
  readonly table: Table;
  readonly now: () => number;
  readonly poolOf: (scope: LimitScope) => PoolAccess;
}): Shards {
  const kind = {
    table,
    now,
    remembered: createLru<Shard>(rememberedShards),
    parse: readShard,
    rebased: rebasedShard,
  };
  const memories = createLru<ScopeMemory>(rememberedShards);
  function open(scope: LimitScope): ShardedScope {
    const name = poolName(scope);
    const memory = memories.get(name) ?? {};
    memories.set(name, memory);
    return { scope, pool: poolOf(scope), shardOf: (number) => openItem(kind, `${name}#${number}`), memory };
  }
  return {
    reserve: (scope, limits, wanted, shards) => admitSharded(open(scope), limits, wanted, shards),
    reserveReturned: (scope, limits, wanted) => admitReturned(open(scope), limits, wanted),
    read: (scope) => usageOf(open(scope)),
    callIn: (scope) => callInAll(open(scope)),
    leased: (scope) => leasedBy(open(scope)),
  };
}

const maxTries = 4;

async function admitSharded(
  sharded: ShardedScope,
  limits: Limits,
  wanted: Wanted,
  shards: number,
): Promise<Admission> {
  const { memory } = sharded;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const number = memory.shard !== undefined && memory.shard <= shards ? memory.shard : anyOf(shards);
    memory.shard = number;
    try {
      const admission = await admitAtShard(sharded, number, { limits, wanted, shards });
      if (admission === 'changed') continue;
      if (admission) return admission;
      break;
    } catch (error) {
      if (!(error instanceof AwsError && error.isThrottling) || tries === maxTries) throw error;
      delete memory.shard;
    }
  }
  const admission = await admitAtPool(sharded.pool, sharded.scope, limits, wanted);
  const { refusedBy } = admission;
  if (!refusedBy || refusedBy === 'contention') return admission;
  return (await admitReturned(sharded, limits, wanted)) ?? admission;
}

const anyOf = (shards: number) => 1 + Math.floor(Math.random() * shards);

const pairOf = ({ pool, shardOf }: ShardedScope, number: number): Pair => ({
  pool,
  shard: shardOf(number),
  number,
});

/** Undefined where the shard has too little, and the pool too little to lease. */
async function admitAtShard(
  sharded: ShardedScope,
  number: number,
  { limits, wanted, shards }: { readonly limits: Limits; readonly wanted: Wanted; readonly shards: number },
): Promise<Admission | 'changed' | undefined> {
  const { scope, memory } = sharded;
  const pair = pairOf(sharded, number);
  const pool = pair.pool.seen() ?? (await pair.pool.read());
  let shard = pair.shard.seen() ?? (await pair.shard.read());
  const decision = decide(restFor(pool, shard, minuteOf(pair.pool.now())), limits, wanted);
  if ('refusedBy' in decision || !decision.isWhole) return undefined;
  const { need, output } = decision;
  const isPrepaid = limits.credit !== undefined;
  const minute = Math.max(minuteOf(pair.pool.now()), shard?.minute ?? 0);
  const isReady =
    shard?.day === dayOf(minute) &&
    shard.isPrepaid === isPrepaid &&
    isLeasedUnder(shard, limits) &&
    fits(shard, minute, limits, need);
  if (!shard || !isReady) {
    if (memory.leasing) return await memory.leasing.then(() => 'changed');
    const leased = lease(pair, { limits, need, shards });
    memory.leasing = leased.catch(() => {}).finally(() => delete memory.leasing);
    shard = await leased;
  }
  if (!shard) return undefined;
  const slot = slotOf(wanted.id);
  const at = Math.max(minuteOf(pair.pool.now()), shard.minute);
  if (shard.day !== dayOf(at) || !fits(shard, at, limits, need)) return 'changed';
  const written = await pair.shard.updateMarked(
    spending(shard, at, limits, need, slot),
    slot,
    shard.stored[slot.name],
  );
  const now = written ?? (await pair.shard.read());
  if (now?.stored[slot.name] !== slot.mark) return 'changed';
  const held = holdOf(scope, written ? { minute: at, day: shard.day } : now, need, isPrepaid);
  const hold: Hold = { ...held, shard: pair.number };
  const counts = restFor(pair.pool.seen() ?? pool, now, at);
  return { output, hold, usage: toLimitUsage(counts, at) };
}

/** The counts as far as this process knows them, without what the shard has left: it can be spent. */
function restFor(pool: QuotaPool | undefined, shard: Shard | undefined, minute: number): Counts {
  const turn = turnOf(pool, minute);
  return shard ? without(turn.counts, leftAt(shard, turn.to.minute), turn) : turn.counts;
}

function without(counts: Counts, lot: Lot, turn: Turn): Counts {
  const { requests, tokens, amount, isPrepaid } = lot;
  const taken = countsOf({ requests: -requests, tokens: -tokens, amount: -amount, running: 0 }, isPrepaid);
  return sumOf([counts, differenceIn(turn, lot, taken)]);
}

async function admitReturned(
  sharded: ShardedScope,
  limits: Limits,
  wanted: Wanted,
): Promise<Admission | undefined> {
  if (!(await callIn(sharded))) return undefined;
  return await admitAtPool(sharded.pool, sharded.scope, limits, wanted);
}

/** Takes back what the shards have left. False if they have given it back since the last lease. */
async function callIn(sharded: ShardedScope): Promise<boolean> {
  const { pool, memory } = sharded;
  const before = pool.seen();
  if (shardsOf(before).length === 0 || memory.emptied === leasesOf(before)) return false;
  memory.calling ??= callInAll(sharded).finally(() => delete memory.calling);
  return await memory.calling;
}

async function callInAll(sharded: ShardedScope): Promise<boolean> {
  const { pool, memory } = sharded;
  const numbers = shardsOf(pool.seen());
  const gave = await Promise.all(numbers.map((number) => giveBack(pairOf(sharded, number))));
  memory.emptied = leasesOf(pool.seen());
  return gave.includes(true);
}

const leasesOf = (pool: QuotaPool | undefined) =>
  shardsOf(pool)
    .map((number) => pool?.stored[transferAttribute(number)])
    .join();

/** The use of a scope: what its shards have left is not used. Undefined if nothing was ever used. */
async function usageOf(sharded: ShardedScope): Promise<LimitUsage | undefined> {
  const { seen, lots } = await leasedBy(sharded);
  if (!seen) return undefined;
  const turn = turnOf(seen, minuteOf(sharded.pool.now()));
  const used = lots.reduce((total, lot) => without(total, lot, turn), turn.counts);
  return toLimitUsage(
    toCounts((name) => Math.max(0, used[name])),
    turn.to.minute,
  );
}

async function leasedBy({ pool, shardOf }: ShardedScope): Promise<Leased> {
  const first = await pool.read();
  const numbers = shardsOf(first);
  const shards = await Promise.all(numbers.map((number) => shardOf(number).read()));
  // Again, so that nothing that a shard has received is missing here.
  const seen = shards.length > 0 ? await pool.read() : first;
  const lots = seen ? shards.flatMap((shard, index) => unusedOf(seen, shard, numbers[index] ?? 0)) : [];
  return { seen, lots, minute: Math.max(0, ...shards.map((shard) => shard?.minute ?? 0)) };
}

/** What was leased to a shard and not spent, wherever it is just now. */
function unusedOf(pool: QuotaPool, shard: Shard | undefined, number: number): readonly Lot[] {
  const transfer = transferOf(pool, number);
  const isReceived = shard !== undefined && shard.transfer >= transfer.number;
  const back = shard?.back && (isReceived || !transfer.tookBack) ? [shard.back] : [];
  return [...(shard ? [leftIn(shard)] : []), ...back, ...(isReceived ? [] : [transfer])];
}
