/**
 * Connections to given addresses. The host name is used only for TLS and the Host header; it is not resolved again, since it
 * could then mean another address. The caller decides which addresses are allowed.
 */
import { lookup } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';

export type Lookup = (hostname: string) => Promise<readonly string[]>;

export type TlsOptions = Pick<ConnectionOptions, 'ca'>;

/** A URL and the addresses of its host. */
export interface ResolvedUrl {
  readonly url: URL;
  readonly addresses: readonly string[];
}

/** All addresses of a host name, as the system resolves it. */
export async function lookupAll(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/** Opens no connection yet. Requests connect only to the given addresses. */
export function openPinned({ addresses }: ResolvedUrl, tls: TlsOptions): Dispatcher {
  const pinned = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const answer: LookupFunction = (_hostname, options, callback) => {
    const [first] = pinned;
    if (options.all) callback(null, pinned);
    else callback(null, first?.address ?? '', first?.family);
  };
  return new Agent({ connections: 1, allowH2: false, connect: { ...tls, lookup: answer } });
}
