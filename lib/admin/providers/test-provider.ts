/** `POST /admin/v1/providers/{provider}/test`: whether a provider accepts the credentials of the gateway that are stored now. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { ProviderAccess } from '../../core/ports/provider-access.ts';
import type { Provider } from '../../providers/provider.ts';
import type { HostStore } from '../../stores/catalog/hosts.ts';
import { refusalOf } from '../reach.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { findProvider } from './provider-states.ts';
import { recordedTest, type TestParts } from './recorded-test.ts';
import { type ProviderTestAnswer, providerPath } from './schema.ts';
import { unknownProvider } from './store-setting.ts';

export interface ProviderTestParts extends TestParts {
  readonly hosts: Pick<HostStore, 'get'>;
  /** Reads the settings again each time: what was stored a moment ago is tested. */
  readonly open: (provider: Provider) => Promise<ProviderAccess>;
}

export const testProviderEndpoint = (parts: ProviderTestParts) =>
  endpointOf(parts, providerPath, nothing, testProvider);

/** Rejects with GatewayError `invalid_request` for a provider that is unknown, or has no credentials. */
async function testProvider(
  parts: ProviderTestParts,
  user: User,
  { provider: name }: { readonly provider: string },
): Promise<ProviderTestAnswer> {
  const provider = await findProvider(parts.hosts, name);
  if (!provider) throw await unknownProvider(name);
  const access = await parts.open(provider);
  if (!provider.isConfigured(access))
    throw refusalOf('provider', `Provider '${name}' has no credentials to test. Store its key first.`);
  const result = await recordedTest(parts, user, {
    action: 'providers.test',
    target: name,
    provider,
    open: async () => access,
  });
  return { object: 'provider.test', provider: name, ...result };
}
