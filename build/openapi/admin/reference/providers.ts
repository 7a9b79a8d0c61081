/** The part of the reference of the dashboard's API that is about providers and their settings. */
import * as providers from '../../../../lib/admin/providers/schema.ts';
import { tagged } from '../admin-reference.ts';

export const providersReference = tagged('Providers', {
  'admin-providers-list': {
    title: 'List providers',
    summary:
      'Lists the providers: whether each is configured, where that was read, and how to get a key. Values are never shown.',
    parameters: providers.providersListQuery,
    answer: ['ProviderList', providers.providersListAnswer],
  },
  'admin-providers-set': {
    title: 'Store a setting of a provider',
    summary:
      'Stores a key or another setting, encrypted in the parameter store, or in the file of a local gateway. It cannot be read back.',
    parameters: providers.providersSetPath,
    body: providers.providersSetInput,
    answer: ['StoredSetting', providers.providersSetAnswer],
  },
  'admin-providers-remove': {
    title: 'Remove a setting of a provider',
    summary:
      'Removes a key or another setting that is stored. It stays valid at the provider, and what the environment of the gateway sets is not removed.',
    parameters: providers.providersSetPath,
    answer: ['RemovedSetting', providers.providersRemoveAnswer],
  },
  'admin-providers-test': {
    title: 'Test a provider',
    summary:
      'Asks the provider whether it accepts the credentials that are stored now, with a call that is free of charge.',
    parameters: providers.providerPath,
    answer: ['ProviderTest', providers.providerTestAnswer],
  },
  'admin-providers-data': {
    title: 'Say what a provider keeps',
    summary:
      "Replaces what your contract with a provider says of the content that it is sent: how long it is kept, and whether it trains on it. Without a member, the provider's own document holds.",
    parameters: providers.providerPath,
    body: providers.providersDataInput,
    answer: ['ProviderData', providers.providersDataAnswer],
  },
});
