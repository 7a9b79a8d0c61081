/** What the dashboard's operations on the credentials of tenants need beside the parts of all others. */
import type { CredentialTestParts } from '../../admin/credentials/test-credential.ts';
import { readVariables, toAccess } from '../../core/provider-settings.ts';
import { createFindToken } from '../../providers/google-vertex/token.ts';
import { ownAccess } from '../../providers/own-settings.ts';
import { createCredentialEdits } from '../../stores/access/credential-edits.ts';
import { settingsIn } from '../own-keys/seal.ts';
import { sealerOf } from '../own-keys/sealer.ts';
import type { AdminRuntime } from './admin-runtime.ts';

export function credentialParts(runtime: AdminRuntime): CredentialTestParts {
  const { foundation, tenantEdits, audit, hosts } = runtime;
  const { environment, variables, now, send, table, endpointOf } = foundation;
  const sealer = sealerOf(foundation);
  return {
    tenantEdits,
    audit,
    hosts,
    now,
    credentials: createCredentialEdits(table('access')),
    seal: (what, text) => sealer.seal(what, text),
    async open(account, credential) {
      const settings = settingsIn(await sealer.open(credential, credential.sealed));
      // What answers for a provider in place of it is in variables.
      const shared = { ...toAccess(readVariables(variables, account, [])), endpointOf };
      return { ...ownAccess(account, settings, shared), findToken: createFindToken({ send, now }) };
    },
    send,
    region: environment.GATEWAY_BEDROCK_REGION ?? environment.AWS_REGION,
  };
}
