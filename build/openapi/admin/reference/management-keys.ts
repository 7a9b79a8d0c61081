/** The reference of the operations on management keys. */
import * as keys from '../../../../lib/admin/management-keys/schema.ts';
import { tagged } from '../admin-reference.ts';

export const managementKeysReference = tagged('Management keys', {
  'admin-management-keys-list': {
    title: 'List management keys',
    summary:
      'Lists the keys with which programs call this API, newest first; those that have expired for a day or two.',
    parameters: keys.managementKeysListQuery,
    answer: ['ManagementKeyList', keys.managementKeysListAnswer],
  },
  'admin-management-keys-create': {
    title: 'Create a management key',
    summary: `Makes a key with which a program calls this API, and returns its secret, once. None may do more than who makes it. A tenant, and all operators together, have at most ${keys.maxManagementKeys}. A management key may call this only if its \`operations\` name it.`,
    body: keys.managementKeysCreateInput,
    answer: ['CreatedManagementKey', keys.createdManagementKeyAnswer],
  },
  'admin-management-keys-retrieve': {
    title: 'Get a management key',
    summary: 'Returns one key, without its secret.',
    parameters: keys.managementKeyPath,
    answer: ['ManagementKey', keys.managementKeySchema],
  },
  'admin-management-keys-revoke': {
    title: 'Revoke a management key',
    summary:
      'Ends a key at once, and for good. A management key may call this only if its `operations` name it.',
    parameters: keys.managementKeyPath,
    answer: ['RevokedManagementKey', keys.managementKeyRevokedAnswer],
  },
});
