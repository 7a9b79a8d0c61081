/**
 * The use of limits, in the usage table: one item for each key and each tenant that has limits, `limit#key#<id>`
 * and `limit#tenant#<name>` / `now`.
 *
 * Each step is one conditional write that assumes no change since the last one. Only if its condition fails, the item is
 * read and the write is built again from it.
 */
import type { LimitName, LimitScope } from '../../core/accounting/limits.ts';
import type {
  Reservation,
  ReservationAdmission,
  ReservationStore,
  Use,
} from '../../core/accounting/reservations.ts';
import { AwsError } from '../../core/ports/aws.ts';
import type { Limits } from '../../core/tenancy.ts';
import { withCircuitBreaker } from '../dynamodb/circuit-breaker.ts';
import {
  type ItemKey,
  type ItemUpdate,
  openTable,
  type Table,
  type TableOptions,
} from '../dynamodb/table.ts';
import { addition, creation, finalization, type Held, reservedCounts } from './reservations-change.ts';
import {
  emptyItem,
  type LimitItem,
  maxAtOnce,
  minuteOf,
  monthOf,
  reachedLimit,
  readLimitItem,
  type Turn,
  toCounts,
  toLimitUsage,
  turnOf,
} from './reservations-item.ts';

export interface ReservationStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  /** How long the database may be silent before a request goes on without it. */
  readonly timeoutMs?: number;
}

/** Gives up after this many conflicting writes. Each time, another write succeeded. */
const maxTries = 10;

export function createReservationStore(options: ReservationStoreOptions): ReservationStore {
  const { now, call, table: name, timeoutMs = 1_000 } = options;
  const table = openTable({ call: withCircuitBreaker(call, timeoutMs), table: name });
  return {
    reserve: (scope, limits, reservation) =>
      reserve(itemOf(table, scope), now, limits, reservation).catch((error) =>
        refuseWhileThrottled(error, now()),
      ),
    finalize: (scope, reservation, use) => finalize(itemOf(table, scope), now, reservation, use),
    async read(scope) {
      const seen = await itemOf(table, scope).read();
      if (!seen) return undefined;
      const { counts, minute } = turnOf(seen, now());
      return toLimitUsage(counts, minute);
    },
  };
}

/** One item of the table. */
interface ScopeItem {
  read(): Promise<LimitItem | undefined>;
  /** Undefined where the condition did not hold. */
  update(change: ItemUpdate): Promise<LimitItem | undefined>;
}

function itemOf(table: Table, { kind, id }: LimitScope): ScopeItem {
  const key: ItemKey = [`limit#${kind}#${id}`, 'now'];
  return {
    async read() {
      const stored = await table.get(key, { consistent: true });
      return stored && readLimitItem(stored);
    },
    async update(change) {
      const stored = await table.update(key, change);
      return stored && readLimitItem(stored);
    },
  };
}

async function reserve(
  item: ScopeItem,
  now: () => number,
  limits: Limits,
  reservation: Reservation,
): Promise<ReservationAdmission> {
  const more = reservedCounts(reservation);
  let time = now();
  let seen: LimitItem | undefined = emptyItem(time);
  let turn = turnOf(seen, time);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const refusedBy = reachedLimit(turn.counts, limits, more);
    // Expired reservations that did not fit into one change may still free enough.
    if (refusedBy && turn.expired.length < maxAtOnce) return refusal(refusedBy, turn);
    const step = refusedBy ? { more: nothing, limits: {} } : { more, limits, reservation };
    const change = seen ? addition(seen, turn, step) : creation(turn, more, reservation);
    const written = await item.update(change);
    if (written && !refusedBy) return { usage: toLimitUsage(written, written.minute) };
    seen = written ?? (await item.read());
    time = now();
    turn = turnOf(seen ?? emptyItem(time), time);
    // A write that was repeated finds what it did the first time.
    if (seen?.open[reservation.id]) return { usage: toLimitUsage(turn.counts, turn.minute) };
  }
  return refusal('contention', turn);
}

const refusal = (refusedBy: LimitName | 'contention', { counts, minute }: Turn): ReservationAdmission => ({
  refusedBy,
  usage: toLimitUsage(counts, minute),
});

/**
 * An item of the database accepts a thousand writes per second. A caller must not exceed its limits by sending more, as is
 * possible while the database is down.
 */
function refuseWhileThrottled(error: unknown, time: number): ReservationAdmission {
  if (error instanceof AwsError && error.isThrottling) {
    return refusal('contention', turnOf(emptyItem(time), time));
  }
  throw error;
}

const nothing = toCounts(() => 0);

async function finalize(
  item: ScopeItem,
  now: () => number,
  { id, at: made, tokens, cost, isPrepaid }: Reservation,
  use: Use,
): Promise<boolean> {
  let held: Held = {
    amounts: { tokens, cost },
    sameMinute: minuteOf(made) === minuteOf(now()),
    sameMonth: monthOf(made) === monthOf(now()),
  };
  for (let tries = 1; tries <= maxTries; tries += 1) {
    if (await item.update(finalization({ id, isPrepaid }, use, held))) return true;
    const seen = await item.read();
    const found = seen?.open[id];
    if (!found) return false;
    held = {
      amounts: found.cost === undefined ? undefined : { tokens, cost },
      sameMinute: found.minute === seen.minute,
      sameMonth: found.month === seen.month,
    };
  }
  throw new Error('Too many requests were finalized at once.');
}
