/** Reservations of running requests, each with its amounts in the item of its scope. */
import type { Limits } from '../tenancy.ts';
import type { LimitName, LimitScope, LimitUsage } from './limits.ts';

/** The use of one request; `cost` in nano-dollars. */
export interface Use {
  readonly requests: number;
  readonly tokens: number;
  readonly cost: number;
}

/** What is reserved for a running request. */
export interface Reservation {
  /** Unique. */
  readonly id: string;
  /** When it was created, in Unix milliseconds. */
  readonly at: number;
  readonly tokens: number;
  readonly cost: number;
  /** Whether the scope has credit. Use without credit does not count against credit that is added later. */
  readonly isPrepaid: boolean;
}

export type ReservationUsage = Pick<
  LimitUsage,
  'requests' | 'tokens' | 'minuteEnds' | 'committed' | 'usedCredit' | 'running'
>;

export interface ReservationAdmission {
  /** The exceeded limit; `contention` if too many simultaneous writes prevented a decision; absent: admitted. */
  readonly refusedBy?: LimitName | 'contention';
  readonly usage: ReservationUsage;
}

/**
 * Counts the use of all processes together. Every method may reject with an unknown outcome, and may then be repeated: it
 * counts once.
 */
export interface ReservationStore {
  /** Reserves the maximum use of a request, if all limits allow it. A reservation that is not finalized expires. */
  reserve(scope: LimitScope, limits: Limits, reservation: Reservation): Promise<ReservationAdmission>;
  /** Replaces a reservation by the actual use; false if there is no such reservation any more. */
  finalize(scope: LimitScope, reservation: Reservation, use: Use): Promise<boolean>;
  /** Undefined if nothing was ever used. */
  read(scope: LimitScope): Promise<ReservationUsage | undefined>;
}
