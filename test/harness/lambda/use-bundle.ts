/** A built bundle under the real Lambda runtime client, over one scripted upstream, for the tests of a file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildAll } from '../../../infra/build.ts';
import { seedCatalog } from '../../../infra/catalog/seed.ts';
import { type LocalDatabase, startDatabase } from '../../../infra/local/database.ts';
import { type OperationName, operationNamed } from '../../../lib/core/operations.ts';
import { createCatalogStore } from '../../../lib/stores/catalog.ts';
import { createKeyStore } from '../../../lib/stores/keys.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import { type LambdaEngine, startLambdaEngine } from './engine.ts';

export interface Bundle {
  readonly engine: LambdaEngine;
  readonly upstream: Upstream;
  readonly database: LocalDatabase;
  /** Invokes the function with a body, and gives what left it. */
  ask(body: object): Promise<Asked>;
}

type Invoked = Awaited<ReturnType<LambdaEngine['invoke']>>;

interface Asked {
  readonly answer: Invoked;
  readonly chunks: readonly { readonly data: Uint8Array; readonly at: number }[];
  readonly text: string;
}

/** Its tenant is `acme`. */
export function useBundle(name: OperationName): Bundle {
  let directory: string;
  let database: LocalDatabase;
  let upstream: Upstream;
  let engine: LambdaEngine;
  let apiKey: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lambda-'));
    const bundles = join(directory, 'dist');
    [database, upstream] = await Promise.all([
      startDatabase({ dataDirectory: directory }),
      startUpstream(),
      buildAll(bundles),
    ]);
    const { call, endpoint } = database;
    await seedCatalog(createCatalogStore({ call, table: 'catalog' }));
    apiKey = (await createKeyStore({ call, table: 'access' }).create({ tenant: 'acme' })).secret;
    engine = await startLambdaEngine({
      bundle: join(bundles, name, 'index.mjs'),
      environment: {
        CATALOG_TABLE: 'catalog',
        ACCESS_TABLE: 'access',
        STATE_TABLE: 'state',
        DYNAMODB_ENDPOINT: endpoint,
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        OPENAI_API_KEY: 'a-provider-key',
        OPENAI_UPSTREAM_URL: upstream.url,
      },
    });
  });

  afterAll(async () => {
    await engine?.close();
    await upstream?.close();
    await database?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const { path, method } = operationNamed(name);
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
    async ask(body) {
      const answer = await engine.invoke({
        resource: path,
        path,
        httpMethod: method,
        queryStringParameters: null,
        requestContext: { requestId: 'request-1' },
        isBase64Encoded: false,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const chunks = await Array.fromAsync(answer.chunks);
      return { answer, chunks, text: Buffer.concat(chunks.map(({ data }) => data)).toString() };
    },
  };
}
