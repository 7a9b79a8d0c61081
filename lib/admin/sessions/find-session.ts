/** Finds the session that a request shows, and with it the person: the check that every call of the dashboard begins with. */
import type { FindPerson, Shown } from '../../core/person.ts';
import { type KeyStore, works } from '../../stores/access/keys.ts';
import { isSessionToken, type Session, type SessionStore } from '../../stores/sessions/sessions.ts';

export interface FindSessionParts {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly keys: Pick<KeyStore, 'findByHash'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** Undefined for one who is not signed in. */
export type FindSession = (shown: Shown) => Promise<Session | undefined>;

/** Rejects while the database cannot be read. */
export function createFindSession({ sessions, keys, now }: FindSessionParts): FindSession {
  return async (shown) => {
    const token = sessionTokenOf(shown);
    const session = token === undefined ? undefined : await sessions.find(token);
    if (!session) return undefined;
    // A one-time address is for this machine, and so is what it opens.
    if (session.person.via === 'address' && !shown.isLocal) return undefined;
    if (session.keyHash === undefined) return session;
    // Read each time: a key that is disabled or expired ends its sessions at once.
    const key = await keys.findByHash(session.keyHash);
    return key && works(key, now()) ? session : undefined;
  };
}

/** A token in the header counts, and the cookie only without one. */
export const sessionTokenOf = ({ bearer, cookie }: Shown): string | undefined =>
  [bearer ?? cookie].find((text) => text !== undefined && isSessionToken(text));

export const personOf =
  (findSession: FindSession): FindPerson =>
  async (shown) =>
    (await findSession(shown))?.person;
