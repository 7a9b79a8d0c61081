/**
 * The connections over which the gateway calls upstream. What happens on one of them is the matter of `exchange`.
 */
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Send } from '../core/ports.ts';
import { sendOver } from './exchange.ts';

export interface HttpClientOptions {
  /**
   * Connections to one origin at a time; requests beyond that wait, on their connect clock. By default more than one
   * machine ever needs: a local gateway may hold thousands of streams to one provider.
   */
  readonly connections?: number;
}

export interface HttpClient {
  readonly send: Send;
  /** Closes every connection at once; exchanges under way fail. */
  close(): Promise<void>;
}

/** Opens nothing until the first request. Idle connections are kept for 30 s, or as long as the server says. */
export function createHttpClient({ connections = 10_000 }: HttpClientOptions = {}): HttpClient {
  const agent = new Agent({
    connections,
    // HTTP/1.1: closing an exchange closes its connection, which is what stops a model from going on.
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    // Only so that no attempt lasts forever: how long a request waits for it is the request's own clock.
    connect: { timeout: 30_000 },
  });
  return {
    send: (request, options) => sendOver(agent, request, options),
    close: () => agent.destroy(),
  };
}
