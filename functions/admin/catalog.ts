/** Of what an operator writes into the catalog. */
import { type AdminFunctions, forRoles } from './admin-function.ts';

const catalog = {
  hosts: () => import('../../lib/admin/catalog/hosts.ts'),
  models: () => import('../../lib/admin/catalog/models.ts'),
  aliases: () => import('../../lib/admin/catalog/aliases.ts'),
};

export const catalogFunctions = {
  'admin-hosts-list': forRoles(async (r) => (await catalog.hosts()).listHostsEndpoint(r)),
  'admin-hosts-put': forRoles(async (r) => (await catalog.hosts()).putHostEndpoint(r)),
  'admin-hosts-delete': forRoles(async (r) => (await catalog.hosts()).deleteHostEndpoint(r)),
  'admin-models-retrieve': forRoles(async (r) => (await catalog.models()).retrieveModelEndpoint(r)),
  'admin-models-put': forRoles(async (r) => (await catalog.models()).putModelEndpoint(r)),
  'admin-models-delete': forRoles(async (r) => (await catalog.models()).deleteModelEndpoint(r)),
  'admin-aliases-list': forRoles(async (r) => (await catalog.aliases()).listAliasesEndpoint(r)),
  'admin-aliases-put': forRoles(async (r) => (await catalog.aliases()).putAliasEndpoint(r)),
  'admin-aliases-delete': forRoles(async (r) => (await catalog.aliases()).deleteAliasEndpoint(r)),
} satisfies AdminFunctions;
