/** What every run needs: freshly built functions, the mock upstream, and the tables. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../../build/build.ts';
import { buildColdParts } from './cold/build.ts';
import type { Environment } from './contenders.ts';
import { type ServerProcess, startServer } from './servers/server-process.ts';

export interface Session extends Environment {
  /** Every started server must be added; the last one is stopped first. */
  readonly servers: Pick<ServerProcess, 'close'>[];
  readonly directory: string;
}

/** Runs `work` with its own servers and directory, which are removed in any case. */
export async function withSession(work: (session: Session) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
  const servers: Pick<ServerProcess, 'close'>[] = [];
  const start = async (program: string, environment: Record<string, string> = {}) => {
    const path = join(import.meta.dirname, 'servers', program);
    const server = await startServer({ program: path, environment, cores: 'rest' });
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
