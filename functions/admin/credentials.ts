/** Of tenants' own keys for providers. */
import type { AdminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { type AdminFunctions, forRoles, ofParts } from './admin-function.ts';

async function credentials(runtime: AdminRuntime) {
  const [endpoints, { credentialParts }] = await Promise.all([
    import('../../lib/admin/credentials/credentials.ts'),
    import('../../lib/runtime/admin/credential-parts.ts'),
  ]);
  return { ...endpoints, parts: credentialParts(runtime) };
}

const ofCredentials = ofParts(credentials);

export const credentialFunctions = {
  'admin-credentials-list': ofCredentials((found) => found.listCredentialsEndpoint(found.parts)),
  'admin-credentials-create': ofCredentials((found) => found.createCredentialEndpoint(found.parts)),
  'admin-credentials-change': ofCredentials((found) => found.changeCredentialEndpoint(found.parts)),
  'admin-credentials-delete': ofCredentials((found) => found.deleteCredentialEndpoint(found.parts)),
  'admin-credentials-test': forRoles(async (r) =>
    (await import('../../lib/admin/credentials/test-credential.ts')).testCredentialEndpoint(
      (await credentials(r)).parts,
    ),
  ),
} satisfies AdminFunctions;
