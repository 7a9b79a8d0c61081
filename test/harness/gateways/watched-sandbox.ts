/** The sandbox as an upstream that records the requests to each provider. */
import { sandboxRoutes } from '../../../local/providers.ts';
import type { SandboxRequest } from '../../../sandbox/exchange.ts';
import { startSandbox } from '../../../sandbox/server.ts';

interface WatchedSandbox {
  /** For `startTestGateway`. */
  readonly environment: Record<string, string>;
  /** The requests since the last call. */
  take(): readonly SandboxRequest[];
  close(): Promise<void>;
}

/** Simulates these providers. */
export async function startWatchedSandbox(...providers: readonly string[]): Promise<WatchedSandbox> {
  let seen: SandboxRequest[] = [];
  const routes = sandboxRoutes.map((route) => ({
    ...route,
    handle: (request: SandboxRequest) => {
      seen.push(request);
      return route.handle(request);
    },
  }));
  const { url, close } = await startSandbox(routes, { pauseMs: 0 });
  const variables = routes
    .filter(({ provider }) => providers.includes(provider))
    .flatMap(({ provider, base }) => {
      const prefix = provider.toUpperCase().replaceAll('-', '_');
      return [
        [`${prefix}_UPSTREAM_URL`, `${url}${base}`],
        [`${prefix}_API_KEY`, 'sandbox'],
      ];
    });
  return {
    environment: Object.fromEntries(variables),
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    close,
  };
}
