/** Whose request it is, by address. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address of the client, or '' if it has gone. Each trusted proxy in a row before the server appends the address that called
 * it to `X-Forwarded-For`, so the last ones are true, and what stands before them is whatever the client has sent.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const direct = plain(socket.remoteAddress ?? '');
  if (trustedProxies === 0) return direct;
  const given = headers['x-forwarded-for'];
  const forwarded = (Array.isArray(given) ? given.join(',') : (given ?? '')).split(',');
  const address = plain((forwarded.at(-trustedProxies) ?? forwarded[0] ?? '').trim());
  return isIP(address) === 0 ? direct : address;
}

/** Without the port that some proxies append, and as IPv4 where a server on all addresses sees an IPv4 one in IPv6's form. */
const plain = (address: string): string =>
  address
    .replace(/^\[([0-9a-f:.]+)\](:\d+)?$/i, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
