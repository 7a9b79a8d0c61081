/**
 * Transfers between the bank of a scope and one of its shards. Each step is one conditional write, and whoever comes next goes on
 * where a process ended: what was lent counts at the bank before the shard has it, and what goes back is gone from the shard before
 * the bank has it.
 */
import type { Limits } from '../../../core/tenancy.ts';
import type { UpdateCondition, UpdateFields } from '../../dynamodb/update-expression.ts';
import { type Counts, countsOf, limitsSet, type Need, none } from '../counts.ts';
import type { ItemAccess } from '../item-access.ts';
import { minuteOf } from '../periods.ts';
import { closing, creation, fits, isLentUnder, leftAt, lentUnits, receipt } from '../shards/shard-change.ts';
import {
  type Lot,
  type Shard,
  type Transfer,
  transferAttribute,
  transferOf,
  transferText,
} from '../shards/shard-item.ts';
import { type BankAccess, maxTries } from './bank.ts';
import { addition, withinLimits } from './bank-change.ts';
import { type Bank, differenceIn, sumOf, type Turn, turnOf } from './bank-item.ts';

export type ShardAccess = ItemAccess<Shard>;

/** A bank and one of its shards. */
export interface Pair {
  readonly bank: BankAccess;
  readonly shard: ShardAccess;
  readonly number: number;
}

interface Loan {
  readonly limits: Limits;
  readonly need: Need;
  /** Of all shards. */
  readonly shards: number;
}

/** A loan is not worth its writes unless it lasts for this many requests. */
const worthRequests = 4;

/** Brings a shard to where it can spend the need. Undefined if the bank has too little left to lend, or others were faster. */
export async function lend(pair: Pair, loan: Loan): Promise<Shard | undefined> {
  const { limits, need } = loan;
  const isPrepaid = limits.credit !== undefined;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { bank, shard } = await meet(pair);
    const turn = turnAt(pair, bank, shard);
    if (!shard) {
      await pair.shard.update(creation(turn.to, isPrepaid));
      continue;
    }
    const isOfDay = shard.day === turn.to.day && shard.isPrepaid === isPrepaid;
    const isCapped = isLentUnder(shard, limits);
    if (isOfDay && isCapped && fits(shard, turn.to.minute, limits, need)) return shard;
    if (!isOfDay || (!isCapped && hasLeft(shard))) {
      if (shard.back) await transferTo(pair, { bank, shard, turn }, noLot(turn.to, shard.isPrepaid), {});
      else await pair.shard.update(closing(shard, turn.to, isPrepaid));
      continue;
    }
    const lot = lotFor(bank, shard, turn, loan);
    if (!lot) return undefined;
    await transferTo(pair, { bank, shard, turn }, lot, limits);
  }
  return undefined;
}

/** Gives back to the bank what is left in a shard. False if there was nothing. */
export async function giveBack(pair: Pair): Promise<boolean> {
  let gave = false;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { bank, shard } = await meet(pair);
    if (!shard || !(shard.back || hasLeft(shard))) return gave;
    const turn = turnAt(pair, bank, shard);
    if (shard.back) {
      await transferTo(pair, { bank, shard, turn }, noLot(turn.to, shard.isPrepaid), {});
      gave = true;
    } else await pair.shard.update(closing(shard, turn.to, shard.isPrepaid));
  }
  return gave;
}

const hasLeft = ({ requestsLeft, tokensLeft, amountLeft }: Shard) =>
  requestsLeft !== 0 || tokensLeft !== 0 || amountLeft !== 0;

const turnAt = ({ bank: { now } }: Pair, bank: Bank | undefined, shard: Shard | undefined): Turn =>
  turnOf(bank, Math.max(minuteOf(now()), shard?.minute ?? 0, (shard?.day ?? 0) * 1_440));

/** Reads both, after the shard has received what the bank has lent to it. */
async function meet({
  bank,
  shard,
  number,
}: Pair): Promise<{ bank: Bank | undefined; shard: Shard | undefined }> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const [seen, owner] = await Promise.all([shard.read(), bank.read()]);
    const last = transferOf(owner, number);
    if (!seen || last.number === seen.transfer) return { bank: owner, shard: seen };
    if (last.number === seen.transfer + 1) await shard.update(receipt(seen, last));
  }
  throw new Error('Too many transfers of one shard at once.');
}

interface Met {
  readonly bank: Bank | undefined;
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

/** The bank takes what the shard has set aside and lends a lot; the shard receives it. Either may fail: then nothing is lost. */
async function transferTo({ bank, shard, number }: Pair, met: Met, lot: Lot, limits: Limits): Promise<void> {
  const transfer: Transfer = {
    ...lot,
    number: met.shard.transfer + 1,
    tookBack: met.shard.back !== undefined,
  };
  const written = await bank.update(transferring(met, number, transfer, limits));
  if (!written) return;
  const caps = Object.fromEntries(limitsSet(limits).map(({ limit, max }) => [limit, max]));
  await shard.update(receipt(met.shard, transfer, caps));
}

function transferring(
  { bank, shard, turn }: Met,
  number: number,
  transfer: Transfer,
  limits: Limits,
): UpdateFields {
  const more = sumOf([countsOfLot(transfer), returned(shard, turn)]);
  const { set, add, where } = addition(bank, turn, more);
  const path = [transferAttribute(number)];
  const before = bank?.stored[transferAttribute(number)];
  const isUnchanged: UpdateCondition =
    before === undefined ? { path, exists: false } : { path, is: '=', value: before };
  return {
    set: [...set, [path, transferText(transfer)]],
    add,
    where: [...where, isUnchanged, ...withinLimits(bank, turn, limits, more)],
  };
}

const countsOfLot = ({ requests, tokens, amount, isPrepaid }: Lot): Counts =>
  countsOf({ requests, tokens, amount, running: 0 }, isPrepaid);

/** What the bank no longer counts, of what a shard has set aside. */
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
  bank: Bank | undefined,
  shard: Shard,
  turn: Turn,
  { limits, need, shards }: Loan,
): Lot | undefined {
  if (!bank) return undefined;
  const counts = sumOf([turn.counts, returned(shard, turn)]);
  const left = leftAt(shard, turn.to.minute);
  const share = (unit: 'requests' | 'tokens' | 'amount') => {
    const rest = limitsSet(limits).flatMap((one) =>
      one.unit === unit ? [one.max - counts[one.counter]] : [],
    );
    return Math.max(0, Math.floor(Math.min(...rest) / (2 * shards)));
  };
  const lot = { ...noLot(turn.to, limits.credit !== undefined) };
  const lent = lentUnits(limits).map((unit) => {
    const enough = worthRequests * need[unit];
    const lots = left[unit] >= enough ? 0 : share(unit);
    return { unit, lots, isWorth: left[unit] + lots >= enough };
  });
  if (lent.some(({ isWorth }) => !isWorth)) return undefined;
  return { ...lot, ...Object.fromEntries(lent.map(({ unit, lots }) => [unit, lots])) };
}
