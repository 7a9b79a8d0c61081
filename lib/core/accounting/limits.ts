/** The use of the limits of a key, a tenant or a user, and the store that counts it. `tenancy.ts` defines the limits. */
import { createHash } from 'node:crypto';
import type { Limits } from '../tenancy.ts';

export type LimitName = Exclude<keyof Limits, 'includeOwnKeys'>;

/** The owner of limits. The id of a user is `<tenant>/<hash of the user's id>`. */
export interface LimitScope {
  readonly kind: 'key' | 'tenant' | 'user';
  readonly id: string;
}

/** The scope in which a key is counted: rotated keys share the scope of the first one. */
export const scopeOfKey = ({
  id,
  family = id,
}: {
  readonly id: string;
  readonly family?: string;
}): LimitScope => ({ kind: 'key', id: family });

/** The scope in which an end user of a tenant is counted. Ids of users have any characters, and may be personal. */
export const scopeOfUser = (tenant: string, user: string): LimitScope => ({
  kind: 'user',
  id: `${tenant}/${createHash('sha256').update(user).digest('hex').slice(0, 32)}`,
});

/** Requests per second that one item of the database counts without trouble, and the most items of a scope. */
const requestsPerShard = 500;
const maxShards = 64;

/** How many shards a scope of a tenant with this throughput has. */
export function shardingFor(throughput = 0): Sharding {
  if (throughput <= requestsPerShard) return {};
  return { shards: Math.min(maxShards, Math.ceil(throughput / requestsPerShard)) };
}

/** The current use of a scope in nano-dollars, tokens and requests. What is held for running requests is included. */
export interface LimitUsage {
  /** In the current minute. */
  readonly requests: number;
  readonly tokens: number;
  /** The end of the minute, in Unix milliseconds. */
  readonly minuteEnds: number;
  readonly dayCommitted: number;
  /** Monday to Sunday (UTC). */
  readonly weekCommitted: number;
  /** In the month. */
  readonly committed: number;
  /** Ever. */
  readonly totalCommitted: number;
  /** Ever, while there was credit. */
  readonly usedCredit: number;
  /** Running requests of a scope with a limit of concurrent requests. */
  readonly running: number;
  /** The part of these amounts that is held for requests of today that have not been settled. */
  readonly held: number;
}

/** An amount of nano-dollars and of tokens. */
export interface Amounts {
  readonly tokens: number;
  readonly amount: number;
}

/** What a request asks for: `fixed` for its input, and `perOutputToken` for each token of its output. */
export interface Wanted {
  /** Unique. */
  readonly id: string;
  /** When it was asked, in Unix milliseconds. */
  readonly at: number;
  /** A further attempt of a request that was admitted: it counts neither as a request nor as running. */
  readonly isFurther?: true;
  readonly fixed: Amounts;
  readonly perOutputToken: Amounts;
  /** In tokens. An operation without output has zeros. */
  readonly output: {
    /** The most that the request may use. */
    readonly max: number;
    /** Refused if less than this is left. */
    readonly min: number;
    /**
     * Given if the caller set no limit: then this much is granted, or a small share of what is left if that is more, and never more
     * than `max`.
     */
    readonly expected?: number;
  };
}

/**
 * What is held for one running request until its actual use is known. The ledger keeps it, so that the use of a request can be
 * settled after its process has ended.
 */
export interface Hold extends LimitScope, Amounts {
  /** The shard that admitted it; absent: the pool itself. */
  readonly shard?: number;
  /** When it counts: whole minutes and whole days since 1970. */
  readonly minute: number;
  readonly day: number;
  /** Whether it counts as running. */
  readonly running: 0 | 1;
  /** Whether the scope has credit. Use without credit does not count against credit that is added later. */
  readonly isPrepaid?: true;
  readonly isFurther?: true;
  /** Its amount, and what the request comes to, are with what calls with the tenant's own credentials take of the tenant. */
  readonly includesOwnKeys?: true;
  /** A part of what is held for a job of a batch: the record of the job's first line has that, and ends it. */
  readonly isPart?: true;
  /** What is held for a whole job, and how much of it is in the records of its other lines: none until it ends. */
  readonly inParts?: number;
}

export interface Admission {
  /** The exceeded limit; `contention` if too many simultaneous writes prevented a decision; absent: admitted. */
  readonly refusedBy?: LimitName | 'contention';
  /** Refused, but it would fit if less were held for running requests. */
  readonly isHeld?: true;
  /** Refused, as every request that the limit counts will be until it starts again: nothing that may be given back stands in the way. */
  readonly isUsedUp?: true;
  /** The output tokens that are granted; 0 if refused. */
  readonly output: number;
  /** Absent if refused. */
  readonly hold?: Hold;
  readonly usage: LimitUsage;
}

/** A change of what a hold counts: the difference to what counted before. */
export interface Settlement extends Amounts {
  readonly hold: Hold;
  /** Whether what is held ends with this: once for each hold, never for a part of one. */
  readonly isEnd: boolean;
  /** The position of the change in its shard of the stream: digits. */
  readonly sequence: string;
}

/** A scope that was settled, for alerts. */
export interface SettledScope {
  readonly scope: LimitScope;
  readonly usage: LimitUsage;
  /** The budgets and the credit that its last admission was checked against. */
  readonly limits: Limits;
  /** Something is held for requests of earlier days, which are over. */
  readonly mayHaveLeaked: boolean;
}

/** With the tenant that it belongs to. */
export interface TenantScope extends SettledScope {
  readonly tenant: string;
}

/**
 * How many reservations of days since 1970, both included, have a record. `running`: one is of a job of a batch that goes on;
 * `expired`: the ledger no longer has all of them; undefined: they are too many to count.
 */
export type CountRecorded = (days: {
  readonly from: number;
  readonly to: number;
}) => Promise<number | 'running' | 'expired' | undefined>;

/** What a scope holds for requests that have ended, and that no record will release. */
export interface LeakedReservations {
  /**
   * `none`: nothing is. `found`, `freed`: so much was; with `write` it is no longer. `running`: requests of these days may still
   * run. `unsettled`: the aggregator has not released all that it has records of. `unknown`: its records are too many to count.
   * `kept`: records or changes of the ledger are gone, so the amount stays counted for good. `changed`: another write was faster.
   */
  readonly state: 'none' | 'found' | 'freed' | 'running' | 'unsettled' | 'unknown' | 'kept' | 'changed';
  /** In nano-dollars. */
  readonly amount: number;
}

/** What the ledger says that a scope has used in each period, in nano-dollars. */
export interface Committed {
  readonly day: number;
  readonly week: number;
  readonly month: number;
  readonly total: number;
}

/** The number of shards of a scope besides the pool; 0 or 1: the pool alone. It may change at any time. */
export interface Sharding {
  readonly shards?: number;
}

/** Counts the use of all processes together. A request is never admitted beyond a limit. */
export interface LimitStore {
  /**
   * Holds the maximum use of a request, if all limits allow it. Never repeated by itself if its outcome is unknown: then it rejects,
   * and at most the amounts of this one request count until they are found to be leaked.
   */
  reserve(scope: LimitScope, limits: Limits, wanted: Wanted, sharding?: Sharding): Promise<Admission>;
  /**
   * What `reserve` would answer, without a hold, from one read that changes nothing; undefined where only `reserve` can know.
   */
  preview(scope: LimitScope, limits: Limits, wanted: Wanted): Promise<Admission | undefined>;
  /** Undoes an admission of a request that was not sent to a provider and has no record. At most once. */
  cancel(hold: Hold): Promise<void>;
  /** Counts the end of a running request. At most once; `settle` mends what was lost. */
  endRunning(hold: Hold): Promise<void>;
  /** The same for a request that costs nothing and gets no record: nothing is held for it any more. At most once. */
  endUnrecorded(hold: Hold): Promise<void>;
  /** Counts changes from one shard of the stream, each exactly once. May be repeated with the same or overlapping changes. */
  settle(streamShard: string, settlements: readonly Settlement[]): Promise<readonly SettledScope[]>;
  /** Undefined if nothing was ever used. */
  read(scope: LimitScope, sharding?: Sharding): Promise<LimitUsage | undefined>;
  /** The same of many, in their order. May lack what was counted in the last second. */
  readMany(scopes: readonly LimitScope[]): Promise<readonly (LimitUsage | undefined)[]>;
  /** Finds what crashes have left, and frees it with `write`. Never what a record has, or may get. */
  freeLeaked(scope: LimitScope, countRecorded: CountRecorded, write: boolean): Promise<LeakedReservations>;
  /** Gives a scope that gets its first budget what it has used so far, where its own counts are less. */
  seed(scope: LimitScope, committed: Committed): Promise<void>;
}
