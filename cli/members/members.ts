/** `members invite`, `members list` and `members remove`: the people who may sign in at the dashboard. */
import { inviteMember } from '../../lib/admin/members/invite.ts';
import { listMembers } from '../../lib/admin/members/list.ts';
import { removeMember } from '../../lib/admin/members/remove.ts';
import {
  type MemberRow,
  type MembersInviteInput,
  type MembersListQuery,
  maxMembersPage,
  membersInviteInput,
} from '../../lib/admin/members/schema.ts';
import { roles } from '../../lib/core/admin/user.ts';
import { byOption } from '../by-option.ts';
import { callAdmin, operation } from '../call-admin.ts';
import { type Command, type Installation, UsageError, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import { showDay, timeOf, writeOne } from '../output/show.ts';
import { asUsageError, listAll } from '../subjects.ts';

const columns = [
  { name: 'email' },
  { name: 'role' },
  { name: 'tenant' },
  { name: 'status' },
  { name: 'created_at', show: showDay },
  { name: 'id' },
];

const invite = operation(
  'admin-members-invite',
  async (installation, input: MembersInviteInput, user) =>
    await inviteMember(await partsOf(installation), user, input),
);

const list = operation(
  'admin-members-list',
  async (installation, input: MembersListQuery, user) =>
    await listMembers({ members: await installation.members() }, user, input),
);

const remove = operation(
  'admin-members-remove',
  async (installation, { member }: { readonly member: string }, user) =>
    await removeMember(await partsOf(installation), user, member),
);

/** Roles as they are typed. */
const roleNames = roles.map((role) => role.replace('_', '-'));

export const membersInvite: Command = {
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
  async run({ arguments: [email = ''], options, flags, terminal, ...context }) {
    const { role = '', tenant } = options;
    const given = { email, role: role.replace('-', '_'), ...(tenant !== undefined && { tenant }) };
    const { success, data, error } = membersInviteInput.safeParse(given);
    if (!success) throw new UsageError(problemOf(error.issues[0]));
    const row = await withInstallation(context, (installation) =>
      callAdmin(installation, invite, data, options).catch(asUsageError),
    );
    writeOne({ terminal, options, flags }, shown(row));
  },
};

function problemOf(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  const field = String(issue?.path[0] ?? 'email');
  return field === 'role'
    ? `--role must be one of ${roleNames.join(', ')}.`
    : `The ${field} ${issue?.message ?? 'is invalid'}.`;
}

export const membersList: Command = {
  name: 'members list',
  summary: 'List the people who may sign in at the dashboard',
  arguments: [],
  options: { tenant: { value: '<name>', description: 'Only people of this tenant' }, ...jsonOption },
  examples: ['members list', 'members list --tenant acme --json'],
  async run({ options, flags, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const rows = await withInstallation(context, (installation) => membersOf(installation, options.tenant));
    if (rows.length === 0)
      terminal.writeError('No members found. Invite one with: members invite <email> --role operator');
    writeListing(terminal, { columns, rows: rows.map(shown) }, format);
  },
};

const membersOf = (installation: Installation, tenant: string | undefined) =>
  listAll((after) =>
    callAdmin(installation, list, {
      limit: maxMembersPage,
      ...(tenant !== undefined && { tenant }),
      ...(after !== undefined && { after }),
    }),
  );

export const membersRemove: Command = {
  name: 'members remove',
  summary: 'Remove a user from the dashboard',
  description:
    'The user cannot sign in any more, and its sessions end. A token that it holds counts for at most ten minutes more. The keys that it made stay: list them with keys list, and disable them with keys disable.',
  arguments: ['member'],
  options: { ...byOption },
  examples: ['members remove bob@acme.example'],
  async run({ arguments: [name = ''], options, terminal, ...context }) {
    await withInstallation(context, (installation) =>
      callAdmin(installation, remove, { member: name }, options).catch(asUsageError),
    );
    terminal.write(`Removed ${name}.`);
  },
};

const partsOf = async ({ members, tenants, audit, now }: Installation) => ({
  members: await members(),
  tenants,
  audit,
  now,
});

const shown = ({ object: _, role, created_at: createdAt, ...row }: MemberRow) => ({
  ...row,
  role: role?.replace('_', '-') ?? null,
  created_at: timeOf(createdAt),
});
