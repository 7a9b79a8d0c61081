/**
 * Where the credentials of a process come from that has none in its variables. They expire, and are refreshed before they do, by one
 * call at a time. Requests wait only while there are none that are valid. A refresh that fails leaves those before it in use until they
 * expire.
 */
import { containerSource } from './container.ts';
import { instanceSource } from './instance.ts';
import type { CredentialsOptions, ExpiringCredentials, FindCredentials, FindSource } from './source.ts';
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

/** Refreshed so long before they expire, or when half of their time has passed, if that is later. */
const refreshBeforeMs = 300_000;

/** So long before they expire they are no longer given out: a signed request takes a while to arrive. */
const reserveMs = 1_000;

/** From the end of one refresh to the begin of the next, however it ended. */
const refreshPauseMs = 1_000;

interface RefreshingOptions {
  readonly load: () => Promise<ExpiringCredentials>;
  readonly now: () => number;
  readonly warn: (reason: string, cause: unknown) => void;
}

interface Held extends ExpiringCredentials {
  readonly refreshAt: number;
}

function createRefreshing({ load, now, warn }: RefreshingOptions): FindCredentials {
  let held: Held | undefined;
  let pending: Promise<void> | undefined;
  let failure: unknown;
  let endedAt = Number.NEGATIVE_INFINITY;

  async function refresh(): Promise<void> {
    try {
      held = hold(await load(), now());
      failure = undefined;
    } catch (cause) {
      failure = cause;
      warn(reasonOf(cause), cause);
    } finally {
      endedAt = now();
      pending = undefined;
    }
  }

  const valid = () => (held && now() < held.expiresAt - reserveMs ? held : undefined);

  return async () => {
    const known = valid();
    if (known && now() < known.refreshAt) return known.credentials;
    // Absolute: a system clock may be set back.
    if (Math.abs(now() - endedAt) >= refreshPauseMs) pending ??= refresh();
    if (known) return known.credentials;
    await pending;
    const found = valid();
    if (found) return found.credentials;
    throw new Error('No AWS credentials could be read.', { cause: failure });
  };
}

/** @throws Error for credentials that expire at once: a clock is wrong, or the source repeats old ones. */
function hold({ credentials, expiresAt }: ExpiringCredentials, time: number): Held {
  const lifetime = expiresAt - time;
  if (!(lifetime > reserveMs)) throw new Error('The credentials have expired.');
  return { credentials, expiresAt, refreshAt: expiresAt - Math.min(refreshBeforeMs, lifetime / 2) };
}

/** An error of AWS by its type; the others have messages of ours, or of Node's about a file. */
function reasonOf(cause: unknown): string {
  const { type, code, message } = cause as { type?: unknown; code?: unknown; message?: unknown };
  for (const known of [type, code, message]) if (typeof known === 'string' && known) return known;
  return 'unknown';
}
