/** `POST /admin/v1/tenants/{tenant}/credentials/{credential}/test`: whether its provider accepts it now. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { Credential } from '../../core/credential.ts';
import type { ProviderAccess } from '../../core/ports/provider-access.ts';
import { findProvider } from '../providers/provider-states.ts';
import { recordedTest, type TestParts } from '../providers/recorded-test.ts';
import { endpointOf } from '../subject-endpoint.ts';
import {
  type CredentialParts,
  credentialNotFound,
  findCredential,
  type OfCredential,
} from './credentials.ts';
import { type CredentialTestAnswer, credentialPath } from './schema.ts';

export interface CredentialTestParts extends CredentialParts, TestParts {
  readonly open: (provider: string, credential: Credential) => Promise<ProviderAccess>;
}

export const testCredentialEndpoint = (parts: CredentialTestParts) =>
  endpointOf(parts, credentialPath, nothing, testCredential);

/** What it came to is in the audit log, too. */
export async function testCredential(
  parts: CredentialTestParts,
  user: User,
  of: OfCredential,
): Promise<CredentialTestAnswer> {
  const { stored } = await findCredential(parts, user, of);
  const provider = await findProvider(parts.hosts, stored.account);
  if (!provider) throw credentialNotFound(of.credential);
  const result = await recordedTest(parts, user, {
    action: 'credentials.test',
    tenant: of.tenant,
    target: stored.id,
    provider,
    open: () => parts.open(provider.name, stored),
  });
  return { object: 'credential_test', id: stored.id, ...result };
}
