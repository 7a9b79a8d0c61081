/** `management-keys create`, `list` and `revoke`: keys with which programs call the admin API. */
import {
  defaultManagementKeyDays,
  type ManagementKeyRow,
  type ManagementKeysCreateInput,
  maxManagementKeyDays,
  maxManagementKeyPage,
} from '../lib/admin/management-keys/schema.ts';
import { asUsageError, byOption, callAdmin, listAll, withAdmin } from './call-admin.ts';
import type { Command } from './command.ts';
import { readExpiry } from './keys.ts';
import { jsonOption, showDay, timeOf, writeListing } from './listing.ts';
import { readRole, roleNames, roleWord } from './members.ts';
import { readList } from './tenants/limit-options.ts';

const create: Command = {
  name: 'management-keys create',
  summary: 'Create a key with which a program calls the admin API',
  description:
    'The key is the last line of the output. Only its hash is stored, so it cannot be shown again. With --json it is the field "key". A program sends it as `Authorization: Bearer`, and this command reads it from GATEWAY_ADMIN_TOKEN.',
  options: {
    name: { value: '<text>', description: 'What the key is for', required: true },
    role: { value: roleNames.join('|'), description: 'What it may do', required: true },
    tenant: { value: '<name>', description: 'Its tenant; for all roles but operator' },
    operations: {
      value: '<list>',
      description:
        'The operations that it may call, such as admin-keys-list (default: all of the role, but for management keys)',
    },
    expires: {
      value: '<date>',
      description: `When it stops working, at most ${maxManagementKeyDays} days ahead (default: in ${defaultManagementKeyDays} days)`,
    },
    ...byOption,
    ...jsonOption,
  },
  examples: [
    'management-keys create --name terraform --role operator --expires 2027-06-30',
    'management-keys create --name ci --role tenant-admin --tenant acme --operations admin-keys-create,admin-keys-list',
  ],
  async run({ options, terminal, format, ...context }) {
    const { name = '', tenant, operations, expires } = options;
    // What is typed is checked by the schema of the API.
    const named = operations && (readList(operations) as ManagementKeysCreateInput['operations']);
    const input = {
      name,
      role: readRole(options.role),
      ...(tenant !== undefined && { tenant }),
      ...(named && { operations: named }),
      ...(expires !== undefined && { expires_at: readExpiry(expires) }),
    };
    const asked = { ...context, options, typedAs: { expires_at: '--expires' } };
    const made = await callAdmin(asked, 'admin-management-keys-create', input).catch(asUsageError);
    if (format === 'json') return terminal.write(JSON.stringify({ key: made.key, ...shown(made) }, null, 2));
    terminal.write(`Created management key ${made.id}. Copy it now: it is not shown again.`);
    terminal.write(made.key);
  },
};

const columns = ['id', 'name', 'role', 'tenant', 'status', ['expires_at', showDay], 'created_by'] as const;

const list: Command = {
  name: 'management-keys list',
  summary: 'List the keys with which programs call the admin API',
  options: { tenant: { value: '<name>', description: 'Only those of this tenant' }, ...jsonOption },
  examples: ['management-keys list', 'management-keys list --tenant acme --json'],
  async run({ options: { tenant }, terminal, format, ...context }) {
    const query = { limit: maxManagementKeyPage, ...(tenant !== undefined && { tenant }) };
    const rows = await withAdmin(context, (call) =>
      listAll((page) => call('admin-management-keys-list', { ...query, ...page })),
    );
    if (rows.length === 0)
      terminal.writeError(
        'No management keys found. Create one with: management-keys create --name <text> --role operator',
      );
    writeListing({ terminal, format }, rows.map(shown), columns);
  },
};

const revoke: Command = {
  name: 'management-keys revoke',
  summary: 'Revoke a management key at once, and for good',
  arguments: ['id'],
  options: { ...byOption },
  examples: ['management-keys revoke mkey_0123456789ab'],
  async run({ arguments: [id = ''], options, terminal, ...context }) {
    await callAdmin({ ...context, options }, 'admin-management-keys-revoke', { management_key: id });
    terminal.write(`Revoked management key ${id}.`);
  },
};

/** Everything but its secret. */
const shown = ({ id, name, role, tenant, status, operations, ...row }: ManagementKeyRow) => ({
  id,
  name,
  role: roleWord(role),
  tenant,
  status,
  operations,
  created_at: timeOf(row.created_at),
  created_by: row.created_by.name,
  expires_at: timeOf(row.expires_at),
});

export const managementKeyCommands: readonly Command[] = [create, list, revoke];
