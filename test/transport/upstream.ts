/**
 * Real servers on loopback for the tests of this folder. They respond as a test wants, and close at its end.
 */
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Timeouts } from '../../lib/core/ports/http.ts';

export interface Upstream {
  readonly url: string;
  readonly port: number;
  /** Every connection so far. */
  readonly sockets: readonly Socket[];
}

/** Longer than any test takes on a busy machine. */
export const calm: Timeouts = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000 };

/** An HTTP server for the running test. */
export function startUpstream(listener: RequestListener): Promise<Upstream> {
  return listen(createServer({ keepAliveTimeout: 20_000 }, listener));
}

/** A TCP server for the running test. */
export function startTcp(listener: (socket: Socket) => void): Promise<Upstream> {
  return listen(createTcpServer(listener));
}

export async function listen(server: Server): Promise<Upstream> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, sockets };
}

/** Resets a connection. Returns when the other side, in this process, has noticed. */
export async function reset(socket: Socket | undefined): Promise<void> {
  socket?.resetAndDestroy();
  await sleep(50);
  // After a timer, the event loop reads from the sockets.
  await nextTurn();
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error('it did not fail');
}
