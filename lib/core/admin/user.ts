/** Who uses the dashboard: a user with a role, by one of three sign-in methods. API keys and their callers are in `ports/api-keys.ts`. */

/**
 * From the one that may do everything: an operator of the gateway; of one tenant, who manages its keys and members; who has keys of
 * their own; and who may only look.
 */
export const roles = ['operator', 'tenant_admin', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** What each role is called among the groups of an issuer. */
export const groupsOfRoles: Readonly<Record<Role, string>> = {
  operator: 'operator',
  tenant_admin: 'tenant-admin',
  member: 'member',
  viewer: 'viewer',
};

/** How a user signs in: at an OpenID Connect issuer, by a one-time address of this machine, or with an API key. */
export const signInMethods = ['oidc', 'address', 'key'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** How a user acts: signed in, by a management key, or by a command that works on the database itself. */
export const actingMethods = [...signInMethods, 'management_key', 'command'] as const;
type ActingMethod = (typeof actingMethods)[number];

export interface User {
  /** The issuer's id of the user, or that of the API key or management key. */
  readonly id: string;
  /** For other people to read; it decides nothing. */
  readonly name: string;
  readonly role: Role;
  /** Absent only for operators. */
  readonly tenant?: string;
  readonly via: ActingMethod;
  /** The API key of a user who came by it. */
  readonly keyId?: string;
  /** What the management key of a program may do. */
  readonly managementKey?: ManagementGrant;
}

/** What a management key may do of all that its role may. */
export interface ManagementGrant {
  /** Names of operations; absent: all of the role, but for those that a key must name. */
  readonly operations?: readonly string[];
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** What a request shows of who sends it. */
export interface Shown {
  /** Of the header `Authorization`. */
  readonly bearer?: string;
  /** The session's token in a cookie. */
  readonly cookie?: string;
  /** Whether the request comes from this machine, as far as can be known. */
  readonly isLocal: boolean;
  /** Whether it came over TLS. */
  readonly isSecure: boolean;
}

/** Undefined for one who is not signed in. */
export type FindUser = (shown: Shown) => Promise<User | undefined>;
