/** The reference of the operations on management keys. */
import * as keys from '../../../lib/admin/management-keys/schema.ts';
import type { AdminReference } from './admin-reference.ts';

const tag = 'Management keys';

export const managementKeysReference: Readonly<Record<string, AdminReference>> = {
  'admin-management-keys-list': {
    tag,
    title: 'List management keys',
    summary:
      'Lists the keys with which programs call this API, newest first; those that have expired for a day or two.',
    parameters: keys.managementKeysListQuery,
    answer: ['ManagementKeyList', keys.managementKeysListAnswer],
  },
  'admin-management-keys-create': {
    tag,
    title: 'Create a management key',
    summary: `Makes a key with which a program calls this API, and returns its secret, once. None may do more than who makes it. A tenant, and all operators together, have at most ${keys.maxManagementKeys}. A management key may call this only if its \`operations\` name it.`,
    body: keys.managementKeysCreateInput,
    answer: ['CreatedManagementKey', keys.createdManagementKeyAnswer],
  },
  'admin-management-keys-retrieve': {
    tag,
    title: 'Get a management key',
    summary: 'Returns one key, without its secret.',
    parameters: keys.managementKeyPath,
    answer: ['ManagementKey', keys.managementKeySchema],
  },
  'admin-management-keys-revoke': {
    tag,
    title: 'Revoke a management key',
    summary:
      'Ends a key at once, and for good. A management key may call this only if its `operations` name it.',
    parameters: keys.managementKeyPath,
    answer: ['RevokedManagementKey', keys.managementKeyRevokedAnswer],
  },
};

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
