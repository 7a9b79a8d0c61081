/**
 * Connections of one of Node's agents that are opened before the request that is likely to need them, so that the handshakes take place
 * while the request waits for something else. The next connection to that origin is this one, ready or not.
 */
import type { Agent } from 'node:http';
import { isIP, type Socket } from 'node:net';

/** How long an unused connection stays open. */
const unusedMs = 5_000;

interface EarlySockets {
  /** Opens a connection. A failure is ignored: where nothing waits for it yet, the request opens another. */
  open(url: string): void;
  /** Closes unused connections. */
  close(): void;
}

/** `agent` uses them from now on. `options`: those of its connections. */
export function openEarly(agent: Agent, options: object, defaultPort: number): EarlySockets {
  const sockets = new Map<string, Socket>();
  const connect = agent.createConnection.bind(agent);
  const take = (key: string): Socket | undefined => {
    const socket = sockets.get(key);
    sockets.delete(key);
    return socket;
  };
  agent.createConnection = (given, callback) => {
    const socket = take(`${given.host}:${given.port}`);
    return socket?.writable ? socket : connect(given, callback);
  };
  return {
    open(url) {
      const { hostname, port } = new URL(url);
      const host = withoutBrackets(hostname);
      const given = { host, port: Number(port || defaultPort) };
      const key = `${host}:${given.port}`;
      if (sockets.has(key)) return;
      const servername = isIP(host) === 0 ? { servername: host } : {};
      const socket = connect({ ...options, ...given, ...servername }) as Socket;
      socket.on('error', () => {});
      sockets.set(key, socket);
      setTimeout(() => {
        if (sockets.get(key) === socket) take(key)?.destroy();
      }, unusedMs).unref();
    },
    close() {
      for (const key of sockets.keys()) take(key)?.destroy();
    },
  };
}

/** An IPv6 address in a URL has them. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
