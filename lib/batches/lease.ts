/** A batch as long as it is a worker's own: each write says so, and what others write meanwhile, such as a cancellation, is seen. */
import { type Batch, type BatchJob, type BatchRef, type BatchStore, endedStatuses } from '../core/batches.ts';

/** How long a worker that gives no sign is waited for. */
const leaseMs = 60_000;

/** How often it gives one. */
export const renewMs = 20_000;

/** Another worker has the batch, or it is gone. */
export class LeaseLost extends Error {
  constructor() {
    super('The batch has another worker.');
    this.name = 'LeaseLost';
  }
}

export interface HeldBatch {
  /** As it was read last. */
  readonly current: () => Batch;
  /** Rejects with LeaseLost. */
  change(changes: (batch: Batch) => Partial<Batch>): Promise<Batch>;
  putJob(job: BatchJob): Promise<void>;
  renew(): Promise<void>;
  /** Leaves it to the next worker, from this time on. */
  release(nextAt: number): Promise<void>;
}

interface LeaseParts {
  readonly batches: BatchStore;
  readonly now: () => number;
}

const isEnded = ({ status }: Batch): boolean => endedStatuses.includes(status);

/** Undefined where there is nothing to work on, or another worker does. */
export async function takeLease(
  { batches, now }: LeaseParts,
  { tenant, id }: BatchRef,
  worker: string,
): Promise<HeldBatch | undefined> {
  const lease = () => ({ worker, until: now() + leaseMs });
  const take = async (): Promise<Batch | undefined> => {
    const batch = await batches.find(tenant, id);
    if (!batch) return undefined;
    if (isEnded(batch)) {
      // It may still be listed as open: its worker ended between two writes.
      await batches.change(batch, { status: batch.status });
      return undefined;
    }
    if (batch.lease && batch.lease.until > now() && batch.lease.worker !== worker) return undefined;
    return (await batches.change(batch, { lease: lease() })) ?? (await take());
  };
  const taken = await take();
  if (!taken) return undefined;
  let current = taken;
  let isLost = false;
  let writing: Promise<unknown> = Promise.resolve();

  const changeNow = async (changes: (batch: Batch) => Partial<Batch>): Promise<Batch> => {
    for (;;) {
      if (isLost) throw new LeaseLost();
      const changed = await batches.change(current, changes(current));
      if (changed) {
        current = changed;
        return changed;
      }
      const found = await batches.find(tenant, id);
      isLost = found?.lease?.worker !== worker || isEnded(found);
      if (found) current = found;
    }
  };
  /** One after the other: each is of the batch as the one before has left it. */
  const change: HeldBatch['change'] = (changes) => {
    const changed = writing.then(() => changeNow(changes));
    writing = changed.catch(() => {});
    return changed;
  };
  return {
    current: () => current,
    change,
    async putJob(job) {
      if (isLost) throw new LeaseLost();
      if (await batches.putJob(current, job)) return;
      isLost = true;
      throw new LeaseLost();
    },
    async renew() {
      await change(() => ({ lease: lease() }));
    },
    async release(nextAt) {
      await change(() => ({ lease: { worker: '', until: 0 }, nextAt }));
    },
  };
}
