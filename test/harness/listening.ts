/** Servers of tests: on loopback, on a free port. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Its address, once it accepts connections. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends its connections, too. */
export const end = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
