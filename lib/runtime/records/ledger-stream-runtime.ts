/** The aggregator without Lambda: a process that follows the stream of the usage table by itself, while no other process does. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownFailureFields } from '../../core/errors/failure-fields.ts';
import type { StreamPauses } from '../../stores/streams/follow-shard.ts';
import { followStream } from '../../stores/streams/follow-stream.ts';
import { createLease, createPositions, type Lease } from '../../stores/streams/progress.ts';
import { createStreamCalls } from '../../stores/streams/stream-calls.ts';
import { createAwsCall } from '../../transport/aws/aws-call.ts';
import { localDatabase } from '../../transport/local-database.ts';
import type { Foundation } from '../foundation.ts';
import type { HandleStream } from './aggregator-runtime.ts';

export interface LedgerStream {
  /** Resolves when `signal` aborts, after the running batches. Never rejects. */
  follow(signal: AbortSignal): Promise<void>;
  state(): FollowerState;
}

interface FollowerState {
  /** Whether this process has the lease. */
  readonly isFollowing: boolean;
  /** How old the last change was when it was read, in milliseconds: how far sums and limits are behind. 0 when all are processed. */
  readonly behindMs: number;
  /** Since the database answered the last time, in milliseconds. */
  readonly unavailableMs: number;
}

interface LedgerStreamOptions {
  readonly foundation: Pick<
    Foundation,
    'endpointOf' | 'environment' | 'log' | 'now' | 'sendForText' | 'sign' | 'table'
  >;
  readonly leaseMs?: number;
  readonly pauses?: Partial<StreamPauses>;
}

/** After the end of a process that gave nothing back, another one follows the stream so much later. */
const ledgerLeaseMs = 30_000;

/**
 * How long a process that is to stop may take for the running batches. What is cut off comes again, and counts once. Docker ends a
 * container by force after 10 s.
 */
export const ledgerStopMs = 8_000;

/** How often the aggregator is invoked without changes. */
const idleMs = 60_000;

export function createLedgerStream(
  handle: HandleStream,
  { foundation, leaseMs = ledgerLeaseMs, pauses = {} }: LedgerStreamOptions,
): LedgerStream {
  const { log, now, table } = foundation;
  const calls = createStreamCalls({ table: table('usage'), streams: streamsOf(foundation) });
  const state = { ...table('state'), now };
  const positions = createPositions(state);
  const lease = createLease({ ...state, owner: randomUUID(), lengthMs: leaseMs });
  const behind = new Map<string, number>();
  let answeredAt = now();
  let isFollowing = false;
  const onRead = (shard: string, behindMs: number) => {
    answeredAt = now();
    if (behindMs > 0) behind.set(shard, behindMs);
    else behind.delete(shard);
  };
  const follow = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const isMine = await lease
        .take()
        .catch((error) => log.warn('stream not followed', ownFailureFields(error)));
      if (isMine !== undefined) answeredAt = now();
      if (!isMine) {
        await pause(leaseMs / 3, signal);
        continue;
      }
      log.info('stream followed', { leaseMs });
      isFollowing = true;
      const lost = holdWhileRenewed(lease, leaseMs, signal);
      // What is due by itself: a stream without changes has no batches. Why it failed, the function has logged.
      const idle = setInterval(() => void handle({ Records: [], shardId: 'idle' }).catch(() => {}), idleMs);
      await followStream({ calls, positions, handle, log, now, onRead, pauses }, lost);
      clearInterval(idle);
      isFollowing = false;
      behind.clear();
    }
    await lease.release().catch(() => undefined);
  };
  return {
    follow,
    state: () => ({
      isFollowing,
      behindMs: Math.max(0, ...behind.values()),
      unavailableMs: now() - answeredAt,
    }),
  };
}

/** A signal that aborts when the lease is lost, or could not be renewed before its end; and with `signal`. */
function holdWhileRenewed(lease: Lease, leaseMs: number, signal: AbortSignal): AbortSignal {
  const lost = new AbortController();
  const both = AbortSignal.any([signal, lost.signal]);
  const renew = async () => {
    for (let renewedAt = performance.now(); !both.aborted; ) {
      await pause(leaseMs / 3, both);
      if (both.aborted) return;
      const startedAt = performance.now();
      const isMine = await lease.take().catch(() => undefined);
      if (isMine) renewedAt = startedAt;
      if (isMine === false || performance.now() - renewedAt >= leaseMs) lost.abort();
    }
  };
  void renew();
  return both;
}

/** Streams have an address of their own in AWS, and the database's anywhere else. */
function streamsOf({
  endpointOf,
  environment,
  sendForText,
  sign,
}: Pick<Foundation, 'endpointOf' | 'environment' | 'sendForText' | 'sign'>): ReturnType<
  typeof createAwsCall
> {
  const { AWS_REGION: region, DYNAMODB_ENDPOINT: local } = environment;
  return createAwsCall({
    sendForText,
    sign,
    region,
    service: 'dynamodb',
    jsonVersion: '1.0',
    ...(local === undefined ? { endpoint: endpointOf('streams.dynamodb') } : localDatabase(local)),
  });
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined);
