/** Chooses where the credentials of a process come from that has none in its variables. */
import { containerSource } from './container.ts';
import { instanceSource } from './instance.ts';
import { createRefreshing } from './refreshing.ts';
import type { CredentialsOptions, FindCredentials, FindSource } from './source.ts';
import { webIdentitySource } from './web-identity.ts';

/** In the order of the SDKs. */
const sources: readonly FindSource[] = [webIdentitySource, containerSource, instanceSource];

/** Opens no connection yet. Throws if nothing is configured. */
export function createRemoteCredentials(options: CredentialsOptions): FindCredentials {
  for (const find of sources) {
    const load = find(options);
    if (load) return createRefreshing({ load, now: options.now, warn: options.warn });
  }
  throw new Error('No AWS credentials are configured.');
}
