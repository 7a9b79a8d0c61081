/** What the test of a provider needs: the accounts of the gateway, as they are stored at the time of the test. */
import type { ProviderTestParts } from '../../admin/providers/test-provider.ts';
import { accountsOf } from '../accounts.ts';
import type { AdminRuntime } from './admin-runtime.ts';

export function providerTestParts({ foundation, hosts, audit }: AdminRuntime): ProviderTestParts {
  const { now, send, environment } = foundation;
  return {
    hosts,
    audit,
    now,
    send,
    region: environment.GATEWAY_BEDROCK_REGION ?? environment.AWS_REGION,
    async open(provider) {
      const known = async () => provider;
      const providers = { load: known, loadBuiltIn: known, get: () => provider };
      return await accountsOf(foundation, providers)(provider.name);
    },
  };
}
