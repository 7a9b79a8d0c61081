/**
 * Node's HTTP server, and how it begins to listen. An import of `node:http` would also load fetch, whose classes it exports: half of
 * the time in which a process starts.
 */
import type { Server } from 'node:http';

export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');

/** Rejects if the port is in use, or the host is no address of this machine. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}
