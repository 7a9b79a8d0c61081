/** `PUT /admin/v1/providers/{provider}/settings/{setting}`: stores a setting of a provider. */
import type { AdminEndpoint } from '../../core/admin/admin-endpoint.ts';
import { providersSetInput, providersSetPath } from './schema.ts';
import { type SettingParts, storeSetting } from './store-setting.ts';

export const providersSetEndpoint = (
  parts: SettingParts,
): AdminEndpoint<typeof providersSetPath, typeof providersSetInput> => ({
  parameters: providersSetPath,
  body: providersSetInput,
  answer: async ({ user, parameters, body }) => ({
    type: 'json',
    body: await storeSetting(parts, user, { ...parameters, ...body }),
  }),
});
