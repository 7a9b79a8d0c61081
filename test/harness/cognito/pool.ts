/**
 * The state of one fake Cognito user pool: its users, groups and app client, what was sent by e-mail, and who has which tokens. Sources:
 * docs.aws.amazon.com, Cognito developer guide ("Understanding the identity (ID) token", "Refresh tokens", "The token issuer endpoint",
 * "Ending user sessions with token revocation") and the API reference of cognito-idp.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

export interface FakeUser {
  /** An id of Cognito's own where people sign in with their e-mail addresses; it is the `sub`, too. */
  readonly username: string;
  readonly attributes: Map<string, string>;
  readonly groups: Set<string>;
  readonly createdAt: number;
  enabled: boolean;
  /** Of a user without a password, where codes by e-mail are enough: confirmed at once. */
  status: 'CONFIRMED' | 'EXTERNAL_PROVIDER';
  /** Tokens from before do not count any more. */
  signedOutAt: number;
}

export interface AppClient {
  readonly id: string;
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
  readonly scopes: readonly string[];
  /** The attributes that its ID tokens have. */
  readonly readAttributes: readonly string[];
  readonly idTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /** How long a refresh token counts after it was replaced; source: API_RefreshTokenRotationType (at most 60). */
  readonly graceSeconds: number;
}

/** A code of the authorize endpoint: for one use within five minutes. */
interface IssuedCode {
  readonly username: string;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  readonly scope: string;
  readonly expiresAt: number;
}

export interface IssuedRefreshToken {
  readonly username: string;
  readonly scope: string;
  readonly issuedAt: number;
  /** The same for all that follow by rotation. */
  readonly expiresAt: number;
  /** All tokens of one sign-in. */
  readonly family: string;
  replacedAt: number | undefined;
}

interface SentMail {
  readonly to: string;
  readonly kind: 'invitation' | 'code';
  readonly text: string;
}

export interface Pool {
  readonly id: string;
  readonly client: AppClient;
  /** The time in milliseconds; tests move it. */
  now: () => number;
  readonly users: Map<string, FakeUser>;
  readonly groups: Map<string, { readonly description: string }>;
  readonly attributes: ReadonlySet<string>;
  readonly outbox: SentMail[];
  readonly codes: Map<string, IssuedCode>;
  readonly refreshTokens: Map<string, IssuedRefreshToken>;
  readonly revokedFamilies: Set<string>;
  /** Sessions of managed login, by the value of its cookie. */
  readonly sessions: Map<string, { readonly username: string; readonly expiresAt: number }>;
  /** The codes that were sent by e-mail. */
  readonly mailedCodes: Map<string, string>;
  /** A user by the username, the sub or, where it is the alias, the e-mail address. */
  find(name: string): FakeUser | undefined;
  add(email: string, options?: { tenant?: string; groups?: readonly string[] }): FakeUser;
  sendCode(email: string): void;
}

const roleGroups = ['operator', 'tenant-admin', 'member', 'viewer'];

export function createPool(client: Partial<AppClient> = {}, poolId = 'us-east-1_TestPool1'): Pool {
  const users = new Map<string, FakeUser>();
  const pool: Pool = {
    id: poolId,
    client: {
      id: 'client0123456789',
      callbackUrls: [],
      logoutUrls: [],
      scopes: ['openid', 'email', 'profile'],
      readAttributes: ['email', 'email_verified', 'name', 'custom:tenant'],
      idTokenSeconds: 600,
      refreshTokenSeconds: 43_200,
      graceSeconds: 60,
      ...client,
    },
    now: Date.now,
    users,
    groups: new Map(roleGroups.map((name) => [name, { description: name }])),
    attributes: new Set(['sub', 'email', 'email_verified', 'name', 'custom:tenant']),
    outbox: [],
    codes: new Map(),
    refreshTokens: new Map(),
    revokedFamilies: new Set(),
    sessions: new Map(),
    mailedCodes: new Map(),
    find(name) {
      return (
        users.get(name) ??
        [...users.values()].find(({ attributes }) => attributes.get('email') === name.toLowerCase())
      );
    },
    add(email, { tenant, groups = [] } = {}) {
      const username = randomUUID();
      const user: FakeUser = {
        username,
        attributes: new Map([
          ['sub', username],
          ['email', email.toLowerCase()],
          ['email_verified', 'true'],
          ...(tenant === undefined ? [] : [['custom:tenant', tenant] as const]),
        ]),
        groups: new Set(groups),
        createdAt: pool.now(),
        enabled: true,
        status: 'CONFIRMED',
        signedOutAt: 0,
      };
      users.set(username, user);
      return user;
    },
    sendCode(email) {
      const code = String(randomInt(1_000_000, 100_000_000)).padStart(8, '0');
      pool.mailedCodes.set(email.toLowerCase(), code);
      pool.outbox.push({ to: email, kind: 'code', text: code });
    },
  };
  return pool;
}

export const newToken = (): string => randomBytes(32).toString('base64url');
