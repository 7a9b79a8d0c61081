/**
 * A gateway whose models all lead to the failing provider: for each name a model `faults/<name>` of OpenAI, `hosted/<name>` of a
 * host that supports only the chat protocol, and `native/<name>` of Anthropic.
 */

import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { type FailingProvider, type Fault, startFailingProvider } from './failing-provider.ts';

export interface FailingGateway {
  readonly gateway: TestGateway;
  readonly provider: FailingProvider;
  close(): Promise<void>;
}

/** The `healthy` names answer completely. */
export async function startFailingGateway(
  faults: Readonly<Record<string, Fault>>,
  healthy: readonly string[],
  environment: Record<string, string> = {},
): Promise<FailingGateway> {
  const provider = await startFailingProvider(faults);
  const gateway = await startTestGateway({
    OPENAI_UPSTREAM_URL: provider.url,
    OPENAI_API_KEY: 'a-provider-key',
    DEEPSEEK_UPSTREAM_URL: provider.url,
    DEEPSEEK_API_KEY: 'a-provider-key',
    ANTHROPIC_UPSTREAM_URL: provider.url,
    ANTHROPIC_API_KEY: 'a-provider-key',
    ...environment,
  });
  const names = [...Object.keys(faults), ...healthy];
  const models = names.flatMap((upstreamId) => [
    [`faults/${upstreamId}`, [{ provider: 'openai', upstreamId }]],
    [`hosted/${upstreamId}`, [{ provider: 'deepseek', upstreamId }]],
    [`native/${upstreamId}`, [{ provider: 'anthropic', upstreamId }]],
  ]);
  await putModels(Object.fromEntries(models));
  return {
    gateway,
    provider,
    async close() {
      await gateway.close();
      await provider.close();
    },
  };
}
