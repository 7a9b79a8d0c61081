/** A port on loopback that passes connections on to another, until it is stopped: a service that comes and goes. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

interface Relay {
  readonly url: string;
  /** How often something was sent to the service. */
  sent(): number;
  /** Refuses connections, and cuts those that are open. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startRelay(to: string): Promise<Relay> {
  const { hostname, port: target } = new URL(to);
  const open = new Set<Socket>();
  let sent = 0;
  let server: Server | undefined;
  let port = 0;
  const keep = (socket: Socket) => {
    open.add(socket.on('error', () => {}));
    socket.once('close', () => open.delete(socket));
  };
  const start = async () => {
    server = createServer((client) => {
      const service = connect(Number(target), hostname);
      keep(client);
      keep(service);
      client.on('data', () => {
        sent += 1;
      });
      client.pipe(service).pipe(client);
    });
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    const closed = new Promise((resolve) => server?.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  await start();
  return { url: `http://127.0.0.1:${port}`, sent: () => sent, stop, start, close: stop };
}
