/**
 * The connections over which the gateway calls upstream. What happens on one of them is the matter of `exchange`.
 */

import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Send } from '../../core/ports.ts';
import { sendOver } from './exchange.ts';
import type { TlsOptions } from './pinned-connection.ts';
import { createPreconnect } from './preconnect.ts';

export interface HttpClientOptions {
  /**
   * Connections to one origin at a time; requests beyond that wait, on their connect clock. By default more than one
   * machine ever needs: a local gateway may hold thousands of streams to one provider.
   */
  readonly connections?: number;
  readonly tls?: TlsOptions;
}

export interface HttpClient {
  readonly send: Send;
  /** Opens a connection for a request that is likely to come, where the client can. Fails nobody. */
  readonly preconnect?: (url: string) => void;
  /** Closes every connection at once; exchanges under way fail. */
  close(): Promise<void>;
}

/** Opens nothing until it is told. Idle connections are kept for 30 s, or as long as the server says. */
export function createHttpClient({ connections = 10_000, tls = {} }: HttpClientOptions = {}): HttpClient {
  // HTTP/1.1: closing an exchange closes its connection, which is what stops a model from going on. The time is only so
  // that no attempt lasts forever: how long a request waits for it is the request's own clock.
  const early = createPreconnect(buildConnector({ ...tls, allowH2: false, timeout: 30_000 }));
  const agent = new Agent({
    connections,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    connect: early.connect,
  });
  return {
    send: (request, options) => sendOver(agent, request, options),
    preconnect: early.open,
    close() {
      early.close();
      return agent.destroy();
    },
  };
}
