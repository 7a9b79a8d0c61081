/**
 * Admissions of a scope with shards: usually one write to one of them. What is left is too little to lend is spent at the bank; a
 * request is refused only once the shards have given back what they had.
 */
import type { Admission, Hold, LimitScope, LimitUsage, Wanted } from '../../../core/accounting/limits.ts';
import { AwsError } from '../../../core/ports/aws.ts';
import type { Limits } from '../../../core/tenancy.ts';
import type { Table } from '../../dynamodb/table.ts';
import { createLru } from '../../lru.ts';
import { admitAtBank, type BankAccess, bankName, holdOf } from '../bank/bank.ts';
import { type Bank, differenceIn, shardsOf, sumOf, type Turn, turnOf } from '../bank/bank-item.ts';
import { giveBack, lend, type Pair, type ShardAccess } from '../bank/lend.ts';
import { type Counts, countsOf, toCounts, toLimitUsage } from '../counts.ts';
import { decide } from '../decision.ts';
import { openItem } from '../item-access.ts';
import { dayOf, minuteOf } from '../periods.ts';
import { slotOf } from '../slots.ts';
import { fits, isLentUnder, leftAt, rebasedShard, spending } from './shard-change.ts';
import { type Lot, leftIn, readShard, type Shard, transferAttribute, transferOf } from './shard-item.ts';

/** A scope, as one process uses it. */
interface ShardedScope {
  readonly scope: LimitScope;
  readonly bank: BankAccess;
  readonly shardOf: (number: number) => ShardAccess;
  readonly memory: ScopeMemory;
}

interface ScopeMemory {
  /** The shard that this process uses. */
  shard?: number;
  /** The loans of the bank when all of them had been given back. */
  emptied?: string;
  /** What this process is doing for all of its requests. */
  lending?: Promise<unknown> | undefined;
  calling?: Promise<boolean> | undefined;
}

/** A bank and what its shards have left, or have spent without a loan. */
export interface Lent {
  readonly seen: Bank | undefined;
  readonly lots: readonly Lot[];
  /** The last minute in which a shard was used; 0 without shards. */
  readonly minute: number;
}

export interface Shards {
  reserve(scope: LimitScope, limits: Limits, wanted: Wanted, shards: number): Promise<Admission>;
  /** Once more at the bank, with what all shards give back; undefined if they have nothing. */
  reserveReturned(scope: LimitScope, limits: Limits, wanted: Wanted): Promise<Admission | undefined>;
  read(scope: LimitScope): Promise<LimitUsage | undefined>;
  /** Takes back what all shards have left, or have spent without a loan. */
  callIn(scope: LimitScope): Promise<boolean>;
  lent(scope: LimitScope): Promise<Lent>;
}

const rememberedShards = 2_000;

export function createShards({
  table,
  now,
  bankOf,
}: {
  readonly table: Table;
  readonly now: () => number;
  readonly bankOf: (scope: LimitScope) => BankAccess;
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
    const name = bankName(scope);
    const memory = memories.get(name) ?? {};
    memories.set(name, memory);
    return { scope, bank: bankOf(scope), shardOf: (number) => openItem(kind, `${name}#${number}`), memory };
  }
  return {
    reserve: (scope, limits, wanted, shards) => admitSharded(open(scope), limits, wanted, shards),
    reserveReturned: (scope, limits, wanted) => admitReturned(open(scope), limits, wanted),
    read: (scope) => usageOf(open(scope)),
    callIn: (scope) => callInAll(open(scope)),
    lent: (scope) => lentBy(open(scope)),
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
  const admission = await admitAtBank(sharded.bank, sharded.scope, limits, wanted);
  const { refusedBy } = admission;
  if (!refusedBy || refusedBy === 'contention') return admission;
  return (await admitReturned(sharded, limits, wanted)) ?? admission;
}

const anyOf = (shards: number) => 1 + Math.floor(Math.random() * shards);

const pairOf = ({ bank, shardOf }: ShardedScope, number: number): Pair => ({
  bank,
  shard: shardOf(number),
  number,
});

/** Undefined where the shard has too little, and the bank too little to lend. */
async function admitAtShard(
  sharded: ShardedScope,
  number: number,
  { limits, wanted, shards }: { readonly limits: Limits; readonly wanted: Wanted; readonly shards: number },
): Promise<Admission | 'changed' | undefined> {
  const { scope, memory } = sharded;
  const pair = pairOf(sharded, number);
  const bank = pair.bank.seen() ?? (await pair.bank.read());
  let shard = pair.shard.seen() ?? (await pair.shard.read());
  const decision = decide(restFor(bank, shard, minuteOf(pair.bank.now())), limits, wanted);
  if ('refusedBy' in decision || !decision.isWhole) return undefined;
  const { need, output } = decision;
  const isPrepaid = limits.credit !== undefined;
  const minute = Math.max(minuteOf(pair.bank.now()), shard?.minute ?? 0);
  const isReady =
    shard?.day === dayOf(minute) &&
    shard.isPrepaid === isPrepaid &&
    isLentUnder(shard, limits) &&
    fits(shard, minute, limits, need);
  if (!shard || !isReady) {
    if (memory.lending) return await memory.lending.then(() => 'changed');
    const lent = lend(pair, { limits, need, shards });
    memory.lending = lent.catch(() => {}).finally(() => delete memory.lending);
    shard = await lent;
  }
  if (!shard) return undefined;
  const slot = slotOf(wanted.id);
  const at = Math.max(minuteOf(pair.bank.now()), shard.minute);
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
  const counts = restFor(pair.bank.seen() ?? bank, now, at);
  return { output, hold, usage: toLimitUsage(counts, at) };
}

/** The counts as far as this process knows them, without what the shard has left: it can be spent. */
function restFor(bank: Bank | undefined, shard: Shard | undefined, clock: number): Counts {
  const turn = turnOf(bank, clock);
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
  return await admitAtBank(sharded.bank, sharded.scope, limits, wanted);
}

/** Takes back what the shards have left. False if they have given it back since the last loan. */
async function callIn(sharded: ShardedScope): Promise<boolean> {
  const { bank, memory } = sharded;
  const before = bank.seen();
  if (shardsOf(before).length === 0 || memory.emptied === loansOf(before)) return false;
  memory.calling ??= callInAll(sharded).finally(() => delete memory.calling);
  return await memory.calling;
}

async function callInAll(sharded: ShardedScope): Promise<boolean> {
  const { bank, memory } = sharded;
  const numbers = shardsOf(bank.seen());
  const gave = await Promise.all(numbers.map((number) => giveBack(pairOf(sharded, number))));
  memory.emptied = loansOf(bank.seen());
  return gave.includes(true);
}

const loansOf = (bank: Bank | undefined) =>
  shardsOf(bank)
    .map((number) => bank?.stored[transferAttribute(number)])
    .join();

/** The use of a scope: what its shards have left is not used. Undefined if nothing was ever used. */
async function usageOf(sharded: ShardedScope): Promise<LimitUsage | undefined> {
  const { seen, lots } = await lentBy(sharded);
  if (!seen) return undefined;
  const turn = turnOf(seen, minuteOf(sharded.bank.now()));
  const used = lots.reduce((total, lot) => without(total, lot, turn), turn.counts);
  return toLimitUsage(
    toCounts((name) => Math.max(0, used[name])),
    turn.to.minute,
  );
}

async function lentBy({ bank, shardOf }: ShardedScope): Promise<Lent> {
  const first = await bank.read();
  const numbers = shardsOf(first);
  const shards = await Promise.all(numbers.map((number) => shardOf(number).read()));
  // Again, so that nothing that a shard has received is missing here.
  const seen = shards.length > 0 ? await bank.read() : first;
  const lots = seen ? shards.flatMap((shard, index) => unusedOf(seen, shard, numbers[index] ?? 0)) : [];
  return { seen, lots, minute: Math.max(0, ...shards.map((shard) => shard?.minute ?? 0)) };
}

/** What was lent to a shard and not spent, wherever it is just now. */
function unusedOf(bank: Bank, shard: Shard | undefined, number: number): readonly Lot[] {
  const transfer = transferOf(bank, number);
  const isReceived = shard !== undefined && shard.transfer >= transfer.number;
  const back = shard?.back && (isReceived || !transfer.tookBack) ? [shard.back] : [];
  return [...(shard ? [leftIn(shard)] : []), ...back, ...(isReceived ? [] : [transfer])];
}
