/** How the server begins to listen. */
import type { Server } from 'node:http';

/** Rejects if the port is in use, or the host is no address of this machine. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}
