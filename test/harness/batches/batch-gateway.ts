/** A gateway in this process whose providers are those of a sandbox that answers batches at once. */
import { sandboxRoutes } from '../../../local/providers.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { startTestGateway } from '../gateways/gateway.ts';

export async function startBatchGateway(providers: readonly string[], pollMs: number) {
  const pace = { answered: () => 1, isExpired: () => false };
  const sandbox = await startSandbox(sandboxRoutes, { pauseMs: 0, pace });
  const variables = providers.flatMap((name) => {
    const base = sandboxRoutes.find(({ provider }) => provider === name)?.base ?? '';
    return [
      [`${name.toUpperCase()}_UPSTREAM_URL`, `${sandbox.url}${base}`],
      [`${name.toUpperCase()}_API_KEY`, 'a-key'],
    ];
  });
  const gateway = await startTestGateway({
    ...Object.fromEntries(variables),
    GATEWAY_BATCH_POLL_MS: `${pollMs}`,
  });
  return {
    gateway,
    async close() {
      await gateway.close();
      await sandbox.close();
    },
  };
}
