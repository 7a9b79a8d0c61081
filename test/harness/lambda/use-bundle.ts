import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { seedCatalog } from '../../../infra/catalog/seed.ts';
import { type OperationName, operationNamed } from '../../../lib/core/operations.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { type LocalDatabase, startDatabase } from '../../../local/database.ts';
import { built } from '../built.ts';
import { newDirectory } from '../new-directory.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import { type LambdaEngine, startLambdaEngine } from './engine.ts';
import { operationEvent } from './event.ts';

export interface Bundle {
  readonly engine: LambdaEngine;
  readonly upstream: Upstream;
  readonly database: LocalDatabase;
  /** Invokes the function with a body; what leaves it is still to be read. */
  invoke(body: object): Promise<Invoked>;
  /** Invokes the function with a body, and gives what left it. */
  ask(body: object): Promise<Asked>;
}

interface Manner {
  /** What stands in its environment besides the usual, given the upstream's address. */
  readonly environment?: (upstreamUrl: string) => Readonly<Record<string, string>>;
  /** Whether each test has a process of its own. */
  readonly isNewForEach?: boolean;
}

type Invoked = Awaited<ReturnType<LambdaEngine['invoke']>>;

interface Asked {
  readonly answer: Invoked;
  readonly chunks: readonly { readonly data: Uint8Array; readonly at: number }[];
  readonly text: string;
}

/** Of every event: callers of API Gateway can choose it. */

/** What a function finds of the local database. */
export const databaseEnvironment = (endpoint: string) => ({
  CATALOG_TABLE: 'catalog',
  ACCESS_TABLE: 'access',
  STATE_TABLE: 'state',
  USAGE_TABLE: 'usage',
  FILES_TABLE: 'files',
  DYNAMODB_ENDPOINT: endpoint,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

/** Its tenant is `acme`. */
export function useBundle(
  name: OperationName,
  { environment = () => ({}), isNewForEach = false }: Manner = {},
): Bundle {
  const directory = newDirectory();
  let bundles: string;
  let database: LocalDatabase;
  let upstream: Upstream;
  let engine: LambdaEngine;
  let apiKey: string;

  const { minMemory } = operationNamed(name);

  const start = async () => {
    engine = await startLambdaEngine({
      bundle: join(bundles, name, 'index.mjs'),
      ...(minMemory !== undefined && { memory: minMemory }),
      environment: {
        ...databaseEnvironment(database.endpoint),
        OPENAI_API_KEY: 'a-provider-key',
        OPENAI_UPSTREAM_URL: upstream.url,
        ...environment(upstream.url),
      },
    });
  };

  beforeAll(async () => {
    [database, upstream, bundles] = await Promise.all([
      startDatabase({ dataDirectory: directory }),
      startUpstream(),
      built(),
    ]);
    const { call } = database;
    await seedCatalog(createCatalogStore({ call, table: 'catalog' }));
    apiKey = (await createKeyStore({ call, table: 'access' }).create({ tenant: 'acme' })).secret;
    if (!isNewForEach) await start();
  });

  if (isNewForEach) {
    beforeEach(start);
    afterEach(() => engine?.close());
  }

  afterAll(async () => {
    if (!isNewForEach) await engine?.close();
    await upstream?.close();
    await database?.close();
  });

  const invoke = (body: object) => engine.invoke(operationEvent(name, { bearer: apiKey, body }));
  return {
    get engine() {
      return engine;
    },
    get upstream() {
      return upstream;
    },
    get database() {
      return database;
    },
    invoke,
    async ask(body) {
      const answer = await invoke(body);
      const chunks = await Array.fromAsync(answer.chunks);
      return { answer, chunks, text: Buffer.concat(chunks.map(({ data }) => data)).toString() };
    },
  };
}
