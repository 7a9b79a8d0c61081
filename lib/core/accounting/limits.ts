/** The use of the limits of a key or a tenant, and the store that counts it. `tenancy.ts` defines the limits. */
import type { Limits } from '../tenancy.ts';

export type LimitName = keyof Limits;

/** The owner of limits. */
export interface LimitScope {
  readonly kind: 'key' | 'tenant';
  readonly id: string;
}

/** The scope in which a key is counted: rotated keys share the scope of the first one. */
export const scopeOfKey = ({
  id,
  family = id,
}: {
  readonly id: string;
  readonly family?: string;
}): LimitScope => ({
  kind: 'key',
  id: family,
});

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

/**
 * What a limit holds for a running request until its actual use is known. The ledger keeps it, so that the use of a request can
 * be settled after its process has ended.
 */
export interface Hold extends LimitScope {
  /** The shard of the counter that holds it; absent: there is only one. */
  readonly shard?: number;
  /** The minute and the day in which it was admitted, in Unix milliseconds of their beginning. */
  readonly minute: number;
  readonly day: number;
  readonly tokens: number;
  /** In nano-dollars. */
  readonly amount: number;
  /** Whether it counts among the running requests. */
  readonly running: 0 | 1;
}

/** The current use of a scope, including reservations. */
export interface LimitUsage {
  /** In the current minute. */
  readonly requests: number;
  readonly tokens: number;
  /** The end of the minute, in Unix milliseconds. */
  readonly minuteEnds: number;
  /** In the current month, in nano-dollars. */
  readonly committed: number;
  /** In total while there was credit, in nano-dollars. */
  readonly usedCredit: number;
  /** Requests that are running. */
  readonly running: number;
}

export interface Admission {
  /** The exceeded limit; `contention` if too many simultaneous writes prevented a decision; absent: admitted. */
  readonly refusedBy?: LimitName | 'contention';
  readonly usage: LimitUsage;
}

/**
 * Counts the use of all processes together. Every method may reject with an unknown outcome, and may then be repeated: it
 * counts once.
 */
export interface LimitStore {
  /** Reserves the maximum use of a request, if all limits allow it. A reservation that is not finalized expires. */
  reserve(scope: LimitScope, limits: Limits, reservation: Reservation): Promise<Admission>;
  /** Replaces a reservation by the actual use; false if there is no such reservation any more. */
  finalize(scope: LimitScope, reservation: Reservation, use: Use): Promise<boolean>;
  /** Undefined if nothing was ever used. */
  read(scope: LimitScope): Promise<LimitUsage | undefined>;
}
