/** The people who may sign in at the dashboard, where the gateway manages them itself. */
import type { Role } from '../admin/user.ts';

export interface Member {
  /** The `sub` of the user's tokens. */
  readonly id: string;
  readonly email: string;
  /** Absent: the user can sign in, but may do nothing. */
  readonly role?: Role;
  /** Absent for operators. */
  readonly tenant?: string;
  readonly isDisabled: boolean;
  /** Unix seconds. */
  readonly createdAt: number;
}

export interface Invitation {
  readonly email: string;
  readonly role: Role;
  /** Absent for operators. */
  readonly tenant?: string | undefined;
  /** Whether a user who came over another provider and has no role yet is taken in, instead of being refused. */
  readonly mayAdopt: boolean;
}

export interface MembersQuestion {
  /** Absent: of all tenants, and the operators. */
  readonly tenant?: string | undefined;
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

export interface MembersPage {
  readonly members: readonly Member[];
  /** Absent: there are no more. */
  readonly next?: string;
}

/** All methods reject with GatewayError: `invalid_request` for what is not accepted, `internal` if the directory does not answer. */
export interface Members {
  list(question: MembersQuestion): Promise<MembersPage>;
  /** By the id, or by the email address. */
  find(name: string): Promise<Member | undefined>;
  /** Rejects with GatewayError `conflict` if the address is a member's already. */
  invite(invitation: Invitation): Promise<Member>;
  /** Ends all sessions of a user and removes it. ID tokens that it has count until they expire. False: there is no such user. */
  remove(id: string): Promise<boolean>;
}
