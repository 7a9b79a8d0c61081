/**
 * Finishes interrupted requests: those whose record is still open although no request lasts so long. They cost what their open record
 * estimates.
 */

import { interruptedOf, isOver, overAfterMs } from '../../core/accounting/interrupted.ts';
import type { LedgerChange } from '../../core/accounting/journal.ts';
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { AggregateStore } from '../../core/ports/usage-store.ts';
import { minuteMs } from '../../core/time.ts';

interface SweepOptions {
  readonly store: AggregateStore;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** Each tenant that is active is looked at this often. */
const pauseMs = 300_000;

/** All tenants are looked through this often for those that had open records, in the minutes since the last time. */
const allPauseMs = 60_000;

/** Minutes of one look: what a longer standstill has left is looked at by the next ones. */
const maxMinutesAtOnce = 120;

/** Tenants that a process remembers. More are forgotten all at once: what is due is also stored. */
const maxSweptTenants = 10_000;

const minuteAt = (time: number) => Math.floor(time / minuteMs);

interface Sweep {
  /** Finishes the interrupted requests of a tenant, if it is time. */
  tenant(tenant: string): Promise<void>;
  /** Notes which tenants have open records now. They are looked at once these must have ended, also if they send nothing more. */
  note(changes: readonly LedgerChange[]): Promise<void>;
  /** Looks at the tenants that had open records, if it is time. */
  all(): Promise<void>;
}

export function createSweep({ store, now }: SweepOptions): Sweep {
  /** When this process looked last, by tenant: it need not ask the database again so soon. */
  const looked = new Map<string, number>();
  /** The last minute that this process has noted, by tenant. */
  const noted = new Map<string, number>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function lookAt(tenant: string): Promise<void> {
    const time = now();
    if ((looked.get(tenant) ?? Number.NEGATIVE_INFINITY) + pauseMs > time) return;
    const from = await store.startSweep(tenant, pauseMs);
    if (looked.size >= maxSweptTenants) looked.clear();
    looked.set(tenant, time);
    const to = time - overAfterMs;
    if (from === undefined || from >= to) return;
    const unfinished = await store.unfinished(tenant, { from, to });
    for (const record of unfinished) await finishOrNote(record, time);
    await store.endSweep(tenant, to);
  }

  /** A response that another process goes on with is looked at again in the next minutes, and a job of a batch when it must have ended. */
  async function finishOrNote(record: LedgerRecord, time: number): Promise<void> {
    if (isOver(record, time)) return await store.finish(interruptedOf(record));
    const next = minuteAt(time - overAfterMs) + 1;
    const ends = record.batch === undefined ? next : minuteAt(record.at + record.totalMs);
    await store.noteLate(record, Math.max(next, ends));
  }

  return {
    tenant: lookAt,
    async note(changes) {
      // Of the time of the look, which may be long after that of the request.
      const minute = Math.floor(now() / minuteMs);
      const open = new Map<string, string>();
      for (const { after } of changes) {
        if (after?.state === 'open') open.set(after.record.requestId, after.record.tenant);
        else if (after) open.delete(after.record.requestId);
      }
      for (const tenant of new Set(open.values())) {
        if (noted.get(tenant) === minute) continue;
        await store.noteOpen(tenant, minute);
        if (noted.size >= maxSweptTenants) noted.clear();
        noted.set(tenant, minute);
      }
    },
    async all() {
      const time = now();
      if (lookedAt + allPauseMs > time) return;
      lookedAt = time;
      const from = await store.startSweep(undefined, allPauseMs);
      if (from === undefined) return;
      const first = Math.floor(from / minuteMs);
      // A request that was open in a minute is over when the longest one that began at its end is.
      const last = Math.min(first + maxMinutesAtOnce, Math.floor((time - overAfterMs) / minuteMs)) - 1;
      const tenants = new Set<string>();
      for (let minute = first; minute <= last; minute += 1) {
        for (const tenant of await store.openTenants(minute)) tenants.add(tenant);
        for (const record of await store.late(minute)) await finishOrNote(record, time);
      }
      for (const tenant of tenants) await lookAt(tenant);
      // A tenant that was looked at just before is not looked at again now: the last minutes come once more.
      const until = Math.min((last + 1) * minuteMs, time - overAfterMs - 2 * pauseMs);
      if (until > from) await store.endSweep(undefined, until);
    },
  };
}
