/** The credentials of tenants for providers, as requests use them. */
import type { Credential } from '../credential.ts';
import type { ProviderAccess } from './provider-access.ts';

export interface OwnCredentials {
  /** Those that are enabled, the first ones used first. Rejects where they cannot be read: nothing is called in their place. */
  list(tenant: string, account: string): Promise<readonly Credential[]>;
  /** What a call with it needs. Rejects with GatewayError `upstream_failed` where it cannot be opened. */
  access(provider: string, credential: Credential): Promise<ProviderAccess>;
  /** The provider refused it: its next use decrypts it again. Never rejects, and takes at most half a second. */
  refused(credential: Credential, reason: string): Promise<void>;
}
