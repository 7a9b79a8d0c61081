/** What every run stands on: the functions built anew, the mock upstream, and the tables. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../../infra/build.ts';
import { buildColdParts } from './cold/build.ts';
import type { Places } from './contenders.ts';
import { type ServerProcess, startServer } from './servers/server-process.ts';

export interface Ground extends Places {
  /** Stops the last first. Whoever starts a server on this ground adds it. */
  readonly servers: Pick<ServerProcess, 'close'>[];
  readonly directory: string;
}

/** Runs `work` on a ground of its own, and clears it away however that ends. */
export async function onGround(work: (ground: Ground) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
  const servers: Pick<ServerProcess, 'close'>[] = [];
  const start = async (program: string, environment: Record<string, string> = {}) => {
    const server = await startServer({ program: join(import.meta.dirname, program), environment });
    servers.push(server);
    return server.announced;
  };
  try {
    const bundles = join(directory, 'dist');
    await buildAll(bundles);
    await buildColdParts(directory);
    const { url: upstreamUrl = '' } = await start('upstream.ts');
    const { url: tablesUrl = '', apiKey = '' } = await start('tables.ts', { BENCH_DATA: directory });
    await work({ servers, directory, bundles, upstreamUrl, tablesUrl, apiKey });
  } finally {
    for (const server of servers.toReversed()) await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}
