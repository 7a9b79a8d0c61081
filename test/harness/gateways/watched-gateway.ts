/** One gateway for the tests of a file, with a sandbox that records the requests to each provider. */
import { afterAll, beforeAll } from 'vitest';
import type { SandboxRequest } from '../../../sandbox/exchange.ts';
import { addPinnedModels } from '../matrix/pinned-models.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { startWatchedSandbox, type WatchedSandbox } from './watched-sandbox.ts';

export interface WatchedGateway {
  readonly post: TestGateway['post'];
  /** Sends a request as it is, without a key. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The upstream requests since the last call. */
  take(): readonly SandboxRequest[];
  /** The base URLs of the providers that the sandbox simulates, by the name of their variable. */
  upstream(variable: string): string;
}

/** Starts both before the tests, with these pinned models in addition to the catalog. */
export function useWatchedGateway(...pinned: readonly string[]): WatchedGateway {
  let sandbox: WatchedSandbox;
  let gateway: TestGateway;
  beforeAll(async () => {
    sandbox = await startWatchedSandbox('anthropic', 'azure', 'bedrock', 'google', 'openai');
    gateway = await startTestGateway(sandbox.environment);
    await addPinnedModels(...pinned);
  });
  afterAll(async () => {
    await gateway?.close();
    await sandbox?.close();
  });
  return {
    post: (...request) => gateway.post(...request),
    fetch: (path, init) => fetch(`${gateway.url}${path}`, init),
    take: () => sandbox.take(),
    upstream: (variable) => sandbox.environment[variable] ?? '',
  };
}
