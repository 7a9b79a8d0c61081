/** The changes of a shard, each one conditional write. */
import { partitionKey } from '../../../core/tables.ts';
import type { Limits } from '../../../core/tenancy.ts';
import { isStill, type UpdateCondition, type UpdateFields } from '../../dynamodb/update-expression.ts';
import { limitsSet, type Need } from '../counts.ts';
import type { Slot } from '../item-access.ts';
import { dayOf, maxAheadMinutes, type Periods } from '../periods.ts';
import { backAttributes, type Lot, leftAttributes, leftIn, type Shard, type Transfer } from './shard-item.ts';

const partsOfLot = Object.keys(backAttributes) as readonly (keyof Lot)[];

/** The units that limits count, and that are leased for them. */
export const leasedUnits = (limits: Limits) =>
  (['requests', 'tokens', 'amount'] as const).filter((of) =>
    limitsSet(limits).some(({ unit }) => unit === of),
  );

export const creation = ({ minute, day }: Periods, isPrepaid: boolean): UpdateFields => ({
  set: Object.entries({
    transfer: 0,
    minute,
    day,
    requestsLeft: 0,
    tokensLeft: 0,
    amountLeft: 0,
    isPrepaid,
    caps: {},
  }).map(([name, value]) => [[name], value] as const),
  where: [{ path: [partitionKey], exists: false }],
});

/** What is left at a time: requests and tokens of an earlier minute are not. */
export function leftAt(shard: Shard, minute: number): Lot {
  const left = leftIn(shard);
  return minute > shard.minute ? { ...left, minute, requests: 0, tokens: 0 } : left;
}

/** Whether what is left was leased under limits that are not higher than these. */
export const isLeasedUnder = ({ caps }: Shard, limits: Limits): boolean =>
  limitsSet(limits).every(({ limit, max }) => (caps[limit] ?? Number.POSITIVE_INFINITY) <= max);

export function fits(shard: Shard, minute: number, limits: Limits, need: Need): boolean {
  const left = leftAt(shard, minute);
  return leasedUnits(limits).every((unit) => need[unit] <= left[unit]);
}

/** Takes the need of a request from what is left. */
export function spending(shard: Shard, minute: number, limits: Limits, need: Need, slot: Slot): UpdateFields {
  const isNewMinute = minute > shard.minute;
  const limited = leasedUnits(limits).filter((unit) => need[unit] > 0 && (unit === 'amount' || !isNewMinute));
  return {
    set: [
      [[slot.name], slot.mark],
      ...(isNewMinute
        ? ([
            [['minute'], minute],
            [['requestsLeft'], -need.requests],
            [['tokensLeft'], -need.tokens],
          ] as const)
        : []),
    ],
    add: [
      ['amountLeft', -need.amount],
      ...(isNewMinute
        ? []
        : ([
            ['requestsLeft', -need.requests],
            ['tokensLeft', -need.tokens],
          ] as const)),
    ],
    where: [
      isStill('minute', shard.minute),
      isStill('day', shard.day),
      isStill('isPrepaid', shard.isPrepaid),
      ...limitsSet(limits).map(
        ({ limit, max }) => ({ path: ['caps', limit], is: '<=', value: max }) as const,
      ),
      ...limited.map((unit) => ({ path: [leftAttributes[unit]], is: '>=', value: need[unit] }) as const),
      { path: [slot.name], isNot: slot.mark },
    ],
  };
}

/** Sets everything that is left aside for the pool. */
export function closing(shard: Shard, { minute, day }: Periods, isPrepaid: boolean): UpdateFields {
  return {
    copy: partsOfLot.map((part) => [backAttributes[part], leftAttributes[part]] as const),
    set: [
      [['minute'], Math.max(minute, shard.minute)],
      [['day'], Math.max(day, shard.day)],
      [['requestsLeft'], 0],
      [['tokensLeft'], 0],
      [['amountLeft'], 0],
      [['isPrepaid'], isPrepaid],
      [['caps'], {}],
    ],
    where: [...unchanged(shard), { path: ['backDay'], exists: false }],
  };
}

const unchanged = ({ transfer, minute, day, isPrepaid }: Shard): readonly UpdateCondition[] =>
  Object.entries({ transfer, minute, day, isPrepaid }).map(([name, value]) => isStill(name, value));

/** Receives a transfer. Only who leased it knows the limits under which it was leased. */
export function receipt(shard: Shard, transfer: Transfer, caps: Limits = {}): UpdateFields {
  const isCurrent = transfer.day === shard.day && transfer.isPrepaid === shard.isPrepaid;
  const pending = transfer.tookBack ? undefined : shard.back;
  const isEmpty = transfer.requests === 0 && transfer.tokens === 0 && transfer.amount === 0;
  const kept = isCurrent || isEmpty ? undefined : lateLot(transfer, pending);
  const isNewMinute = isCurrent && transfer.minute > shard.minute;
  const isSameMinute = isCurrent && transfer.minute === shard.minute;
  return {
    set: [
      [['transfer'], transfer.number],
      [['caps'], caps],
      ...(isNewMinute
        ? ([
            [['minute'], transfer.minute],
            [['requestsLeft'], transfer.requests],
            [['tokensLeft'], transfer.tokens],
          ] as const)
        : []),
      ...(kept ? backOf(kept) : []),
    ],
    add: [
      ['amountLeft', isCurrent ? transfer.amount : 0],
      ...(isSameMinute
        ? ([
            ['requestsLeft', transfer.requests],
            ['tokensLeft', transfer.tokens],
          ] as const)
        : []),
    ],
    remove: transfer.tookBack && !kept ? Object.values(backAttributes).map((name) => [name]) : [],
    where: [
      ...unchanged({ ...shard, transfer: transfer.number - 1 }),
      { path: ['backDay'], exists: shard.back !== undefined },
    ],
  };
}

/** A lease that comes too late goes back, with what is set aside already: in the earlier of their periods, where it frees less. */
function lateLot(transfer: Transfer, pending: Lot | undefined): Lot {
  if (!pending) return transfer;
  return {
    minute: Math.min(transfer.minute, pending.minute),
    day: Math.min(transfer.day, pending.day),
    requests: transfer.requests + pending.requests,
    tokens: transfer.tokens + pending.tokens,
    amount: transfer.amount + pending.amount,
    isPrepaid: transfer.isPrepaid && pending.isPrepaid,
  };
}

const backOf = (lot: Lot) => partsOfLot.map((part) => [[backAttributes[part]], lot[part]] as const);

/** As that of a pool: see `rebased` there. */
export function rebasedShard(shard: Shard, minute: number): UpdateFields | undefined {
  if (shard.minute <= minute + maxAheadMinutes) return undefined;
  const set = [
    [['minute'], minute],
    [['day'], dayOf(minute)],
  ] as const;
  return { set, where: unchanged(shard) };
}
