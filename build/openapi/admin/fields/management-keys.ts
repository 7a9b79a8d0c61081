/** The descriptions of the fields of management keys. */
import * as keys from '../../../../lib/admin/management-keys/schema.ts';

/** Of fields that mean something else elsewhere. */
const ofKey = (component: string): Readonly<Record<string, string>> => ({
  [`${component}.name`]: 'What the key is for.',
  [`${component}.role`]: 'What it may do, as of a user with this role; none above that of who makes it.',
  [`${component}.operations`]:
    'The operations that it may call, by their ids in this document; null: all of its role, but for those that make and revoke management keys.',
});

export const managementKeyDescriptions: Readonly<Record<string, string>> = {
  ...ofKey('ManagementKey'),
  ...ofKey('CreatedManagementKey'),
  ...ofKey('admin-management-keys-create'),
  management_key: 'The id of a management key.',
  created_by: 'Who made it.',
  'ManagementKey.tenant': 'Its tenant; null: it is for all, with the role `operator`.',
  'CreatedManagementKey.tenant': 'Its tenant; null: it is for all, with the role `operator`.',
  'CreatedManagementKey.key': 'The secret, `mgm_…`. It is in no other answer.',
  'ManagementKey.expires_at': 'When it ends, in Unix seconds.',
  'CreatedManagementKey.expires_at': 'When it ends, in Unix seconds.',
  'admin-management-keys-create.tenant': 'For all roles but `operator`; absent: your own.',
  'admin-management-keys-create.expires_at': `When it ends, in Unix seconds; at most ${keys.maxManagementKeyDays} days ahead. Absent: in ${keys.defaultManagementKeyDays} days.`,
};
