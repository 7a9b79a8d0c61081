/**
 * Transfers between the pool of a scope and one of its shards. Each step is one conditional write, and whoever comes next goes on
 * where a process ended: what was leased counts at the pool before the shard has it, and what goes back is gone from the shard before
 * the pool has it.
 */
import type { Limits } from '../../../core/tenancy.ts';
import { isStill, type UpdateFields } from '../../dynamodb/update-expression.ts';
import { type Counts, countsOf, limitsSet, type Need, none } from '../counts.ts';
import type { ItemAccess } from '../item-access.ts';
import { minuteOf } from '../periods.ts';
import {
  closing,
  creation,
  fits,
  isLeasedUnder,
  leasedUnits,
  leftAt,
  receipt,
} from '../shards/shard-change.ts';
import {
  type Lot,
  type Shard,
  type Transfer,
  transferAttribute,
  transferOf,
  transferText,
} from '../shards/shard-item.ts';
import { maxTries, type PoolAccess } from './pool.ts';
import { addition, withinLimits } from './pool-change.ts';
import { differenceIn, type QuotaPool, sumOf, type Turn, turnOf } from './pool-item.ts';

export type ShardAccess = ItemAccess<Shard>;

/** A pool and one of its shards. */
export interface Pair {
  readonly pool: PoolAccess;
  readonly shard: ShardAccess;
  readonly number: number;
}

interface LeaseRequest {
  readonly limits: Limits;
  readonly need: Need;
  /** Of all shards. */
  readonly shards: number;
}

/** A lease is not worth its writes unless it lasts for this many requests. */
const worthRequests = 4;

/** Brings a shard to where it can spend the need. Undefined if the pool has too little left to lease, or others were faster. */
export async function lease(pair: Pair, lease: LeaseRequest): Promise<Shard | undefined> {
  const { limits, need } = lease;
  const isPrepaid = limits.credit !== undefined;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { pool, shard } = await meet(pair);
    const turn = turnAt(pair, pool, shard);
    if (!shard) {
      await pair.shard.update(creation(turn.to, isPrepaid));
      continue;
    }
    const isOfDay = shard.day === turn.to.day && shard.isPrepaid === isPrepaid;
    const isCapped = isLeasedUnder(shard, limits);
    if (isOfDay && isCapped && fits(shard, turn.to.minute, limits, need)) return shard;
    if (!isOfDay || (!isCapped && hasLeft(shard))) {
      if (shard.back) await transferTo(pair, { pool, shard, turn }, noLot(turn.to, shard.isPrepaid), {});
      else await pair.shard.update(closing(shard, turn.to, isPrepaid));
      continue;
    }
    const lot = lotFor(pool, shard, turn, lease);
    if (!lot) return undefined;
    await transferTo(pair, { pool, shard, turn }, lot, limits);
  }
  return undefined;
}

/** Gives back to the pool what is left in a shard. False if there was nothing. */
export async function giveBack(pair: Pair): Promise<boolean> {
  let gave = false;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { pool, shard } = await meet(pair);
    if (!shard || !(shard.back || hasLeft(shard))) return gave;
    const turn = turnAt(pair, pool, shard);
    if (shard.back) {
      await transferTo(pair, { pool, shard, turn }, noLot(turn.to, shard.isPrepaid), {});
      gave = true;
    } else await pair.shard.update(closing(shard, turn.to, shard.isPrepaid));
  }
  return gave;
}

const hasLeft = ({ requestsLeft, tokensLeft, amountLeft }: Shard) =>
  requestsLeft !== 0 || tokensLeft !== 0 || amountLeft !== 0;

const turnAt = ({ pool: { now } }: Pair, pool: QuotaPool | undefined, shard: Shard | undefined): Turn =>
  turnOf(pool, Math.max(minuteOf(now()), shard?.minute ?? 0, (shard?.day ?? 0) * 1_440));

/** Reads both, after the shard has received what the pool has leased to it. */
async function meet({
  pool,
  shard,
  number,
}: Pair): Promise<{ pool: QuotaPool | undefined; shard: Shard | undefined }> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const [seen, owner] = await Promise.all([shard.read(), pool.read()]);
    const last = transferOf(owner, number);
    if (!seen || last.number === seen.transfer) return { pool: owner, shard: seen };
    if (last.number === seen.transfer + 1) await shard.update(receipt(seen, last));
  }
  throw new Error('Too many transfers of one shard at once.');
}

interface Met {
  readonly pool: QuotaPool | undefined;
  readonly shard: Shard;
  readonly turn: Turn;
}

const noLot = ({ minute, day }: Turn['to'], isPrepaid: boolean): Lot => ({
  minute,
  day,
  requests: 0,
  tokens: 0,
  amount: 0,
  isPrepaid,
});

/** The pool takes what the shard has set aside and leases a lot; the shard receives it. Either may fail: then nothing is lost. */
async function transferTo({ pool, shard, number }: Pair, met: Met, lot: Lot, limits: Limits): Promise<void> {
  const transfer: Transfer = {
    ...lot,
    number: met.shard.transfer + 1,
    tookBack: met.shard.back !== undefined,
  };
  const written = await pool.update(transferring(met, number, transfer, limits));
  if (!written) return;
  const caps = Object.fromEntries(limitsSet(limits).map(({ limit, max }) => [limit, max]));
  await shard.update(receipt(met.shard, transfer, caps));
}

function transferring(
  { pool, shard, turn }: Met,
  number: number,
  transfer: Transfer,
  limits: Limits,
): UpdateFields {
  const more = sumOf([countsOfLot(transfer), returned(shard, turn)]);
  const { set, add, where } = addition(pool, turn, more);
  const name = transferAttribute(number);
  return {
    set: [...set, [[name], transferText(transfer)]],
    add,
    where: [...where, isStill(name, pool?.stored[name]), ...withinLimits(pool, turn, limits, more)],
  };
}

const countsOfLot = ({ requests, tokens, amount, isPrepaid }: Lot): Counts =>
  countsOf({ requests, tokens, amount, running: 0 }, isPrepaid);

/** What the pool no longer counts, of what a shard has set aside. */
function returned({ back }: Shard, turn: Turn): Counts {
  if (!back) return none;
  const { requests, tokens, amount } = back;
  return differenceIn(
    turn,
    back,
    countsOfLot({ ...back, requests: -requests, tokens: -tokens, amount: -amount }),
  );
}

/** A share of what is left: half of it for all shards together. Undefined if that is too little. */
function lotFor(
  pool: QuotaPool | undefined,
  shard: Shard,
  turn: Turn,
  { limits, need, shards }: LeaseRequest,
): Lot | undefined {
  if (!pool) return undefined;
  const counts = sumOf([turn.counts, returned(shard, turn)]);
  const left = leftAt(shard, turn.to.minute);
  const share = (unit: 'requests' | 'tokens' | 'amount') => {
    const rest = limitsSet(limits).flatMap((one) =>
      one.unit === unit ? [one.max - counts[one.counter]] : [],
    );
    return Math.max(0, Math.floor(Math.min(...rest) / (2 * shards)));
  };
  const lot = noLot(turn.to, limits.credit !== undefined);
  const leased = leasedUnits(limits).map((unit) => {
    const enough = worthRequests * need[unit];
    const lots = left[unit] >= enough ? 0 : share(unit);
    return { unit, lots, isWorth: left[unit] + lots >= enough };
  });
  if (leased.some(({ isWorth }) => !isWorth)) return undefined;
  return { ...lot, ...Object.fromEntries(leased.map(({ unit, lots }) => [unit, lots])) };
}
