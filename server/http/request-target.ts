/** What a request names, its URL and its host, and whose it is, by address. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

export type Target = Pick<URL, 'pathname' | 'host' | 'searchParams'>;

/** Nothing that a URL parser would change, or find a query in. As nearly all targets, it needs no parser. */
const plainPath = /^\/[\w/-]*$/;

const noQuery = new URLSearchParams();

/** A target that starts with two slashes is a path, not a host. */
export function parseUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): Target | undefined {
  if (plainPath.test(url)) return { pathname: url, host: '127.0.0.1', searchParams: noQuery };
  return URL.parse(url.startsWith('/') ? `http://127.0.0.1${url}` : url) ?? undefined;
}

/** The host that a request is for: where its target names one, that counts, and not the header (RFC 9112, 3.2.2). */
export function hostOf({ url = '/', headers }: IncomingMessage): string | undefined {
  return (url.startsWith('/') ? undefined : URL.parse(url)?.host) ?? headers.host;
}

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
const plain = (address: string): string => (isBare.test(address) ? address : withoutPort(address));

const isBare = /^[\d.]*$/;

const withoutPort = (address: string): string =>
  address
    .replace(/^\[([0-9a-f:.]+)\](:\d+)?$/i, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
