/** The whole local gateway in this process, with its own database. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '../../../lib/runtime/environment.ts';
import type { LocalDatabase } from '../../../local/database.ts';
import { startGateway } from '../../../local/gateway.ts';
import { addPinnedModels, pinnedModels } from '../matrix/pinned-models.ts';
import { postJson } from '../post.ts';
import { registerAggregator } from '../settled.ts';
import { setGatewayEnvironment } from './environment.ts';
import { copySeededDatabase } from './seeded-database.ts';

export interface TestGateway {
  /** Without `/v1`. */
  readonly url: string;
  readonly apiKey: string;
  /** The address of the dashboard, which signs in once. */
  readonly dashboardUrl: string;
  /** Posts a JSON body (or, for a string, that text) with the gateway's key. */
  post(
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Response>;
  /** Resolves when sums and limits have everything that is in the ledger. */
  settled(): Promise<void>;
  /** The environment of its functions. */
  readonly variables: Variables;
  close(): Promise<void>;
}

/** Providers without a variable here are sandboxed. */
export async function startTestGateway(
  environment: Record<string, string> = {},
  {
    port = 0,
    ...parts
  }: {
    readonly database?: Pick<LocalDatabase, 'endpoint' | 'call' | 'changes'>;
    /** Any free one by default. */
    readonly port?: number;
  } = {},
): Promise<TestGateway> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'gateway-'));
  if (!parts.database) await copySeededDatabase(dataDirectory);
  const gateway = await startGateway({ port, dataDirectory, environment, ...parts });
  setGatewayEnvironment(gateway.variables);
  registerAggregator(gateway);
  if (parts.database) await addPinnedModels(...pinnedModels);
  const { url, apiKey, dashboardUrl, settled, variables } = gateway;
  return {
    url,
    apiKey,
    dashboardUrl,
    settled,
    variables,
    post: (path, body, headers, signal) => postJson(`${url}${path}`, apiKey, body, { headers, signal }),
    async close() {
      await gateway.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
