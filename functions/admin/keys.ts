/** Of API keys and management keys. */
import { type AdminFunctions, forRoles } from './admin-function.ts';

const keys = {
  read: () => import('../../lib/admin/keys/read-key.ts'),
  write: () => import('../../lib/admin/keys/write-key.ts'),
};
const managementKeys = () => import('../../lib/admin/management-keys/management-keys.ts');

export const keyFunctions = {
  'admin-keys-list': forRoles(async (r) => (await keys.read()).listEndpoint(r)),
  'admin-keys-retrieve': forRoles(async (r) => (await keys.read()).retrieveEndpoint(r)),
  'admin-keys-create': forRoles(async (r) => (await keys.write()).createEndpoint(r)),
  'admin-keys-change': forRoles(async (r) => (await keys.write()).changeEndpoint(r)),
  'admin-keys-rotate': forRoles(async (r) => (await keys.write()).rotateEndpoint(r)),
  'admin-keys-disable': forRoles(async (r) => (await keys.write()).disableEndpoint(r)),
  'admin-keys-enable': forRoles(async (r) => (await keys.write()).enableEndpoint(r)),
  'admin-management-keys-list': forRoles(async (r) => (await managementKeys()).listEndpoint(r)),
  'admin-management-keys-create': forRoles(async (r) => (await managementKeys()).createEndpoint(r)),
  'admin-management-keys-retrieve': forRoles(async (r) => (await managementKeys()).retrieveEndpoint(r)),
  'admin-management-keys-revoke': forRoles(async (r) => (await managementKeys()).revokeEndpoint(r)),
} satisfies AdminFunctions;
