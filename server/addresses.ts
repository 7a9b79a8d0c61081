/**
 * Where the local server listens, and which names it is called by. A page in a browser can call a local server by a name of its
 * own that its name server leads here (DNS rebinding), and then read the answers. So a request must name an address of this server.
 */
import { isIP } from 'node:net';

/** What `HOST` is without a value: no other machine can connect. */
export const loopback = '127.0.0.1';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** They listen on every address of the machine. */
const wildcards = ['0.0.0.0', '::'];

/** Whether only this machine can connect. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** The base URL of a server that listens on `host`; this machine's own for one that listens on every address. */
export const urlOf = (host: string, port: number): string =>
  `http://${wildcards.includes(host) ? loopback : bracketed(host)}:${port}`;

/** Whether a Host header names this server. */
export type IsOwn = (header: string | undefined) => boolean;

/**
 * `allowed` are further names, in lower case. A server on every address is also called by address: that needs no name server, so
 * none can lead a page here.
 */
export function createIsOwn(host: string, allowed: readonly string[]): IsOwn {
  const names = new Set([...loopbackNames, bracketed(host.toLowerCase()), ...allowed]);
  const takesAddresses = wildcards.includes(host);
  return (header = '') => {
    const name = header.toLowerCase().replace(/:\d+$/, '');
    return names.has(name) || (takesAddresses && isIP(name.replace(/^\[|\]$/g, '')) !== 0);
  };
}

/** The most names that the variable may list. */
export const maxAllowedHosts = 20;

/**
 * The names in the variable `GATEWAY_ALLOWED_HOSTS`, separated by commas.
 * @throws Error that names the variable.
 */
export function readAllowedHosts(text = ''): readonly string[] {
  const names = text.split(',').flatMap((part) => part.trim().toLowerCase() || []);
  if (names.length <= maxAllowedHosts && names.every((name) => /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(name)))
    return names;
  throw new Error(
    `GATEWAY_ALLOWED_HOSTS must be at most ${maxAllowedHosts} host names without ports, such as gateway.example.com, separated by commas.`,
  );
}

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
