/** `POST /admin/v1/tenants/{tenant}/credentials/{credential}/test`: whether its provider accepts it now. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { Credential } from '../../core/credential.ts';
import type { Send } from '../../core/ports/http.ts';
import type { ProviderAccess } from '../../core/ports/provider-access.ts';
import { testCredential as callProvider } from '../../providers/test-call.ts';
import { recordChange } from '../audit/record-change.ts';
import { findProvider } from '../providers/provider-states.ts';
import { endpointOf } from '../subject-endpoint.ts';
import {
  type CredentialParts,
  credentialNotFound,
  findCredential,
  type OfCredential,
} from './credentials.ts';
import { type CredentialTestAnswer, credentialPath } from './schema.ts';

export interface CredentialTestParts extends CredentialParts {
  readonly open: (provider: string, credential: Credential) => Promise<ProviderAccess>;
  readonly send: Send;
  /** Of the gateway. */
  readonly region: string;
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
  const began = parts.now();
  const access = await parts.open(provider.name, stored);
  const tested = await callProvider(provider, access, parts);
  const { status, failure } = tested;
  await recordChange(parts, user, 'credentials.test', {
    tenant: of.tenant,
    target: stored.id,
    after: { credential_test: { provider: stored.account, status, failure } },
  });
  const duration_ms = Math.round(parts.now() - began);
  return { object: 'credential_test', id: stored.id, ...tested, duration_ms };
}
