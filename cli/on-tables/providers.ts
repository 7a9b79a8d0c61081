/** Operations on providers and the models that they serve. */
import { listModels } from '../../lib/admin/models/list.ts';
import type { ModelsListQuery } from '../../lib/admin/models/schema.ts';
import { type GivenData, storeData } from '../../lib/admin/providers/data.ts';
import { listEveryProvider } from '../../lib/admin/providers/list.ts';
import { type NamedSetting, removeSetting } from '../../lib/admin/providers/remove-setting.ts';
import type { ProviderTestAnswer } from '../../lib/admin/providers/schema.ts';
import { type GivenSetting, storeSetting } from '../../lib/admin/providers/store-setting.ts';
import type { User } from '../../lib/core/admin/user.ts';
import { type Installation, UsageError } from '../command.ts';

export const onProviders = {
  'admin-models-list': ({ catalog, tenants, now }: Installation, user: User, input: ModelsListQuery) =>
    listModels(
      { models: { list: catalog.list, aliases: async () => new Map() }, tenants, now, warn: () => {} },
      user,
      input,
    ),
  // How many models a provider serves is not shown.
  'admin-providers-list': ({ settings, hosts, providerData, now }: Installation, _: User, __: object) =>
    listEveryProvider({
      settings,
      hosts,
      providerData,
      now,
      models: { list: async () => [] },
      warn: () => {},
    }),
  'admin-providers-set': (installation: Installation, user: User, input: GivenSetting) =>
    storeSetting(installation, user, input),
  'admin-providers-remove': (installation: Installation, user: User, input: NamedSetting) =>
    removeSetting(installation, user, input),
  'admin-providers-test': async (
    _: Installation,
    __: User,
    ___: { readonly provider: string },
  ): Promise<ProviderTestAnswer> => {
    throw new UsageError('The gateway itself asks the provider: give its address with --url.');
  },
  'admin-providers-data': (installation: Installation, user: User, input: GivenData) =>
    storeData(installation, user, input),
};
