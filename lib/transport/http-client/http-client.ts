/** The connections to upstream hosts. `exchange.ts` runs one exchange over them. */

import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Send, SendForText } from '../../core/ports/http.ts';
import { sendOver } from './exchange.ts';
import type { TlsOptions } from './pinned-connection.ts';
import { createPreconnect } from './preconnect.ts';
import { sendForTextOver } from './text-exchange.ts';

export interface HttpClientOptions {
  /**
   * The maximum of connections to one origin. Further requests wait, within their connect timeout. The default is more than
   * one machine needs: a local gateway may hold thousands of streams to one provider.
   */
  readonly connections?: number;
  readonly tls?: TlsOptions;
}

export interface HttpClient {
  readonly send: Send;
  readonly sendForText: SendForText;
  /** Opens a connection for a request that is likely to follow; absent if the client cannot. Never throws. */
  readonly preconnect?: (url: string) => void;
  /** Closes every connection at once. Running exchanges fail. */
  close(): Promise<void>;
}

/** To one origin, of one process. */
const maxConnections = 10_000;

/** Opens no connection yet. Idle connections are kept for 30 s, unless the server says otherwise. */
export function createHttpClient({
  connections = maxConnections,
  tls = {},
}: HttpClientOptions = {}): HttpClient {
  // HTTP/1.1: closing an exchange closes its connection, which stops the model. The timeout here only ends attempts that
  // would hang; a request waits for its own connect timeout.
  const preconnect = createPreconnect(buildConnector({ ...tls, allowH2: false, timeout: 30_000 }));
  const agent = new Agent({
    connections,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    connect: preconnect.connect,
  });
  return {
    send: (request, options) => sendOver(agent, request, options),
    sendForText: (request, options) => sendForTextOver(agent, request, options),
    preconnect: preconnect.open,
    close() {
      preconnect.close();
      return agent.destroy();
    },
  };
}
