/** How a server of the benchmark listens, and reports its address to the process that started it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** Listens on any free port; returns the URL without a trailing slash. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** A free URL, for a server whose port must be set. */
export async function freeUrl(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  server.close();
  await once(server, 'close');
  return url;
}

export function announce(announced: Readonly<Record<string, string>>): void {
  process.send?.({ announced });
}
