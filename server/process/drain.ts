/** How a server stops: what can still end well does, and nothing runs without an end. */
import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { RunningRequests } from './running.ts';

/** Times from the begin, in milliseconds. */
export interface Drain {
  /** New connections are still served: a balancer takes a moment to notice that it should send none. */
  readonly noticeMs: number;
  /** Running requests may go on. After that, they are stopped. */
  readonly limitMs: number;
  /** More, for stopped requests to write an error into their answers and their record into the ledger. */
  readonly endMs: number;
}

/** In milliseconds. */
export interface DrainSettings {
  /** How long running requests may go on after a signal to stop. */
  readonly drainMs: number;
  /** Of that: how long new connections are still served. */
  readonly noticeMs: number;
}

/** At most, unless the operator has set it. */
const maxDefaultNoticeMs = 5_000;

/** A sixth of the time to drain: enough for balancers that look every few seconds. */
export const defaultNoticeMs = (limitMs: number): number => Math.min(maxDefaultNoticeMs, limitMs / 6);

/** What a function reserves to end its answer before its own time limit, and one second more. */
export const maxEndMs = 4_000;

/** For a signal to stop, with the times that the operator has set. */
export const gracefully = ({ drainMs, noticeMs }: DrainSettings): Drain => ({
  noticeMs,
  limitMs: drainMs,
  endMs: maxEndMs,
});

/** For a server that no balancer stands before. */
export const immediately = (limitMs: number): Drain => ({
  noticeMs: 0,
  limitMs,
  endMs: Math.min(limitMs, maxEndMs),
});

/** `tasks`: what goes on without a request, and may be begun by one that runs. */
export async function drain(
  server: Server,
  running: RunningRequests,
  tasks: Pick<RunningRequests, 'stop' | 'ended'>,
  times: Drain,
): Promise<void> {
  const ended = async (withinMs: number) => {
    const until = performance.now() + withinMs;
    await running.ended(withinMs);
    await tasks.ended(Math.max(0, until - performance.now()));
  };
  const { noticeMs, limitMs, endMs } = times;
  running.closeConnections();
  await setTimeout(noticeMs);
  // Closes connections without a request, too.
  const closed = new Promise((resolve) => server.close(resolve));
  await ended(limitMs - noticeMs);
  running.stop();
  tasks.stop();
  await ended(endMs);
  server.closeAllConnections();
  // What was cut off still has its record to write.
  await ended(endMs);
  await closed;
}
