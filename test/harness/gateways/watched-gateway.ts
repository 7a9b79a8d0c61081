/** One gateway for the tests of a file, with a sandbox that records the requests to each provider. */
import { beforeAll } from 'vitest';
import type { SandboxRequest } from '../../../sandbox/exchange.ts';
import { addPinnedModels } from '../matrix/pinned-models.ts';
import { use } from '../use.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { startWatchedSandbox } from './watched-sandbox.ts';

interface WatchedGateway extends TestGateway {
  /** Sends a request as it is, without a key. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The upstream requests since the last call. */
  take(): readonly SandboxRequest[];
  /** The base URLs of the providers that the sandbox simulates, by the name of their variable. */
  upstream(variable: string): string;
}

/** Whose requests are always recorded. */
const usual = ['anthropic', 'azure', 'bedrock', 'google', 'openai'];

/** Starts both before the tests. `names`: of further providers that are recorded, and of pinned models in addition to the catalog. */
export function useWatchedGateway(...names: readonly string[]): WatchedGateway {
  const isModel = (name: string) => name.includes('/');
  const gateway = use(async () => {
    const sandbox = await startWatchedSandbox(...usual, ...names.filter((name) => !isModel(name)));
    const started = await startTestGateway(sandbox.environment);
    return {
      ...started,
      fetch: (path: string, init?: RequestInit) => fetch(`${started.url}${path}`, init),
      take: () => sandbox.take(),
      upstream: (variable: string) => sandbox.environment[variable] ?? '',
      async close() {
        await started.close();
        await sandbox.close();
      },
    };
  });
  beforeAll(() => addPinnedModels(...names.filter(isModel)));
  return gateway;
}

/** Asks for a count of tokens: what was answered, and the requests that were sent for it. */
export async function countTokens(gateway: WatchedGateway, path: string, body: object) {
  gateway.take();
  const response = await gateway.post(path, body);
  return {
    status: response.status,
    estimated: response.headers.get('x-gateway-estimated'),
    body: JSON.parse(await response.text()),
    sent: gateway.take(),
  };
}
