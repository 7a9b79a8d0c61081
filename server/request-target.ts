/** What a request names: its URL and its host. */
import type { IncomingMessage } from 'node:http';

/** A target that starts with two slashes is a path, not a host. */
export function parseUrl({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.parse(url.startsWith('/') ? `http://127.0.0.1${url}` : url) ?? undefined;
}

/** The host that a request is for: where its target names one, that counts, and not the header (RFC 9112, 3.2.2). */
export function hostOf({ url = '/', headers }: IncomingMessage): string | undefined {
  return (url.startsWith('/') ? undefined : URL.parse(url)?.host) ?? headers.host;
}
