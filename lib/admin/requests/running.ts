/** The responses that are created in the background now: the newest of the tenants' open records whose runs have not ended. */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { overAfterMs } from '../../core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { BackgroundStore, Run } from '../../core/background.ts';
import type { AggregateStore } from '../../core/ports/usage-store.ts';
import { minuteMs } from '../../core/time.ts';

export interface RunningParts {
  readonly running: Pick<AggregateStore, 'late' | 'openedInBackground' | 'openTenants'>;
  readonly runs: Pick<BackgroundStore, 'find'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

interface Running {
  readonly record: LedgerRecord;
  readonly run: Run;
}

interface Found {
  /** Newest first. */
  readonly running: readonly Running[];
  readonly from: number;
  readonly tenants: readonly string[];
  readonly lookedAt: number;
  /** Older ones were not looked at. */
  readonly hasMore: boolean;
}

const parallelReads = 16;

/** `tenant`: undefined for all. */
export async function findRunning(
  { running, runs, now }: RunningParts,
  tenant: string | undefined,
  { matches, limit }: { readonly matches: (record: LedgerRecord) => boolean; readonly limit: number },
): Promise<Found> {
  const span = { from: now() - overAfterMs, to: now() + minuteMs };
  const tenants = tenant === undefined ? await openTenants(running, span) : [tenant];
  const opened = await mapConcurrently(tenants, parallelReads, (one) =>
    running.openedInBackground(one, span),
  );
  const records = [...(await lateOf(running, span.from, tenant)), ...opened.flat()]
    .filter(matches)
    .toSorted((one, other) => other.at - one.at);
  const looked = records.slice(0, limit);
  const found = await mapConcurrently(looked, parallelReads, async (record) => {
    const run = await runs.find({ tenant: record.tenant, id: record.response ?? '' });
    return run && isRunning(run) ? [{ record, run }] : [];
  });
  const hasMore = records.length > looked.length;
  return { running: found.flat(), from: span.from, tenants, lookedAt: looked.length, hasMore };
}

export const isRunning = ({ status }: Run): boolean => status === 'queued' || status === 'in_progress';

/** Those that one process after the other works on. The aggregator looks for them, and notes them again, in about so many minutes. */
async function lateOf(
  running: RunningParts['running'],
  from: number,
  tenant: string | undefined,
): Promise<readonly LedgerRecord[]> {
  const last = Math.floor(from / minuteMs) + 1;
  const minutes = Array.from({ length: lateMinutes }, (_, index) => last - index);
  const found = await mapConcurrently(minutes, parallelReads, (minute) => running.late(minute));
  const byId = new Map(found.flat().map((record) => [record.requestId, record]));
  return [...byId.values()].filter((record) => record.at < from && (!tenant || record.tenant === tenant));
}

const lateMinutes = 24;

/** The aggregator notes in each minute whose requests are open. */
async function openTenants(
  running: RunningParts['running'],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly string[]> {
  const first = Math.floor(from / minuteMs);
  const minutes = Array.from({ length: Math.ceil(to / minuteMs) - first }, (_, index) => first + index);
  const found = await mapConcurrently(minutes, parallelReads, (minute) => running.openTenants(minute));
  return [...new Set(found.flat())].sort();
}
