/** What the dashboard's operations on the credentials of tenants need beside the parts of all others. */
import type { CredentialTestParts } from '../../admin/credentials/test-credential.ts';
import { readVariables, toAccess } from '../../core/provider-settings.ts';
import { createCredentialStore } from '../../stores/access/credentials.ts';
import { ownCredentialsOf } from '../own-keys/own-credentials.ts';
import { sealerOf } from '../own-keys/seal.ts';
import type { AdminRuntime } from './admin-runtime.ts';

export function credentialParts(runtime: AdminRuntime): CredentialTestParts {
  const { foundation, tenantEdits, audit, hosts } = runtime;
  const { environment, variables, now, send, table, endpointOf } = foundation;
  // What answers for a provider in place of it is in variables.
  const own = ownCredentialsOf(foundation, async (provider) => ({
    ...toAccess(readVariables(variables, provider, [])),
    endpointOf,
  }));
  return {
    tenantEdits,
    audit,
    hosts,
    now,
    credentials: createCredentialStore(table('access')),
    seal: sealerOf(foundation).seal,
    open: own.access,
    send,
    region: environment.GATEWAY_BEDROCK_REGION ?? environment.AWS_REGION,
  };
}
