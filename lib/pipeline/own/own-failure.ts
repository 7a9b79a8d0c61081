/** What a failure means where a tenant's own credential was used: it is the tenant who can act on it. */
import type { Credential } from '../../core/credential.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Connections } from '../use/account.ts';

/** A refused credential is another error, and noted. What its account has no quota for stays what it is, in the tenant's words. */
export async function ownFailure(
  { loadOwn }: Pick<Connections, 'loadOwn'>,
  credential: Credential,
  error: GatewayError,
): Promise<GatewayError> {
  const { id, account } = credential;
  if (error.kind === 'upstream_credentials') {
    const { upstreamStatus, upstreamCode, cause } = error;
    await (await loadOwn?.())?.refused(credential, upstreamCode ?? `${upstreamStatus ?? 'refused'}`);
    const message = `The provider refused your own key '${id}' for ${account}. Check it at the provider, or replace it.`;
    return new GatewayError('own_provider_key', message, { upstreamStatus, upstreamCode, cause });
  }
  return error.with({ message: error.message.replace("The gateway's quota", 'The quota of your own key') });
}
