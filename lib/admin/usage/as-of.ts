/**
 * The time up to which the sums have every request. The ledger shows it: a request that ended after the last change that the
 * aggregator has counted is missing, and so is what a batch has that failed, or what follows in a shard that is behind. Where none
 * is missing, the sums are as of now.
 */
import type { LedgerSearch } from '../../core/ports/ledger-search.ts';
import type { StreamPosition, SumsStore } from '../../core/ports/sums-store.ts';
import { dayMs, minuteMs } from '../../core/time.ts';

export interface AsOfParts {
  readonly search: LedgerSearch;
  readonly sums: Pick<SumsStore, 'positions'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** The newest records that are compared. */
const maxCompared = 50;

/** The stream gives the time of a change in whole seconds, and the time of a process may be some seconds ahead of it. */
const inexactMs = 5_000;

/** A change is counted within seconds. One that was counted later than this came from a shard that was behind, and has more. */
const maxLagMs = minuteMs;

/** The next batch of a shard that has more comes at once, and takes no longer than this: after that, nothing was left. */
const nextBatchMs = 5 * minuteMs;

/** In Unix milliseconds; undefined: nothing was counted in the last two days. `tenants`: whose records are looked at. */
export async function sumsAsOf(
  { search, sums, now }: AsOfParts,
  tenants: readonly string[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const time = now();
  const span = { from: time - dayMs, to: time + minuteMs };
  const asked = { ...span, tenants, matches: () => true, limit: maxCompared, maxRead: maxCompared, signal };
  const [positions, { records }] = await Promise.all([sums.positions(), search.newest(asked)]);
  const counted = positions.flatMap(({ at = [] }) => at);
  if (counted.length === 0) return undefined;
  const last = Math.max(...counted);
  const missing = records
    .map(({ at, totalMs }) => at + totalMs)
    .filter((endedAt) => endedAt >= last + inexactMs);
  // Where all are missing, those before may be, too.
  const uncounted = missing.length === maxCompared ? [last] : missing;
  const failed = positions.flatMap(({ at = last, hasFailed }) => (hasFailed ? at : []));
  return Math.min(time, ...uncounted, ...failed, ...behindAt(positions, time));
}

/** The changes that shards have come to which have more. */
const behindAt = (positions: readonly StreamPosition[], time: number) =>
  positions.flatMap(({ at, countedAt }) =>
    at !== undefined &&
    countedAt !== undefined &&
    countedAt - at > maxLagMs &&
    time - countedAt <= nextBatchMs
      ? at
      : [],
  );
