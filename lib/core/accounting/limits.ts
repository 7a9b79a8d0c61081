/**
 * What is used up of the limits of a key or a tenant, and who keeps count of it. `tenancy.ts` says which limits there are.
 */
import type { Limits } from '../tenancy.ts';

export type LimitName = keyof Limits;

/** Whose limits. */
export interface LimitScope {
  readonly kind: 'key' | 'tenant';
  readonly id: string;
}

/** Where the use of a key is counted: those that came by rotation share what the first one has. */
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

/** What one request comes to; `cost` in nano-dollars. */
export interface Use {
  readonly requests: number;
  readonly tokens: number;
  readonly cost: number;
}

/** What is set aside for a request that is running. */
export interface Reservation {
  /** No other reservation ever has it. */
  readonly id: string;
  /** When it was made, in Unix milliseconds. */
  readonly at: number;
  readonly tokens: number;
  readonly cost: number;
  /** Whether the scope has credit: what it used without any takes nothing from credit that it gets later. */
  readonly isPrepaid: boolean;
}

/** What has been used, with what is set aside. */
export interface LimitStanding {
  /** In this minute. */
  readonly requests: number;
  readonly tokens: number;
  /** When the minute ends, in Unix milliseconds. */
  readonly minuteEnds: number;
  /** In this month, in nano-dollars. */
  readonly committed: number;
  /** Ever while there was credit, in nano-dollars. */
  readonly usedCredit: number;
  /** Requests that run now. */
  readonly running: number;
}

export interface Admission {
  /** The limit that stands in the way, `contention` where too many tried at once to tell; absent: it is admitted. */
  readonly refusedBy?: LimitName | 'contention';
  readonly standing: LimitStanding;
}

/**
 * Keeps count for all environments together. Every method may reject; then it is not known whether it took place, and it
 * may be repeated: it counts once.
 */
export interface LimitStore {
  /** Sets aside what a request may come to, where all limits leave room for it. It ends by itself if nobody settles it. */
  reserve(scope: LimitScope, limits: Limits, reservation: Reservation): Promise<Admission>;
  /** Puts what was used in the place of what was set aside; false where nothing is or was set aside any more. */
  settle(scope: LimitScope, reservation: Reservation, use: Use): Promise<boolean>;
  /** Undefined where nothing was ever used. */
  read(scope: LimitScope): Promise<LimitStanding | undefined>;
}
