/** Members of the dashboard in the admin API. */
import * as z from 'zod/mini';
import { roles } from '../../core/admin/user.ts';
import { cursor, deletedOf, listOf, pageLimit } from '../list-schema.ts';
import { tenantName } from '../tenancy-schema.ts';

/** Members of one page: each takes a call of the user pool. */
export const maxMembersPage = 50;
export const defaultMembersPage = 20;
/** Characters of an email address: the most that a user pool takes as the name of a user. */
const maxEmail = 128;
/** Characters of the id or the email address of a member. */
const maxMemberName = maxEmail;

export const membersListQuery = z.strictObject({
  limit: pageLimit(maxMembersPage),
  after: cursor(),
  /** Only members of this tenant. Those who are no operators see their own. */
  tenant: z.optional(tenantName()),
});

const emailProblem = `must be an email address of at most ${maxEmail} characters`;

export const membersInviteInput = z.strictObject({
  email: z
    .string(emailProblem)
    .check(z.maxLength(maxEmail, emailProblem), z.regex(/^[^@\s"\\]+@[^@\s"\\]+\.[^@\s"\\]+$/, emailProblem)),
  role: z.enum(roles),
  /** For all but operators. */
  tenant: z.optional(tenantName()),
});

/** By the id, or by the email address. */
export const memberPath = z.strictObject({ member: z.string().check(z.maxLength(maxMemberName)) });

export const memberSchema = z.object({
  object: z.literal('member'),
  id: z.string(),
  email: z.string(),
  /** Null: the user can sign in, but may do nothing. */
  role: z.nullable(z.enum(roles)),
  /** Null: an operator. */
  tenant: z.nullable(z.string()),
  status: z.enum(['active', 'disabled']),
  /** Unix seconds. */
  created_at: z.int(),
});

export const membersListAnswer = listOf(memberSchema);

export const memberRemovedAnswer = deletedOf('member');

export type MembersListQuery = z.infer<typeof membersListQuery>;
export type MembersInviteInput = z.infer<typeof membersInviteInput>;
export type MemberRow = z.infer<typeof memberSchema>;
export type MembersListAnswer = z.infer<typeof membersListAnswer>;
export type MemberRemovedAnswer = z.infer<typeof memberRemovedAnswer>;
