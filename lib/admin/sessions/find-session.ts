/** Finds the session that a request shows, and with it the user: the check that every call of the dashboard begins with. */
import type { FindUser, Shown, User } from '../../core/admin/user.ts';
import { allowsOperation, type Permissions } from '../../core/tenancy.ts';
import { type KeyStore, type StoredApiKey, works } from '../../stores/access/keys.ts';
import {
  isManagementSecret,
  type ManagementKeyStore,
  type StoredManagementKey,
} from '../../stores/access/management-keys.ts';
import { isSessionToken, type Session, type SessionStore } from '../../stores/sessions/sessions.ts';
import type { Oidc } from '../sign-in/oidc.ts';

interface FindSessionParts {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly keys: Pick<KeyStore, 'findByHash'>;
  readonly managementKeys: Pick<ManagementKeyStore, 'findBySecret'>;
  /** Undefined without an issuer. */
  readonly oidc: Pick<Oidc, 'sessionOf'> | undefined;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** Undefined for one who is not signed in. */
export type FindSession = (shown: Shown) => Promise<Session | undefined>;

/** Rejects while the database cannot be read, and for an invalid ID token or whose user has no role. */
export function createFindSession({
  sessions,
  keys,
  managementKeys,
  oidc,
  now,
}: FindSessionParts): FindSession {
  return async (shown) => {
    if (shown.bearer !== undefined && isManagementSecret(shown.bearer)) {
      const key = await managementKeys.findBySecret(shown.bearer);
      return key && sessionOf(key);
    }
    // What is in the header and no token of ours is one of the issuer.
    if (oidc && shown.bearer !== undefined && !isSessionToken(shown.bearer)) {
      return await oidc.sessionOf(shown.bearer);
    }
    const token = sessionTokenOf(shown);
    const session = token === undefined ? undefined : await sessions.find(token);
    if (!session) return undefined;
    const { user, keyHash } = session;
    // A one-time address is for this machine, and so is what it opens.
    if (user.via === 'address') return shown.isLocal ? session : undefined;
    // No other session is stored: whatever says so was not written by the gateway.
    if (user.via !== 'key' || keyHash === undefined) return undefined;
    // Read each time: a key that is disabled, expired or restricted ends its sessions at once.
    const key = await keys.findByHash(keyHash);
    return key && works(key, now()) && maySignIn(key) && isOfKey(user, key) ? session : undefined;
  };
}

/** Nothing is stored of it: each call shows the key. */
const sessionOf = ({ id, name, role, tenant, operations, expiresAt }: StoredManagementKey): Session => ({
  user: {
    id,
    name,
    role,
    ...(tenant !== undefined && { tenant }),
    via: 'management_key',
    managementKey: { expiresAt, ...(operations && { operations }) },
  },
  expiresAt,
});

/** What the session of a key may do follows from the key, whatever is stored with the session. */
const isOfKey = ({ role, tenant, keyId }: User, key: StoredApiKey): boolean =>
  role === 'viewer' && tenant === key.tenant && keyId === key.id;

/** A key that may not read usage by the API of models reads none here: one for a single purpose may be in many hands. */
export const maySignIn = (permissions: Permissions = {}): boolean =>
  allowsOperation(permissions, 'usage-retrieve');

/** A token in the header counts, and the cookie only without one. */
export const sessionTokenOf = ({ bearer, cookie }: Shown): string | undefined =>
  [bearer ?? cookie].find((text) => text !== undefined && isSessionToken(text));

export const userOf =
  (findSession: FindSession): FindUser =>
  async (shown) =>
    (await findSession(shown))?.user;
