/**
 * Connections that are opened before the request that is likely to need them, so that the handshakes take place while the
 * request waits for something else. The next connection to that origin uses it, ready or not; others are opened as usual.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

type Connect = buildConnector.connector;
type Origin = Pick<buildConnector.Options, 'protocol' | 'hostname' | 'port'>;

/** How long an unused connection stays open. */
const unusedMs = 5_000;

interface Preconnect {
  /** Opens a connection. A failure is ignored: the request will report it. */
  open(url: string): void;
  /** Replaces the given connector. */
  readonly connect: Connect;
  /** Closes unused connections. */
  close(): void;
}

export function createPreconnect(connect: Connect): Preconnect {
  const openings = new Map<string, Promise<Socket | undefined>>();

  function drop(key: string): void {
    take(key)?.then((socket) => socket?.destroy());
  }

  /** Hands the connection over: it is no longer kept here. */
  function take(key: string): Promise<Socket | undefined> | undefined {
    const opening = openings.get(key);
    openings.delete(key);
    return opening;
  }

  return {
    open(url) {
      const { protocol, hostname, host, port } = new URL(url);
      const options = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port };
      const key = keyOf(options);
      if (openings.has(key)) return;
      const opening = new Promise<Socket | undefined>((resolve) => {
        connect(options, (error, socket) => resolve(error ? undefined : socket));
      });
      openings.set(key, opening);
      setTimeout(() => {
        if (openings.get(key) === opening) drop(key);
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
      for (const key of openings.keys()) drop(key);
    },
  };
}

const keyOf = ({ protocol, hostname, port }: Origin) => `${protocol}//${hostname}:${port}`;
