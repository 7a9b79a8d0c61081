/** Who uses the dashboard: a person with a role, by one of three ways in. API keys and their callers are in `ports/api-keys.ts`. */

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

/** How a person signs in: at an OpenID Connect issuer, by a one-time address of this machine, or with an API key. */
export const waysIn = ['oidc', 'address', 'key'] as const;
export type WayIn = (typeof waysIn)[number];

/** How a person acts: signed in, or by a command that works on the database itself. */
export const waysToAct = [...waysIn, 'command'] as const;
type WayToAct = (typeof waysToAct)[number];

export interface Person {
  /** The issuer's id of the person, or that of the API key. */
  readonly id: string;
  /** For other people to read; it decides nothing. */
  readonly name: string;
  readonly role: Role;
  /** Absent only for operators. */
  readonly tenant?: string;
  readonly via: WayToAct;
  /** The API key of a person who came by it. */
  readonly keyId?: string;
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
export type FindPerson = (shown: Shown) => Promise<Person | undefined>;
