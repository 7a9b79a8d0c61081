/** What a request names: its URL and its host. */
import type { IncomingMessage } from 'node:http';

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
