/** How a server of the benchmark listens, and tells whoever started it where it is. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** Listens on any free port; gives the address without a slash at the end. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** An address that nobody listens at, for a server that has to be told its port. */
export async function freeUrl(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  server.close();
  await once(server, 'close');
  return url;
}

export function announce(told: Readonly<Record<string, string>>): void {
  process.send?.({ announced: told });
}
