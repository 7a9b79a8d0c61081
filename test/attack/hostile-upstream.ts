/** A provider on loopback that writes raw bytes, as fast and as long as the gateway takes them. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

interface HostileUpstream {
  readonly url: string;
  /** Connections that were opened since the script was set. */
  readonly connections: number;
  /** The bytes of each answer; a number is a pause in milliseconds. It may be without end: it stops when the gateway leaves. */
  script(answer: () => Iterable<string | Uint8Array | number>): void;
  close(): Promise<void>;
}

export async function startHostileUpstream(): Promise<HostileUpstream> {
  let answer: () => Iterable<string | Uint8Array | number> = () => [];
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => void write(socket));
  });
  async function write(socket: Socket): Promise<void> {
    for (const piece of answer()) {
      if (socket.destroyed) return;
      if (typeof piece === 'number') await pause(piece);
      else if (!socket.write(piece)) await drained(socket);
    }
    socket.end();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    get connections() {
      return connections;
    },
    script(script) {
      answer = script;
      connections = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function drained(socket: Socket): Promise<void> {
  const either = new AbortController();
  const { signal } = either;
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).catch(() => {});
  either.abort();
}

/** The head of an answer without a length: it lasts until the connection closes. */
export const head = (type: string, status = '200 OK', more = '') =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\n${more}connection: close\r\n\r\n`;

/** The first pieces, then the other one again and again. */
export function* endless(first: readonly (string | Uint8Array)[], again: string | Uint8Array, restMs = 0) {
  yield* first;
  for (;;) {
    yield again;
    if (restMs > 0) yield restMs;
  }
}
