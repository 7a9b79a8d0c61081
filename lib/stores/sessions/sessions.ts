/**
 * Sessions of the dashboard, and the one-time tokens by which some begin, in the state table until they expire. Only hashes of
 * tokens are stored, so a leaked copy of the table gives no access. The key of an item is `session#<hash>` or `ticket#<hash>`.
 */
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { actingMethods, roles, type User } from '../../core/admin/user.ts';
import { isToken, newToken } from '../../core/names/token.ts';
import { expiryAttribute } from '../../core/tables.ts';
import { openTable, type TableOptions } from '../dynamodb/table.ts';

export interface Session {
  readonly user: User;
  /** Unix seconds. */
  readonly expiresAt: number;
  /** The stored format of the API key by which it was opened: the session ends with the key. */
  readonly keyHash?: string;
}

interface OpenedSession extends Session {
  /** This is the only time that it is available. */
  readonly token: string;
}

export interface SessionStore {
  open(user: User, keyHash?: string): Promise<OpenedSession>;
  /** Undefined for a token that is unknown, expired or no token. */
  find(token: string): Promise<Session | undefined>;
  end(token: string): Promise<void>;
  /** A token that opens one session, of the operator with this name. */
  makeTicket(name: string): Promise<string>;
  /** The operator's name, once: the ticket is deleted. */
  takeTicket(token: string): Promise<string | undefined>;
}

interface SessionStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** How long a session lasts, whatever is done in it. */
export const sessionSeconds = 12 * 3_600;
/** How long a one-time address can be opened. */
export const ticketSeconds = 24 * 3_600;

const sessionPrefix = 'mgs_';
const ticketPrefix = 'mgt_';

const sessionItem = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  tenant: z.exactOptional(z.string()),
  via: z.enum(actingMethods),
  key_id: z.exactOptional(z.string()),
  key_hash: z.exactOptional(z.string()),
  [expiryAttribute]: z.number(),
});

const ticketItem = z.object({ name: z.string(), [expiryAttribute]: z.number() });

export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { now } = options;
  const items = openTable(options);
  const after = (seconds: number) => Math.floor(now() / 1000) + seconds;
  const isExpired = (expiresAt: number) => expiresAt * 1000 <= now();
  return {
    async open(user, keyHash) {
      const token = newToken(sessionPrefix);
      const expiresAt = after(sessionSeconds);
      const { keyId, ...known } = user;
      const fields = { ...known, key_id: keyId, key_hash: keyHash, [expiryAttribute]: expiresAt };
      await items.put(sessionKey(token), fields);
      return { token, user, expiresAt, ...(keyHash !== undefined && { keyHash }) };
    },
    async find(token) {
      if (!isSessionToken(token)) return undefined;
      // Strongly consistent: what was signed out is signed out at once.
      const item = await items.get(sessionKey(token), { consistent: true });
      const { success, data } = sessionItem.safeParse(item);
      // DynamoDB deletes expired items late.
      if (!success || isExpired(data[expiryAttribute])) return undefined;
      const { key_id: keyId, key_hash: keyHash, [expiryAttribute]: expiresAt, ...known } = data;
      const user = { ...known, ...(keyId !== undefined && { keyId }) };
      return { user, expiresAt, ...(keyHash !== undefined && { keyHash }) };
    },
    async end(token) {
      if (isSessionToken(token)) await items.remove(sessionKey(token));
    },
    async makeTicket(name) {
      const token = newToken(ticketPrefix);
      await items.put(ticketKey(token), { name, [expiryAttribute]: after(ticketSeconds) });
      return token;
    },
    async takeTicket(token) {
      if (!isToken(ticketPrefix, token)) return undefined;
      // Of several requests at once, only one gets the item that was there.
      const { success, data } = ticketItem.safeParse(await items.remove(ticketKey(token)));
      return success && !isExpired(data[expiryAttribute]) ? data.name : undefined;
    },
  };
}

/** Whether a text has the form of a session's token. */
export const isSessionToken = (text: string): boolean => isToken(sessionPrefix, text);

const sessionKey = (token: string): string => `session#${hash('sha256', token)}`;
const ticketKey = (token: string): string => `ticket#${hash('sha256', token)}`;
