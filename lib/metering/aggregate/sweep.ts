/**
 * Finishes interrupted requests: those whose record is still open although no request lasts so long. They cost what their open record
 * estimates.
 */
import type { LedgerChange } from '../../core/accounting/changes.ts';
import { interruptedOf, longestRequestMs } from '../../core/accounting/interrupted.ts';
import type { AggregateStore } from '../../core/ports/usage-store.ts';

export interface SweepOptions {
  readonly store: AggregateStore;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** Each tenant that is active is looked at this often. */
const pauseMs = 300_000;

/** Tenants that a process remembers. More are forgotten all at once: what is due is also stored. */
export const maxSweptTenants = 10_000;

export interface Sweep {
  /** Finishes the interrupted requests of a tenant, if it is time. */
  tenant(tenant: string): Promise<void>;
  /** Finishes the requests whose open records have expired, which is when there was no look for an hour. */
  expired(changes: readonly LedgerChange[]): Promise<void>;
}

export function createSweep({ store, now }: SweepOptions): Sweep {
  /** When this process looked last, by tenant: it need not ask the database again so soon. */
  const looked = new Map<string, number>();
  return {
    async tenant(tenant) {
      const time = now();
      if ((looked.get(tenant) ?? Number.NEGATIVE_INFINITY) + pauseMs > time) return;
      const from = await store.startSweep(tenant, pauseMs);
      if (looked.size >= maxSweptTenants) looked.clear();
      looked.set(tenant, time);
      const to = time - longestRequestMs;
      if (from === undefined || from >= to) return;
      const items = await store.openItems(tenant, { from, to });
      for (const { record } of items) await store.finish(interruptedOf(record));
      await store.endSweep(tenant, to);
    },
    async expired(changes) {
      for (const { before, after } of changes) {
        if (before?.state === 'open' && !after) await store.restore(interruptedOf(before.record));
      }
    },
  };
}
