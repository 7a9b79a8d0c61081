/** What one process serves: operations, the answers to checks, and its figures. */

import type { Log } from '../lib/core/ports/log.ts';
import type { RoutedOperation } from '../lib/core/routes.ts';
import { runsHere, shareMemory } from '../lib/runtime/background-runtime.ts';
import { createDatabaseCheck } from '../lib/runtime/database-check.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { type GatewayServer, startServer } from './http/server.ts';
import { type LoadHandler, loadInProcessEngine } from './in-process.ts';
import { createHealth } from './metrics/health.ts';
import { createRequestCounts } from './metrics/request-counts.ts';
import { type Figures, startFigures } from './process/figures.ts';
import { createMemoryBudget } from './process/memory-budget.ts';
import type { ServerSettings } from './settings.ts';

export interface Service extends Pick<GatewayServer, 'url' | 'drain'> {
  readonly figures: () => Figures;
}

interface Served {
  readonly operations: readonly RoutedOperation[];
  readonly load: LoadHandler;
}

/** Loads the functions of the operations, then listens. */
export async function startService(
  { operations, load }: Served,
  settings: ServerSettings,
  log: Log,
  variables: Variables,
): Promise<Service> {
  const { port, host, allowedHosts = 'any', corsOrigins, trustedProxies, keepAliveMs } = settings;
  const counts = createRequestCounts();
  const invoke = await loadInProcessEngine(operations, load, counts.measure);
  const memory = createMemoryBudget(settings.memoryBytes);
  shareMemory(variables, memory);
  const health = createHealth({
    isDraining: () => server.isDraining(),
    checkDatabase: createDatabaseCheck(variables),
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
    limits: { keepAliveMs },
    health,
    memory,
    counts,
    tasks: runsHere(variables),
    log,
  });
  const figures = startFigures({ ...server, memory, log });
  return { url: server.url, drain: server.drain, figures };
}
