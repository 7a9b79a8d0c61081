/**
 * Connections that are opened before the request that is likely to need them, so that hand-shakes take place while it
 * still waits for something else. The first connection to such a place is handed over, ready or not; others are opened as ever.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

type Connect = buildConnector.connector;
type Place = Pick<buildConnector.Options, 'protocol' | 'hostname' | 'port'>;

/** How long a connection waits for its request before it is closed again. */
const unusedMs = 5_000;

export interface EarlyConnections {
  /** Opens a connection. Nobody is told where it cannot be: the request will find out by itself. */
  open(url: string): void;
  /** In place of the connector that it was made of. */
  readonly connect: Connect;
  /** Closes those that nobody has taken. */
  close(): void;
}

export function createPreconnect(connect: Connect): EarlyConnections {
  const early = new Map<string, Promise<Socket | undefined>>();

  function drop(key: string): void {
    take(key)?.then((socket) => socket?.destroy());
  }

  /** The connection, which is then somebody's. */
  function take(key: string): Promise<Socket | undefined> | undefined {
    const opening = early.get(key);
    early.delete(key);
    return opening;
  }

  return {
    open(url) {
      const { protocol, hostname, host, port } = new URL(url);
      const options = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port };
      const key = keyOf(options);
      if (early.has(key)) return;
      const opening = new Promise<Socket | undefined>((resolve) => {
        connect(options, (error, socket) => resolve(error ? undefined : socket));
      });
      early.set(key, opening);
      setTimeout(() => {
        if (early.get(key) === opening) drop(key);
      }, unusedMs).unref();
    },
    connect(options, callback) {
      const opening = take(keyOf(options));
      if (!opening) return connect(options, callback);
      opening.then((socket) => {
        if (socket?.writable) callback(null, socket);
        else connect(options, callback);
      });
    },
    close() {
      for (const key of early.keys()) drop(key);
    },
  };
}

const keyOf = ({ protocol, hostname, port }: Place) => `${protocol}//${hostname}:${port}`;
