/**
 * The whole gateway in one process: database, sandbox, the real functions, and the HTTP server. `start.ts` is the command
 * around it, and tests start it the same way.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { create as aggregate } from '../functions/aggregate.ts';
import { create as openapi } from '../functions/openapi.ts';
import { seedCatalog } from '../infra/catalog/seed.ts';
import type { PageFiles } from '../lib/core/admin/admin-endpoint.ts';
import { adminOperations } from '../lib/core/admin/admin-operations.ts';
import { readCorsOrigins } from '../lib/core/cors.ts';
import { operations } from '../lib/core/operations.ts';
import { runsHere } from '../lib/runtime/background-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { keepServerRecords } from '../lib/runtime/records/server-records.ts';
import { useServerClient } from '../lib/runtime/server-client.ts';
import { createKeyStore } from '../lib/stores/access/keys.ts';
import { createCatalogStore } from '../lib/stores/catalog/catalog.ts';
import { createHostStore } from '../lib/stores/catalog/hosts.ts';
import { createSessionStore } from '../lib/stores/sessions/sessions.ts';
import { paceOf } from '../sandbox/batches/pace.ts';
import { startSandbox } from '../sandbox/server.ts';
import { readAllowedHosts } from '../server/addresses.ts';
import { functionsOf } from '../server/functions.ts';
import { type ReceivedRequest, startServer } from '../server/http/server.ts';
import { type LoadHandler, loadInProcessEngine } from '../server/in-process.ts';
import { dashboardUrlOf, writeAddress } from './dashboard-url.ts';
import { type LocalDatabase, startDatabase } from './database.ts';
import { chooseProviders, completeEnvironment, type ProviderChoice } from './environment.ts';
import { ensureFirstKey, firstKeyFile } from './first-key.ts';
import { operatorName } from './operator-name.ts';
import { chooseHosts, writeOwnHosts } from './own-hosts.ts';
import { writeOwnModels } from './own-models.ts';
import { sandboxRoutes } from './providers.ts';
import { startFeed } from './stream/feed.ts';

export interface GatewayOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The address or name to listen on; only this machine can connect if absent. */
  readonly host?: string;
  readonly dataDirectory: string;
  /** Of the process, or of one of several gateways in it. */
  readonly environment: Variables;
  /** The file of variables that `npm start` reads, where settings of providers are stored; absent: none can be. */
  readonly environmentFile?: string;
  /** A running database, which this does not close; absent: the one in the data directory. */
  readonly database?: Pick<LocalDatabase, 'endpoint' | 'call' | 'changes'>;
  /** Called for each request when it arrives. */
  readonly onRequest?: (request: ReceivedRequest) => void;
}

export interface LocalGateway {
  /** Without a slash and without `/v1` at the end. */
  readonly url: string;
  readonly apiKey: string;
  /** The file that contains the API key. */
  readonly apiKeyFile: string;
  readonly providers: readonly ProviderChoice[];
  /** The environment of its functions. */
  readonly variables: Variables;
  /** The address of the dashboard, which signs in once. */
  readonly dashboardUrl: string;
  runningRequests(): number;
  /** Resolves when sums and limits have everything that is in the ledger. */
  settled(): Promise<void>;
  /** Waits a few seconds for running requests, then stops everything. */
  close(): Promise<void>;
}

/** How long a batch takes at the sandbox. */
const sandboxBatchMs = 5_000;

/** Starts everything, or nothing. */
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
  const { port, host, dataDirectory, environment } = options;
  const corsOrigins = readCorsOrigins('GATEWAY_CORS_ORIGINS', environment.GATEWAY_CORS_ORIGINS);
  const allowedHosts = readAllowedHosts(environment.GATEWAY_ALLOWED_HOSTS);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const database = options.database ?? keep(await startDatabase({ dataDirectory }));
  const pace = paceOf(Number(environment.GATEWAY_SANDBOX_BATCH_MS || sandboxBatchMs));
  const sandbox = keep(await startSandbox(sandboxRoutes, { pace }));
  const { call } = database;
  const catalog = createCatalogStore({ call, table: 'catalog' });
  const [apiKey] = await Promise.all([
    ensureFirstKey(createKeyStore({ call, table: 'access' }), dataDirectory),
    catalog.list().then((stored) => seedCatalog(catalog, stored)),
  ]);
  const hostStore = createHostStore({ call, table: 'catalog' });
  const hosts = await writeOwnHosts(hostStore, dataDirectory, environment.GATEWAY_HOSTS_FILE);
  await writeOwnModels(catalog, dataDirectory, environment.GATEWAY_MODELS_FILE);
  const filesDirectory = join(dataDirectory, 'files');
  const secretFile = join(dataDirectory, 'secret');
  const endpoints = {
    sandboxUrl: sandbox.url,
    databaseEndpoint: database.endpoint,
    filesDirectory,
    secretFile,
  };
  const variables: Variables = {
    ...environment,
    ...completeEnvironment(environment, sandboxRoutes, endpoints),
    ...(options.environmentFile && { GATEWAY_ENVIRONMENT_FILE: options.environmentFile }),
  };
  useServerClient(variables);
  const journalDirectory = environment.GATEWAY_JOURNAL_DIRECTORY || join(dataDirectory, 'journal');
  const endRecords = keepServerRecords(variables, journalDirectory);
  keep({ close: async () => endRecords() });
  const served = [...operations, ...adminOperations];
  const invoke = await loadInProcessEngine(served, localFunctions(variables));
  const { settled } = keep(startFeed(database.changes, aggregate(variables)));
  const { onRequest } = options;
  const server = await startServer({
    operations: served,
    invoke,
    port,
    corsOrigins,
    allowedHosts,
    tasks: runsHere(variables),
    ...(host !== undefined && { host }),
    ...(onRequest && { onRequest }),
  });
  const { url, requests } = keep(server);
  const apiKeyFile = firstKeyFile(dataDirectory);
  const providers = [...chooseProviders(environment, sandboxRoutes), ...chooseHosts(environment, hosts)];
  await writeAddress(dataDirectory, url);
  const sessions = createSessionStore({ call, table: 'state', now: Date.now });
  const dashboardUrl = dashboardUrlOf(url, await sessions.makeTicket(operatorName({})));
  const runningRequests = () => requests().running;
  return { url, apiKey, apiKeyFile, dashboardUrl, runningRequests, settled, providers, variables };
}

/** What the build puts beside a bundle is not beside the sources of these functions: the dashboard's page and the OpenAPI documents are built from their sources in memory when they are first asked for. All others are loaded as they are. */
function localFunctions(variables: Variables): LoadHandler {
  const load = functionsOf(variables, {
    page: builtOnce(),
    openapi: async () => (await import('../build/openapi/admin/admin-openapi.ts')).adminOpenapi(),
  });
  return async (operation) => {
    if (operation.name !== 'openapi') return await load(operation);
    const document = async () => (await import('../build/openapi/openapi.ts')).openapiDocument();
    return openapi(variables, document);
  };
}

/** A mistake in a source can be corrected while the gateway runs: a build that failed is made again. */
function builtOnce(): () => Promise<PageFiles> {
  let built: Promise<PageFiles> | undefined;
  return () => {
    built ??= build().catch((thrown) => {
      built = undefined;
      throw thrown;
    });
    return built;
  };
}

async function build(): Promise<PageFiles> {
  const { buildPage } = await import('../build/dashboard.ts');
  return await buildPage();
}
