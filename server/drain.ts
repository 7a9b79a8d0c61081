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

/** At most, whatever the limit is. */
export const maxNoticeMs = 5_000;

/** What a function reserves to end its answer before its own time limit, and one second more. */
export const maxEndMs = 4_000;

/** For a signal to stop, with the limit that the operator has set. */
export const gracefully = (limitMs: number): Drain => ({
  noticeMs: Math.min(maxNoticeMs, limitMs / 6),
  limitMs,
  endMs: maxEndMs,
});

/** For a server that no balancer stands before. */
export const immediately = (limitMs: number): Drain => ({
  noticeMs: 0,
  limitMs,
  endMs: Math.min(limitMs, maxEndMs),
});

export async function drain(server: Server, running: RunningRequests, times: Drain): Promise<void> {
  const { noticeMs, limitMs, endMs } = times;
  running.closeConnections();
  await setTimeout(noticeMs);
  // Closes connections without a request, too.
  const closed = new Promise((resolve) => server.close(resolve));
  await running.ended(limitMs - noticeMs);
  running.stop();
  await running.ended(endMs);
  server.closeAllConnections();
  // What was cut off still has its record to write.
  await running.ended(endMs);
  await closed;
}
