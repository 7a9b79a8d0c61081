/**
 * What runs now: the newest of the tenants' open records whose requests have not ended. Those of responses that are created in the
 * background are all looked for; of the others, the newest of each tenant.
 */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { overAfterMs } from '../../core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { BackgroundStore, Run } from '../../core/background.ts';
import type { AggregateStore } from '../../core/ports/usage-store.ts';
import { minuteMs } from '../../core/time.ts';
import { maxActiveTenants, maxLookedAt } from './schema.ts';

export interface RunningParts {
  readonly running: Pick<AggregateStore, 'late' | 'newestOpen' | 'openedInBackground' | 'openTenants'>;
  readonly runs: Pick<BackgroundStore, 'find'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

interface Running {
  readonly record: LedgerRecord;
  /** Absent where the request is not of the background. */
  readonly run?: Run;
}

interface Found {
  /** Newest first. */
  readonly running: readonly Running[];
  readonly from: number;
  readonly tenants: readonly string[];
  /** False: there are more tenants, whose requests of the foreground were not looked at. */
  readonly areAll: boolean;
  readonly lookedAt: number;
  /** Older ones were not looked at. */
  readonly hasMore: boolean;
}

const parallelReads = 16;

interface RunningQuestion {
  readonly matches: (record: LedgerRecord) => boolean;
  readonly limit: number;
  /** Only responses that are created in the background. */
  readonly onlyBackground: boolean;
  /** In milliseconds: younger requests are not looked at. */
  readonly minAge: number;
}

/** `tenant`: undefined for all. */
export async function findRunning(
  parts: RunningParts,
  tenant: string | undefined,
  { matches, limit, onlyBackground, minAge }: RunningQuestion,
): Promise<Found> {
  const { running, runs, now } = parts;
  const span = { from: now() - overAfterMs, to: now() + (minAge > 0 ? -minAge : minuteMs) };
  const tenants = tenant === undefined ? await openTenants(running, span) : [tenant];
  const opened = await mapConcurrently(tenants, parallelReads, (one) =>
    running.openedInBackground(one, span),
  );
  const searched = onlyBackground ? [] : tenants.slice(0, maxActiveTenants);
  const max = Math.ceil(maxLookedAt / Math.max(1, searched.length));
  const others = await mapConcurrently(searched, parallelReads, (one) =>
    running.newestOpen(one, { ...span, max }),
  );
  const inTheForeground = others.flatMap(({ records }) => records).filter(({ response }) => !response);
  const records = [...(await lateOf(running, span.from, tenant)), ...opened.flat(), ...inTheForeground]
    .filter(matches)
    .toSorted((one, other) => other.at - one.at);
  const looked = records.slice(0, limit);
  const found = await mapConcurrently(looked, parallelReads, async (record) => {
    if (!record.response) return [{ record }];
    const run = await runs.find({ tenant: record.tenant, id: record.response ?? '' });
    return run && isRunning(run) ? [{ record, run }] : [];
  });
  const hasMore = records.length > looked.length || others.some((one) => one.hasMore);
  const areAll = onlyBackground || searched.length === tenants.length;
  return { running: found.flat(), from: span.from, tenants, areAll, lookedAt: looked.length, hasMore };
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

/** The aggregator notes in each minute whose requests are open. The latest come first. */
async function openTenants(
  running: RunningParts['running'],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly string[]> {
  const first = Math.floor(from / minuteMs);
  const minutes = Array.from({ length: Math.ceil(to / minuteMs) - first }, (_, index) => first + index);
  const found = await mapConcurrently(minutes, parallelReads, (minute) => running.openTenants(minute));
  return [...new Set(found.toReversed().flat())];
}
