/** A process that serves requests until it is asked to stop. */
import { operations } from '../lib/core/operations.ts';
import type { Log } from '../lib/core/ports/log.ts';
import { createDatabaseCheck } from '../lib/runtime/database-check.ts';
import { loadFunction } from './functions.ts';
import { createHealth } from './health.ts';
import { loadInProcessEngine } from './in-process.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { type GatewayServer, startServer } from './server.ts';
import type { ServerSettings } from './settings.ts';

/** Loads the functions of all operations, then listens. */
export async function startWorker(settings: ServerSettings, log: Log): Promise<GatewayServer> {
  const { port, host, allowedHosts = 'any', corsOrigins, trustedProxies, memoryBytes } = settings;
  const invoke = await loadInProcessEngine(operations, loadFunction);
  const health = createHealth({
    isDraining: () => server.isDraining(),
    checkDatabase: createDatabaseCheck(),
    now: Date.now,
  });
  const server = await startServer({
    operations,
    invoke,
    port,
    host,
    allowedHosts,
    corsOrigins,
    trustedProxies,
    health,
    memory: createMemoryBudget(memoryBytes),
    log,
  });
  return server;
}
