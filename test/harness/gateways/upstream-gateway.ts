/** A gateway of which one provider is a server of the test. */
import { startUpstream, type Upstream } from '../upstream.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';

export interface UpstreamGateway {
  readonly gateway: TestGateway;
  readonly upstream: Upstream;
  close(): Promise<void>;
}

/** `provider`: as in the names of its variables, for example `DEEPSEEK`. */
export async function startUpstreamGateway(
  provider: string,
  environment: Record<string, string> = {},
): Promise<UpstreamGateway> {
  const upstream = await startUpstream();
  const gateway = await startTestGateway({
    [`${provider}_UPSTREAM_URL`]: upstream.url,
    [`${provider}_API_KEY`]: 'a-provider-key',
    ...environment,
  });
  return {
    gateway,
    upstream,
    async close() {
      await gateway.close();
      await upstream.close();
    },
  };
}
