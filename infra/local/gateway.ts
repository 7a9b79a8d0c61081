/**
 * The whole gateway in one process: database, sandbox, the real functions, and the HTTP front. Composes only; each part
 * is in a file of its own. `start.ts` is the command around it, and tests start it the same way.
 */
import { mkdir } from 'node:fs/promises';
import { operations } from '../../lib/core/operations.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { createHostStore } from '../../lib/stores/catalog/hosts.ts';
import { seedCatalog } from '../catalog/seed.ts';
import { startSandbox } from '../sandbox/server.ts';
import { type LocalDatabase, startDatabase } from './database.ts';
import {
  chooseHosts,
  chooseProviders,
  completeEnvironment,
  type ProviderChoice,
  type Variables,
} from './environment.ts';
import { ensureFirstKey } from './first-key.ts';
import { loadInProcessEngine } from './front/in-process.ts';
import { startFront } from './front/server.ts';
import { writeOwnHosts } from './own-hosts.ts';
import { writeOwnModels } from './own-models.ts';
import { sandboxRoutes } from './providers.ts';

export interface GatewayOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly dataDirectory: string;
  /** Stands before the environment of the process; a variable that is undefined counts as not set. */
  readonly environment?: Variables;
  /** One that runs already, and is closed by whoever started it; absent: the one in the data directory. */
  readonly database?: Pick<LocalDatabase, 'endpoint' | 'call'>;
}

export interface LocalGateway {
  /** Without a slash and without `/v1` at the end. */
  readonly url: string;
  readonly apiKey: string;
  readonly providers: readonly ProviderChoice[];
  /** Gives running requests a moment, then stops everything. */
  close(): Promise<void>;
}

/**
 * Starts everything, or nothing. The functions read the environment of the process, once: so this sets it, and a
 * process can hold one gateway in its life.
 */
export async function startGateway(options: GatewayOptions): Promise<LocalGateway> {
  const started: { close(): Promise<void> }[] = [];
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    started.unshift(part);
    return part;
  };
  const close = async () => {
    for (const part of started.splice(0)) await part.close();
  };
  try {
    return { ...(await start(options, keep)), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

type Keep = <Part extends { close(): Promise<void> }>(part: Part) => Part;

async function start(options: GatewayOptions, keep: Keep) {
  const { port, dataDirectory, environment } = options;
  await mkdir(dataDirectory, { recursive: true });
  const database = options.database ?? keep(await startDatabase({ dataDirectory }));
  const sandbox = keep(await startSandbox(sandboxRoutes));
  const { call } = database;
  const catalog = createCatalogStore({ call, table: 'catalog' });
  const variables = { ...process.env, ...environment };
  const [apiKey] = await Promise.all([
    ensureFirstKey(createKeyStore({ call, table: 'access' }), dataDirectory),
    seedCatalog(catalog),
  ]);
  const hostStore = createHostStore({ call, table: 'catalog' });
  const hosts = await writeOwnHosts(hostStore, dataDirectory, variables.GATEWAY_HOSTS_FILE);
  await writeOwnModels(catalog, dataDirectory, variables.GATEWAY_MODELS_FILE);
  const places = { sandboxUrl: sandbox.url, databaseEndpoint: database.endpoint };
  setEnvironment({ ...environment, ...completeEnvironment(variables, sandboxRoutes, places) });
  const invoke = await loadInProcessEngine(operations, async ({ name }) => {
    const { handler } = await import(`../../functions/${name}.ts`);
    return handler;
  });
  const { url } = keep(await startFront({ operations, invoke, port }));
  const providers = [...chooseProviders(variables, sandboxRoutes), ...chooseHosts(variables, hosts)];
  return { url, apiKey, providers };
}

function setEnvironment(variables: Variables): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
