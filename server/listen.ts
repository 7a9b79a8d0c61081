/** How the local server begins to listen, and how it stops. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** Rejects if the port is in use, or the host is no address of this machine. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

/** Resolves when no answer is running, or after `graceMs`. Idle connections are closed. */
export async function closeServer(server: Server, answering: ReadonlySet<ServerResponse>, graceMs: number) {
  const closed = new Promise((resolve) => server.close(resolve));
  const ended = Promise.allSettled([...answering].map((response) => once(response, 'close')));
  const grace = new AbortController();
  await Promise.race([ended, setTimeout(graceMs, undefined, { signal: grace.signal }).catch(() => {})]);
  grace.abort();
  server.closeAllConnections();
  await closed;
}
