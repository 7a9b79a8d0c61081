/** A gateway with a hostile provider, in a process of its own, whose memory can be measured. */
import { startGatewayProcess } from '../harness/gateways/gateway-process.ts';
import { use } from '../harness/use.ts';
import { startHostileUpstream } from './hostile-upstream.ts';

/** A hostile provider and a gateway that asks it, for the tests of a file. `provider`: as in the names of its variables. */
export function useAttackedGateway(provider: string, more: Record<string, string> = {}) {
  const upstream = use(startHostileUpstream);
  const gateway = use(
    () => {
      const key = { [`${provider}_API_KEY`]: 'a-provider-key' };
      const environment = { [`${provider}_UPSTREAM_URL`]: upstream.url, ...key, ...more };
      return startGatewayProcess({ environment });
    },
    ({ stop }) => stop(),
  );
  return { upstream, gateway };
}
