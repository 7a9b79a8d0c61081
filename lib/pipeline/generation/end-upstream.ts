/** Ends what a provider creates in the background, and no worker reads on. */
import type { RunUpstream, UpstreamResponse } from '../../core/background.ts';
import type { PipelineParts } from '../parts.ts';
import { openAccount } from '../use/account.ts';

/** Rejects where the provider cannot be asked, or does not delete it. */
export async function endUpstream(
  { catalog, providers, connections }: PipelineParts,
  upstream: UpstreamResponse,
  warn: RunUpstream['warn'],
): Promise<void> {
  const [model, provider] = await Promise.all([
    catalog.find(upstream.model),
    providers.load(upstream.provider),
  ]);
  const deployment = model?.deployments.find(
    (one) => one.provider === upstream.provider && one.region === upstream.region,
  );
  if (!model || !provider || !deployment) throw new Error('The catalog does not have its deployment.');
  const attempt = {
    model: model.id,
    provider: provider.name,
    region: deployment.region,
    at: 0,
    inputTokens: 0,
  };
  const { signal } = new AbortController();
  const target = { model, deployment };
  const { beside } = await openAccount(provider, target, 'body', connections, { signal, attempt });
  await provider.responses?.endRun?.({ beside, warn }, upstream.id);
}
