/** The changes of a limit item, each one conditional write: a reservation, and its end. */
import type { Reservation, Use } from '../../core/accounting/reservations.ts';
import { partitionKey } from '../../core/tables.ts';
import type { Limits } from '../../core/tenancy.ts';
import type { ItemUpdate } from '../dynamodb/table.ts';
import { toItemUpdate, type UpdateFields } from '../dynamodb/update-expression.ts';
import {
  type Counts,
  counters,
  type LimitItem,
  limitedCounts,
  type OpenReservation,
  type Turn,
  toCounts,
} from './reservations-item.ts';

/** The lifetime of a reservation that is never finalized: longer than any function may run. */
const lifetimeMs = 960_000;

const countsOf = ({ requests, tokens, cost }: Use, isPrepaid: boolean): Counts => ({
  requests,
  tokens,
  committed: cost,
  usedCredit: isPrepaid ? cost : 0,
  running: 0,
});

export const reservedCounts = ({ isPrepaid, ...amounts }: Reservation): Counts => ({
  ...countsOf({ ...amounts, requests: 1 }, isPrepaid),
  running: 1,
});

const heldBy = ({ at, tokens, cost, isPrepaid }: Reservation, { minute, month }: Turn): OpenReservation => ({
  until: at + lifetimeMs,
  minute,
  month,
  tokens,
  cost,
  isPrepaid,
});

/** The first use of a scope: creates its item. */
export function creation(turn: Turn, more: Counts, reservation: Reservation): ItemUpdate {
  const open = { [reservation.id]: heldBy(reservation, turn) };
  const item: LimitItem = { minute: turn.minute, month: turn.month, ...more, open };
  return toItemUpdate({
    set: Object.entries(item).map(([name, value]) => [[name], value]),
    where: [{ path: [partitionKey], exists: false }],
  });
}

/** Adds to the counts if the limits allow it, and applies the time that has passed since the item was read. */
export function addition(
  seen: Pick<LimitItem, 'minute' | 'month'>,
  turn: Turn,
  { more, limits, reservation }: { more: Counts; limits: Limits; reservation?: Reservation },
): ItemUpdate {
  const { reset, freed } = turn;
  const isReset = new Set<string>(reset);
  const withinLimits = limitedCounts.flatMap(([limit, counter]) => {
    const most = limits[limit];
    if (most === undefined || isReset.has(counter)) return [];
    return [{ path: [counter], is: '<=', value: most - more[counter] + freed[counter] } as const];
  });
  const time = timePassed(seen, turn);
  return toItemUpdate({
    set: [
      ...time.set,
      ...reset.map((counter) => [[counter], more[counter]] as const),
      ...(reservation ? [[['open', reservation.id], heldBy(reservation, turn)] as const] : []),
    ],
    add: counters.flatMap((name) => (isReset.has(name) ? [] : [[name, more[name] - freed[name]] as const])),
    remove: time.remove,
    where: [
      ...time.where,
      ...withinLimits,
      ...(reservation ? [{ path: ['open', reservation.id], exists: false }] : []),
    ],
  });
}

function timePassed(seen: Pick<LimitItem, 'minute' | 'month'>, turn: Turn) {
  const { minute, month, expired, forgotten } = turn;
  return {
    set: [
      ...(minute === seen.minute ? [] : [[['minute'], minute] as const]),
      ...(month === seen.month ? [] : [[['month'], month] as const]),
      ...expired.map(([id, { tokens: _, cost: __, until, ...held }]) => {
        const emptied = { ...held, until: until + lifetimeMs };
        return [['open', id], emptied] as const;
      }),
    ],
    remove: forgotten.map((id) => ['open', id]),
    where: [
      { path: ['minute'], is: '=', value: seen.minute },
      { path: ['month'], is: '=', value: seen.month },
      ...expired.map(([id]) => ({ path: ['open', id, 'cost'], exists: true })),
    ] satisfies UpdateFields['where'],
  };
}

/** The state of a reservation when it is finalized. */
export interface Held {
  /** Undefined if it expired and its amounts were released. */
  readonly amounts: Pick<Reservation, 'tokens' | 'cost'> | undefined;
  /** Whether the item is still in the minute and the month of the reservation. */
  readonly sameMinute: boolean;
  readonly sameMonth: boolean;
}

/** Replaces the reserved amounts by the used ones, if the reservation is unchanged since it was read. */
export function finalization(
  { id, isPrepaid }: Pick<Reservation, 'id' | 'isPrepaid'>,
  use: Use,
  { amounts, sameMinute, sameMonth }: Held,
): ItemUpdate {
  const held = ['open', id];
  const before = amounts ? { ...amounts, requests: 1 } : { requests: 1, tokens: 0, cost: 0 };
  const used = countsOf(use, isPrepaid);
  const reserved = { ...countsOf(before, isPrepaid), running: amounts ? 1 : 0 };
  const isOver = new Set<string>([
    ...(sameMinute ? [] : ['requests', 'tokens']),
    ...(sameMonth ? [] : ['committed']),
  ]);
  const difference = toCounts((name) => (isOver.has(name) ? 0 : used[name] - reserved[name]));
  return toItemUpdate({
    add: counters.map((name) => [name, difference[name]] as const),
    remove: [held],
    where: [
      { path: held, exists: true },
      { path: [...held, 'cost'], exists: amounts !== undefined },
      { path: [...held, 'minute'], is: sameMinute ? '=' : '<>', as: ['minute'] },
      { path: [...held, 'month'], is: sameMonth ? '=' : '<>', as: ['month'] },
    ],
  });
}
