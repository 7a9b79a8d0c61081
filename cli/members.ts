/** `members invite`, `members list` and `members remove`: the people who may sign in at the dashboard. */
import { type MemberRow, maxMembersPage } from '../lib/admin/members/schema.ts';
import { type Role, roles } from '../lib/core/admin/user.ts';
import { asUsageError, byOption, callAdmin, listAll, withAdmin } from './call-admin.ts';
import { type Command, UsageError } from './command.ts';
import { jsonOption, showDay, timeOf, writeListing, writeOne } from './listing.ts';

const columns = ['email', 'role', 'tenant', 'status', ['created_at', showDay], 'id'] as const;

/** A role as it is typed. */
export const roleWord = (role: Role): string => role.replace('_', '-');

export const roleNames = roles.map(roleWord);

/** Throws UsageError. */
export function readRole(typed = ''): Role {
  const role = roles[roleNames.indexOf(typed)];
  if (role === undefined) throw new UsageError(`--role must be one of ${roleNames.join(', ')}.`);
  return role;
}

const membersInvite: Command = {
  name: 'members invite',
  summary: 'Invite a user to the dashboard by email',
  description:
    'Operators may do everything and have no tenant; tenant-admins, members and viewers belong to one. A user who has signed in over your own identity provider gets the role without a mail.',
  arguments: ['email'],
  options: {
    role: { value: roleNames.join('|'), description: 'What the user may do', required: true },
    tenant: { value: '<name>', description: 'The tenant of the user; for all but operators' },
    ...byOption,
    ...jsonOption,
  },
  examples: [
    'members invite ada@example.com --role operator',
    'members invite bob@acme.example --role tenant-admin --tenant acme',
  ],
  async run({ arguments: [email = ''], options, terminal, format, ...context }) {
    const { tenant } = options;
    const input = { email, role: readRole(options.role), ...(tenant !== undefined && { tenant }) };
    const asked = { ...context, options, typedAs: { email: 'The email' } };
    const row = await callAdmin(asked, 'admin-members-invite', input).catch(asUsageError);
    writeOne({ terminal, format }, shown(row));
  },
};

const membersList: Command = {
  name: 'members list',
  summary: 'List the people who may sign in at the dashboard',
  options: { tenant: { value: '<name>', description: 'Only people of this tenant' }, ...jsonOption },
  examples: ['members list', 'members list --tenant acme --json'],
  async run({ options, terminal, format, ...context }) {
    const { tenant } = options;
    const query = { limit: maxMembersPage, ...(tenant !== undefined && { tenant }) };
    const rows = await withAdmin(context, (call) =>
      listAll((page) => call('admin-members-list', { ...query, ...page })),
    );
    if (rows.length === 0)
      terminal.writeError('No members found. Invite one with: members invite <email> --role operator');
    writeListing({ terminal, format }, rows.map(shown), columns);
  },
};

const membersRemove: Command = {
  name: 'members remove',
  summary: 'Remove a user from the dashboard',
  description:
    'The user cannot sign in any more, and its sessions end. A token that it holds counts for at most ten minutes more. The keys that it made stay: list them with keys list, and disable them with keys disable.',
  arguments: ['member'],
  options: { ...byOption },
  examples: ['members remove bob@acme.example'],
  async run({ arguments: [member = ''], options, terminal, ...context }) {
    await callAdmin({ ...context, options }, 'admin-members-remove', { member }).catch(asUsageError);
    terminal.write(`Removed ${member}.`);
  },
};

const shown = ({ object: _, role, created_at: createdAt, ...row }: MemberRow) => ({
  ...row,
  role: role && roleWord(role),
  created_at: timeOf(createdAt),
});

export const memberCommands: readonly Command[] = [membersInvite, membersList, membersRemove];
