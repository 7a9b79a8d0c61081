/** Connections that open none: they note what would be sent. */
import { GatewayError } from '../../core/errors/errors.ts';
import type { HttpRequest, Send } from '../../core/ports/http.ts';
import type { ProviderAccess } from '../../core/ports/provider-access.ts';
import type { Connections } from '../use/account.ts';

/** Nothing is sent, so nothing is tried again. */
export const notSent = () => new GatewayError('gateway_stopping', 'This request is not sent.');

/** What would open a connection, or keep something, in another way. */
export type Silence = Pick<Connections, 'fetchMedia' | 'sharedCache'>;

export function silentConnections(
  { preconnect: _, ...connections }: Connections,
  silence: Silence & Pick<Connections, 'send'>,
): Connections {
  return { ...connections, ...silence, tracedProviders: [] };
}

/** Every call ends once it is noted. */
export function notingConnections(connections: Connections, silence: Silence) {
  const sent: HttpRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    throw notSent();
  };
  const silent = silentConnections(connections, { ...silence, send });
  const findAccess: typeof connections.findAccess = async (...asked) =>
    unsigned(await connections.findAccess(...asked));
  return { sent, connections: { ...silent, findAccess } };
}

/** A token would be fetched, as the credentials of a signature may be: what is not sent needs neither. */
const unsigned = ({ sign, findToken, ...access }: ProviderAccess): ProviderAccess => ({
  ...access,
  ...(sign && { sign: async (request) => request }),
  ...(findToken && { findToken: async () => '' }),
});

/** The body of a request as text. */
export function bodyText(body: HttpRequest['body']): string {
  if (body === undefined || typeof body === 'string') return body ?? '{}';
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  if ('fields' in body && body.fields) return JSON.stringify(body.fields);
  const pieces = body.pieces();
  if (Symbol.asyncIterator in pieces) return '{}';
  return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece))).toString();
}
