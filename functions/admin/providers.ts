/** Of providers and the models that they serve. */
import type { AdminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { type AdminFunctions, forRoles } from './admin-function.ts';

async function providers(runtime: AdminRuntime) {
  const [{ modelParts, providerDataOf }, { createProviderSettings }] = await Promise.all([
    import('../../lib/runtime/admin/admin-services.ts'),
    import('../../lib/runtime/provider-settings/provider-settings.ts'),
  ]);
  return {
    ...modelParts(runtime),
    hosts: runtime.hosts,
    providerData: providerDataOf(runtime),
    settings: createProviderSettings(runtime.foundation),
  };
}

export const providerFunctions = {
  'admin-models-list': forRoles(async (r) => {
    const { modelParts } = await import('../../lib/runtime/admin/admin-services.ts');
    return (await import('../../lib/admin/models/list.ts')).modelsListEndpoint(modelParts(r));
  }),
  'admin-providers-list': forRoles(async (r) =>
    (await import('../../lib/admin/providers/list.ts')).providersListEndpoint(await providers(r)),
  ),
  'admin-providers-set': forRoles(async (r) => {
    const { settings } = await providers(r);
    return (await import('../../lib/admin/providers/store-setting.ts')).providersSetEndpoint({
      ...r,
      settings,
    });
  }),
  'admin-providers-remove': forRoles(async (r) => {
    const { settings } = await providers(r);
    return (await import('../../lib/admin/providers/remove-setting.ts')).providersRemoveEndpoint({
      ...r,
      settings,
    });
  }),
  'admin-providers-test': forRoles(async (r) => {
    const [{ testProviderEndpoint }, { providerTestParts }] = await Promise.all([
      import('../../lib/admin/providers/test-provider.ts'),
      import('../../lib/runtime/admin/provider-test-parts.ts'),
    ]);
    return testProviderEndpoint(providerTestParts(r));
  }),
  'admin-providers-data': forRoles(async (r) =>
    (await import('../../lib/admin/providers/data.ts')).providersDataEndpoint({
      ...r,
      providerData: (await providers(r)).providerData,
    }),
  ),
} satisfies AdminFunctions;
