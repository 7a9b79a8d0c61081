/**
 * A deployed gateway without AWS: every built function under the real Lambda runtime client, with the environment and the role of the
 * template, on one fake AWS that judges each call by that role. Models are answered by the sandbox.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalDatabase, startDatabase } from '../../../local/database.ts';
import { sandboxRoutes } from '../../../local/providers.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import { compileCache } from '../compile-cache.ts';
import { type LambdaEngine, startLambdaEngine } from '../lambda/engine.ts';
import { region } from './account.ts';
import { type FakeAws, startFakeAws } from './fake-aws.ts';
import { isAllowed } from './iam/evaluate.ts';
import type { DeployedFunction } from './iam/roles.ts';
import { type CallContext, type FakeService, PassedOn } from './service.ts';
import { bedrock } from './services/bedrock.ts';
import { dynamodb } from './services/dynamodb.ts';
import { events } from './services/events.ts';
import { s3 } from './services/s3.ts';
import { type FakeParameters, ssm } from './services/ssm.ts';

export interface Invoked {
  /** Undefined for a function that serves no operation. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
  readonly text: string;
}

export interface Deployment {
  readonly aws: FakeAws;
  readonly database: LocalDatabase;
  readonly parameters: FakeParameters;
  readonly objects: ReadonlyMap<string, Buffer>;
  readonly events: readonly unknown[];
  /** Runs one function for some events, in one process. */
  use<Result>(name: string, work: (running: RunningFunction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

interface RunningFunction {
  invoke(event: object): Promise<Invoked>;
  readonly log: LambdaEngine['log'];
}

interface DeploymentOptions {
  /** The directory of what `built` has built. */
  readonly bundles: string;
  /** Further ones of the fake AWS. */
  readonly services?: readonly FakeService[];
  /** In place of those of the templates. */
  readonly variables?: Readonly<Record<string, string>>;
}

export async function startDeployment(
  given: readonly DeployedFunction[],
  { bundles, services = [], variables = {} }: DeploymentOptions,
): Promise<Deployment> {
  const directory = await mkdtemp(join(tmpdir(), 'deployment-'));
  const database = await startDatabase({ dataDirectory: directory });
  const sandbox = await startSandbox(sandboxRoutes, { pauseMs: 0 });
  const parameters: FakeParameters = new Map();
  const objects = new Map<string, Buffer>();
  const received: unknown[] = [];
  const byKey = new Map(given.map((one) => [one.principal.accessKeyId, one]));
  const aws = await startFakeAws({
    services: [
      dynamodb({ endpoint: database.endpoint }),
      ssm({ parameters }),
      events(received),
      s3(objects),
      bedrock({ runtime: passOn(`${sandbox.url}/bedrock`) }),
      ...services,
    ],
    principals: given.map(({ principal }) => principal),
    judge: ({ accessKeyId }, access) => isAllowed(byKey.get(accessKeyId)?.statements ?? [], access),
  });
  return {
    aws,
    database,
    parameters,
    objects,
    events: received,
    async use(name, work) {
      const found = given.find((one) => one.name === name);
      if (!found) throw new Error(`There is no function ${name}.`);
      const engine = await startLambdaEngine({
        bundle: join(bundles, isOfDashboard(name) ? 'admin' : name, 'index.mjs'),
        environment: {
          ...environmentOf(found, aws, sandbox),
          ...compileCache(),
          ...variables,
        },
      });
      try {
        return await work({ log: engine.log, invoke: (event) => invoke(engine, event) });
      } finally {
        await engine.close();
      }
    },
    async close() {
      await Promise.all([aws.close(), sandbox.close()]);
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const isOfDashboard = (name: string): boolean => /^(?:admin|dashboard)-/.test(name);

const sandboxed = { OPENAI: 'openai/v1', GOOGLE: 'google/v1beta' };

function environmentOf({ environment, principal }: DeployedFunction, aws: FakeAws, sandbox: Sandbox) {
  const upstreams = Object.entries(sandboxed).map(([name, path]) => [
    `${name}_UPSTREAM_URL`,
    `${sandbox.url}/${path}`,
  ]);
  return {
    ...environment,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: principal.accessKeyId,
    AWS_SECRET_ACCESS_KEY: principal.secretAccessKey,
    AWS_SESSION_TOKEN: principal.sessionToken ?? '',
    AWS_ENDPOINT_URL: aws.url,
    ...Object.fromEntries(upstreams),
  };
}

async function invoke(engine: LambdaEngine, event: object): Promise<Invoked> {
  const answer = await engine.invoke(event, { timeoutMs: 60_000 });
  const chunks = await Array.fromAsync(answer.chunks);
  const text = Buffer.concat(chunks.map(({ data }) => data)).toString();
  const {
    statusCode,
    headers = {},
    multiValueHeaders,
  } = (answer.prelude ?? {}) as {
    readonly statusCode?: number;
    readonly headers?: Invoked['headers'];
    readonly multiValueHeaders?: { readonly 'set-cookie'?: readonly string[] };
  };
  return { status: statusCode, headers, cookies: multiValueHeaders?.['set-cookie'] ?? [], text };
}

function passOn(url: string) {
  return async ({ request: { method, path, headers, body } }: CallContext): Promise<PassedOn> => {
    const { authorization = '', 'content-type': type = '' } = headers;
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, 'content-type': type },
      body: new Uint8Array(body),
    });
    const given = { 'content-type': answer.headers.get('content-type') ?? '' };
    return new PassedOn(answer.status, given, Buffer.from(await answer.arrayBuffer()));
  };
}
