/**
 * Feeds a function with the changes of the local ledger, as AWS feeds it from the table's stream: in order, in batches, at least
 * once, and again while it fails.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createLog } from '../../lib/runtime/log.ts';
import { createAggregator } from '../../lib/runtime/records/aggregator-runtime.ts';
import { maxStreamBatch } from '../../lib/stores/usage/stream.ts';
import type { LocalDatabase } from '../database.ts';
import { type Change, type Changes, keysOf } from './changes.ts';

export interface Feed {
  /** Resolves when all changes so far were processed. */
  settled(): Promise<void>;
  /** Processes what is left, for a few seconds at most. The rest stays on disk for the next start. */
  close(graceMs?: number): Promise<void>;
}

/** For how long changes are gathered, unless something waits for them. */
const gatherMs = 50;
const pausesMs = [50, 200, 1_000, 5_000];
/** How often the function is invoked without changes. */
const idleMs = 60_000;
/** The function has logged why. */
const nothing = () => {};

export function startFeed(changes: Changes, handle: (event: object) => Promise<unknown>): Feed {
  let isClosed = false;
  let work = Promise.resolve();
  let isWaiting = false;
  /** Processes all changes, after those that are being processed. */
  const run = (gather: number): Promise<void> => {
    work = work.then(async () => {
      await pause(gather);
      isWaiting = false;
      await drain();
    });
    return work;
  };
  const drain = async () => {
    for (let failures = 0; !isClosed; ) {
      try {
        const batch = await changes.next(maxStreamBatch);
        if (batch.length === 0) return;
        await handle(eventOf(batch));
        await changes.done(batch);
        failures = 0;
      } catch {
        // The function has logged why. A batch that was not removed comes again.
        await pause(pausesMs[Math.min(failures, pausesMs.length - 1)], undefined, { ref: false });
        failures += 1;
      }
    }
  };
  const wake = () => {
    if (isWaiting || isClosed) return;
    isWaiting = true;
    void run(gatherMs);
  };
  // What is due by itself: a stream without changes has no batches.
  const clock = setInterval(() => {
    work = work.then(() => handle({ Records: [], shardId: 'idle' })).then(nothing, nothing);
  }, idleMs);
  clock.unref();
  changes.onChange(wake);
  // What an earlier process left.
  wake();
  return {
    settled: () => run(0),
    async close(graceMs = 5_000) {
      clearInterval(clock);
      await Promise.race([run(0), pause(graceMs, undefined, { ref: false })]);
      isClosed = true;
      await work;
    },
  };
}

const source = 'arn:aws:dynamodb:local:000000000000:table/usage/stream/2026-01-01T00:00:00.000';

/** The event of a stream with a time window. Source: docs.aws.amazon.com Lambda, services-ddb-windows. */
function eventOf(batch: readonly Change[]): object {
  const shardId = batch[0]?.shard;
  const start = Math.floor((batch[0]?.at ?? 0) / 1000) * 1000;
  return {
    Records: batch.map(recordOf),
    window: { start: new Date(start).toISOString(), end: new Date(start + 60_000).toISOString() },
    state: {},
    shardId,
    eventSourceARN: source,
    isFinalInvokeForWindow: false,
    isWindowTerminatedEarly: false,
  };
}

const recordOf = ({ shard, sequence, at, oldImage, newImage }: Change) => ({
  eventID: `${shard}:${sequence}`,
  eventName: newImage ? (oldImage ? 'MODIFY' : 'INSERT') : 'REMOVE',
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: 'local',
  dynamodb: {
    ApproximateCreationDateTime: Math.floor(at / 1000),
    Keys: keysOf(newImage ?? oldImage),
    ...(newImage && { NewImage: newImage }),
    ...(oldImage && { OldImage: oldImage }),
    SequenceNumber: sequence,
    SizeBytes: JSON.stringify(newImage ?? oldImage).length,
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  },
  eventSourceARN: source,
});

/** The aggregator of a local database that no gateway runs on: what a command changes in the ledger reaches the sums and limits. */
export function startLocalAggregator({ call, changes }: Pick<LocalDatabase, 'call' | 'changes'>): Feed {
  // Locally, a table has the name of its purpose.
  const table = (name: string) => ({ call, table: name });
  const environment = { GATEWAY_DASHBOARD_SUMS: 'on' };
  const handle = createAggregator({ environment, log: createLog(), now: Date.now, table });
  return startFeed(changes, handle);
}
