/** The part of the reference of the dashboard's API that is about credentials of tenants' own. */
import * as credentials from '../../../../lib/admin/credentials/schema.ts';
import { tenantPath } from '../../../../lib/admin/tenants/schema.ts';
import { tagged } from '../admin-reference.ts';

export const credentialsReference = tagged('Own keys', {
  'admin-credentials-list': {
    title: 'List own keys',
    summary: 'Lists the keys of a tenant for providers, in the order of their use. A secret is never shown.',
    parameters: tenantPath,
    answer: ['CredentialList', credentials.credentialsListAnswer],
  },
  'admin-credentials-create': {
    title: 'Add an own key',
    summary:
      'Stores a key of the tenant for a provider, encrypted, as the last one for it. It is used within ten seconds.',
    parameters: tenantPath,
    body: credentials.credentialsCreateInput,
    answer: ['Credential', credentials.credentialSchema],
  },
  'admin-credentials-change': {
    title: 'Change an own key',
    summary:
      'Changes what a key is for, moves it, or disables it. To replace a secret, add a key, move it up, and delete the other one.',
    parameters: credentials.credentialPath,
    body: credentials.credentialsChangeInput,
    answer: ['Credential', credentials.credentialSchema],
  },
  'admin-credentials-delete': {
    title: 'Delete an own key',
    summary: 'Removes a key. It is not used any more ten seconds later.',
    parameters: credentials.credentialPath,
    answer: ['DeletedCredential', credentials.credentialsDeleteAnswer],
  },
  'admin-credentials-test': {
    title: 'Test an own key',
    summary: 'Asks the provider whether it accepts the key, with a call that is free of charge.',
    parameters: credentials.credentialPath,
    answer: ['CredentialTest', credentials.credentialTestAnswer],
  },
});
