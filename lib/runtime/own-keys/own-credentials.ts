/**
 * The credentials of tenants as this process knows them: what it has read of them for seconds, so that one that is removed is not used
 * any more, and their secrets for minutes. Loaded with the first request of a tenant that has some.
 */
import { withTimeout } from '../../async/with-timeout.ts';
import type { Credential } from '../../core/credential.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { ownFailureFields } from '../../core/errors/failure-fields.ts';
import type { OwnCredentials } from '../../core/ports/own-credentials.ts';
import type { FindProviderAccess, FindToken, ProviderAccess } from '../../core/ports/provider-access.ts';
import { createFindToken } from '../../providers/google-vertex/token.ts';
import { ownAccess } from '../../providers/own-settings.ts';
import {
  type CredentialStore,
  createCredentialStore,
  type StoredCredential,
} from '../../stores/access/credentials.ts';
import { createCachedReader } from '../../stores/cached-reader.ts';
import { createLru } from '../../stores/lru.ts';
import type { Foundation } from '../foundation.ts';
import { type Sealer, sealerOf } from './seal.ts';

/** How long what is read is used before it is read again, and how long it may be while reads fail. */
const freshMs = 5_000;
const graceMs = 300_000;

/** How long a secret is in memory, and how many are. */
export const openMs = 300_000;
export const maxOpen = 1_000;

const noteMs = 500;

/** A failure is noted once in so long. */
const failurePauseMs = 60_000;

type Settings = Readonly<Record<string, string>>;

interface Opened {
  readonly settings: Promise<Settings>;
  /** By provider: several may share the account. */
  readonly accesses: Map<string, ProviderAccess>;
  /** Of its own: it remembers what it has exchanged. */
  findToken?: FindToken;
  readonly openedAt: number;
  /** Ends it. It would hold it in memory, too. */
  readonly timer: NodeJS.Timeout;
}

interface OwnCredentialsOptions {
  readonly store: Pick<CredentialStore, 'list' | 'noteUse' | 'noteFailure'>;
  readonly sealer: Pick<Sealer, 'open'>;
  /** How the gateway itself calls a provider. */
  readonly findShared: FindProviderAccess;
  /** `url`: what gives tokens in place of Google. */
  readonly createFindToken: (url?: string) => FindToken;
  readonly now: () => number;
  readonly warn: (message: string, cause: unknown) => void;
}

export function createOwnCredentials(options: OwnCredentialsOptions): OwnCredentials {
  const { store, sealer, findShared, now, warn } = options;
  const find = createCachedReader<readonly StoredCredential[]>({
    load: (key) => {
      const [tenant = '', account = ''] = key.split('#');
      return store.list(tenant, account);
    },
    now,
    freshMs,
    graceMs,
    size: maxOpen,
  });
  const opened = createLru<Opened>(maxOpen);
  const failures = createLru<number>(maxOpen);
  const seconds = () => Math.floor(now() / 1_000);

  function forget(key: string, entry = opened.get(key)): void {
    clearTimeout(entry?.timer);
    if (opened.get(key) === entry) opened.delete(key);
  }

  function open(credential: Credential): Opened {
    const { id, sealed } = credential;
    const key = keyOf(credential);
    const known = opened.get(key);
    if (known && Math.abs(now() - known.openedAt) < openMs) return known;
    const settings = sealer.open(credential, sealed);
    forget(key);
    const timer = setTimeout(() => forget(key, entry), openMs).unref();
    const entry: Opened = { settings, accesses: new Map(), openedAt: now(), timer };
    opened.set(key, entry);
    settings.catch(() => forget(key, entry));
    // It takes less time than the call that it is opened for.
    store.noteUse(id, seconds()).catch((cause) => warn('use of a credential not noted', cause));
    return entry;
  }

  return {
    list: async (tenant, account) =>
      ((await find(`${tenant}#${account}`)) ?? []).filter(({ disabledAt }) => disabledAt === undefined),
    async access(provider, credential) {
      const entry = open(credential);
      const { settings, accesses } = entry;
      const known = accesses.get(provider);
      if (known) return known;
      const [own, shared] = await Promise.all([
        settings.catch((cause) => {
          warn('credential of a tenant not opened', cause);
          throw notOpened(credential);
        }),
        findShared(provider).catch(() => undefined),
      ]);
      entry.findToken ??= options.createFindToken(shared?.sandbox ? `${shared.baseUrl}/token` : undefined);
      const access = { ...ownAccess(credential.account, own, shared), findToken: entry.findToken };
      accesses.set(provider, access);
      return access;
    },
    async refused(credential, reason) {
      const { id } = credential;
      forget(keyOf(credential));
      if (now() - (failures.get(id) ?? 0) < failurePauseMs) return;
      failures.set(id, now());
      const noted = store
        .noteFailure(id, seconds(), reason)
        .catch((cause) => warn('failure of a credential not noted', cause));
      await withTimeout(noted, noteMs, () => {});
    },
  };
}

/** Its id may stand in another tenant's item, too, for whom it does not open. */
const keyOf = ({ tenant, account, id, sealed }: Credential) => [tenant, account, id, sealed].join(' ');

const notOpened = ({ id, account }: Credential) =>
  new GatewayError(
    'upstream_failed',
    `The gateway could not open the tenant's own key '${id}' for ${account}.`,
  );

/** Of a process. */
export function ownCredentialsOf(foundation: Foundation, findShared: FindProviderAccess): OwnCredentials {
  const { table, now, log, send } = foundation;
  return createOwnCredentials({
    store: createCredentialStore(table('access')),
    sealer: sealerOf(foundation),
    findShared,
    createFindToken: (url) => createFindToken({ send, now, url }),
    now,
    warn: (message, cause) => log.warn(message, ownFailureFields(cause)),
  });
}
