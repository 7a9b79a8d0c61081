/** A gateway of which some providers are one server of the test. */
import { startUpstream, type Upstream } from '../upstream.ts';
import { lazily, use } from '../use.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';

export interface UpstreamGateway {
  readonly gateway: TestGateway;
  readonly upstream: Upstream;
  close(): Promise<void>;
}

/** `providers`: as in the names of their variables, for example `DEEPSEEK`. */
export async function startUpstreamGateway(
  providers: string | readonly string[],
  environment: Record<string, string> = {},
): Promise<UpstreamGateway> {
  const upstream = await startUpstream();
  const variables = [providers].flat().flatMap((provider) => [
    [`${provider}_UPSTREAM_URL`, upstream.url],
    [`${provider}_API_KEY`, 'a-provider-key'],
  ]);
  const gateway = await startTestGateway({ ...Object.fromEntries(variables), ...environment });
  return {
    gateway,
    upstream,
    async close() {
      await gateway.close();
      await upstream.close();
    },
  };
}

/** Starts it for the tests of a file. */
export function useUpstreamGateway(
  ...options: Parameters<typeof startUpstreamGateway>
): Pick<UpstreamGateway, 'gateway' | 'upstream'> {
  const started = use(() => startUpstreamGateway(...options));
  return { gateway: lazily(() => started.gateway), upstream: lazily(() => started.upstream) };
}
