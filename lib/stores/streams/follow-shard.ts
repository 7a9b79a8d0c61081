/**
 * Processes the changes of one shard in order, batch after batch, as a Lambda that a stream invokes would: at least once, again while
 * it fails, in smaller batches then, and without a change that failed for most of the time that the stream keeps it.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { failureFields } from '../../core/errors/failure-fields.ts';
import { AwsError } from '../../core/ports/aws.ts';
import type { Log } from '../../core/ports/log.ts';
import { maxStreamBatch, type StreamEvent, type StreamRecord } from '../usage/stream.ts';
import { isOfLedger } from '../usage/stream-filter.ts';
import type { Positions } from './progress.ts';
import type { Page, StreamCalls } from './stream-calls.ts';

export interface FollowOptions {
  readonly calls: StreamCalls;
  readonly positions: Positions;
  /** Rejects if the event must come again. */
  readonly handle: (event: StreamEvent) => Promise<unknown>;
  readonly log: Log;
  readonly now: () => number;
  /** After each read that succeeded: how old its last change is, in milliseconds; 0 at the end of the shard. */
  readonly onRead?: (shard: string, behindMs: number) => void;
  readonly pauses?: Partial<StreamPauses>;
}

export interface StreamPauses {
  /** After a read that found nothing. */
  readonly idleMs: number;
  /** After any other read: a shard may be read five times a second. */
  readonly busyMs: number;
  /** After failures in a row; the last one is repeated. */
  readonly failedMs: readonly number[];
}

const streamPauses: StreamPauses = {
  idleMs: 1_000,
  busyMs: 250,
  failedMs: [250, 1_000, 5_000, 30_000],
};

/** A change that failed for so long, by itself, is left out: the stream drops it at 24 hours, and those behind it with it. */
const giveUpMs = 20 * 3_600_000;

/** What has been done of a shard, and how to go on. */
interface Progress {
  after: string | undefined;
  iterator: string | undefined;
  limit: number;
  failures: number;
}

/** Resolves when the shard is processed to its end, or when `signal` aborts, after the running batch. Rejects never. */
export async function followShard(
  stream: string,
  shard: string,
  options: FollowOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { positions, signal } = options;
  const pauses = { ...streamPauses, ...options.pauses };
  const progress: Progress = { after: undefined, iterator: undefined, limit: maxStreamBatch, failures: 0 };
  let isKnown = false;
  while (!signal.aborted) {
    try {
      if (!isKnown) {
        const { after, isEnded } = await positions.read(shard);
        if (isEnded) return;
        progress.after = after;
        isKnown = true;
      }
      const { isEnded, count } = await readOnce(stream, shard, progress, options);
      if (isEnded) return;
      Object.assign(progress, { failures: 0, limit: Math.min(maxStreamBatch, progress.limit * 2) });
      await pause(count === 0 ? pauses.idleMs : pauses.busyMs, signal);
    } catch (error) {
      progress.iterator = undefined;
      if (isOf(error, 'TrimmedDataAccessException')) skipTrimmed(shard, progress, options);
      progress.limit = Math.max(1, Math.floor(progress.limit / 2));
      const failedMs = pauses.failedMs[Math.min(progress.failures, pauses.failedMs.length - 1)] ?? 0;
      progress.failures += 1;
      options.log.warn('stream not read', { shard, ...failureFields(error) });
      await pause(failedMs, signal);
    }
  }
}

async function readOnce(stream: string, shard: string, progress: Progress, options: FollowOptions) {
  const { positions, now, onRead } = options;
  const { records, next } = await readPage(stream, shard, progress, options);
  const wanted = records.filter(isOfLedger);
  if (wanted.length > 0) await process(shard, wanted, options);
  const last = records.at(-1);
  const after = last?.dynamodb?.SequenceNumber ?? progress.after;
  const isEnded = next === undefined;
  if (last || isEnded) await positions.write(shard, { isEnded, ...(after !== undefined && { after }) });
  onRead?.(shard, last && !isEnded ? now() - timeOf(last) : 0);
  Object.assign(progress, { after, iterator: next });
  return { isEnded, count: records.length };
}

/** A shard that the stream no longer has is one that has ended. */
async function readPage(
  stream: string,
  shard: string,
  progress: Progress,
  { calls }: FollowOptions,
): Promise<Page> {
  try {
    progress.iterator ??= await calls.iterator(stream, shard, progress.after);
    return await calls.read(progress.iterator, progress.limit);
  } catch (error) {
    if (isOf(error, 'ResourceNotFoundException')) return { records: [], next: undefined };
    throw error;
  }
}

async function process(
  shard: string,
  records: readonly StreamRecord[],
  { handle, log, now }: FollowOptions,
): Promise<void> {
  try {
    await handle({ Records: records, shardId: shard });
  } catch (error) {
    const [first, ...others] = records;
    if (others.length > 0 || !first || now() - timeOf(first) < giveUpMs) throw error;
    log.error('ledger change given up', { shard, sequence: first.dynamodb?.SequenceNumber ?? '' });
  }
}

/** Nothing followed the stream for a day, and changes may be lost: `usage reconcile` finds what sums lack. */
function skipTrimmed(shard: string, progress: Progress, { log }: FollowOptions): void {
  log.error('ledger changes may be lost', { shard });
  progress.after = undefined;
}

const timeOf = ({ dynamodb }: StreamRecord) => (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;

const isOf = (error: unknown, type: string) => error instanceof AwsError && error.type === type;

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined);
