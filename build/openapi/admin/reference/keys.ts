/** The part of the reference of the dashboard's API that is about API keys. */
import {
  maxKeysOfOwner,
  maxKeysOfTenant,
  maxNewKeysOfOwner,
  maxNewKeysOfTenant,
} from '../../../../lib/admin/keys/number-of-keys.ts';
import * as keys from '../../../../lib/admin/keys/schema.ts';
import { tagged } from '../admin-reference.ts';

export const keysReference = tagged('Keys', {
  'admin-keys-list': {
    title: 'List keys',
    summary: 'Lists keys, newest first, with their last use. A member sees its own.',
    parameters: keys.keysListQuery,
    answer: ['KeyList', keys.keysListAnswer],
  },
  'admin-keys-create': {
    title: 'Create a key',
    summary: `Creates a key. The secret is in this answer and in no later one. For people other than operators, a tenant has at most ${maxKeysOfTenant} keys that work and makes at most ${maxNewKeysOfTenant} in 24 hours, and a user ${maxKeysOfOwner} and ${maxNewKeysOfOwner}: one more is refused with 409.`,
    body: keys.keysCreateInput,
    answer: ['CreatedKey', keys.createdKeyAnswer],
  },
  'admin-keys-retrieve': {
    title: 'Get a key',
    summary: 'Returns one key with the use of its limits.',
    parameters: keys.keyPath,
    answer: ['KeyDetails', keys.keyAnswer],
  },
  'admin-keys-change': {
    title: 'Change a key',
    summary:
      'Changes limits, permissions, name and expiry. What is absent stays as it is; null removes it. What an operator or a tenant admin has set, a member may make narrower on its own key, and neither lift nor widen.',
    parameters: keys.keyPath,
    body: keys.keysChangeInput,
    answer: ['Key', keys.keySchema],
    takesIfMatch: true,
  },
  'admin-keys-rotate': {
    title: 'Rotate a key',
    summary:
      'Creates a key with the same settings; the old one works beside it for a while. A key is rotated once: a further rotation is refused with 409 and names the key that replaced it. The numbers of keys are bounded as for a new key; with `overlap_seconds` 0 the old key is left out of them.',
    parameters: keys.keyPath,
    body: keys.keysRotateInput,
    answer: ['RotatedKey', keys.rotatedKeyAnswer],
    takesIfMatch: true,
  },
  'admin-keys-disable': {
    title: 'Disable a key',
    summary: 'Disables a key, within ten seconds, until it is enabled again.',
    parameters: keys.keyPath,
    answer: ['Key', keys.keySchema],
    takesIfMatch: true,
  },
  'admin-keys-enable': {
    title: 'Enable a key',
    summary:
      'Enables a key that was disabled, within ten seconds, with the limits and permissions that it had. A member cannot. One that has expired is refused with 400, and one that a later version of the gateway has stored with an error. The numbers of keys are bounded as for a new key.',
    parameters: keys.keyPath,
    answer: ['Key', keys.keySchema],
    takesIfMatch: true,
  },
});
