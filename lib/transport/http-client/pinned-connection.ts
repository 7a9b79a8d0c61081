/**
 * Connections to addresses that were chosen before: the host name is used for TLS and the Host header only, and is never
 * resolved a second time, when it could mean another address. Which addresses are fit is decided elsewhere.
 */
import { lookup } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';

export type Lookup = (hostname: string) => Promise<readonly string[]>;

export type TlsOptions = Pick<ConnectionOptions, 'ca'>;

/** A URL and the addresses of its host. */
export interface Place {
  readonly url: URL;
  readonly addresses: readonly string[];
}

/** All addresses of a host name, as the system resolves it. */
export async function lookupAll(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/** Opens nothing yet; a request through it connects to the given addresses and nowhere else. */
export function openPinned({ addresses }: Place, tls: TlsOptions): Dispatcher {
  const pinned = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const answer: LookupFunction = (_hostname, options, callback) => {
    const [first] = pinned;
    if (options.all) callback(null, pinned);
    else callback(null, first?.address ?? '', first?.family);
  };
  return new Agent({ connections: 1, allowH2: false, connect: { ...tls, lookup: answer } });
}
