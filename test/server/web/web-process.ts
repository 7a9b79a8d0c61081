/**
 * A built Web Function as Lambda runs it: a process that listens where it is asked to, with the services of AWS that it calls on
 * loopback, one scripted provider, and two tenants.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationName } from '../../../lib/core/operations.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { type LocalDatabase, startDatabase } from '../../../local/database.ts';
import { webBundle } from '../../../server/web/web-operations.ts';
import { built } from '../../harness/built.ts';
import { freePort } from '../../harness/free-port.ts';
import { setGatewayEnvironment } from '../../harness/gateways/environment.ts';
import { databaseEnvironment } from '../../harness/lambda/use-bundle.ts';
import { putModels } from '../../harness/matrix/catalog.ts';
import { startUpstream, type Upstream, type UpstreamScript } from '../../harness/upstream.ts';

export const currentSecret = 'current-origin-secret-0123456789ABCDEFGH';
export const previousSecret = 'previous-origin-secret-0123456789ABCDEFG';

/** A model of the scripted provider, which speaks OpenAI's protocol. */
export const webModel = 'served/model';

const crashing = join(import.meta.dirname, 'crashing-web.ts');

/** A model of Bedrock, whose calls are signed. */
export const signedModel = 'served/signed';

export interface WebProcess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly keys: { readonly acme: string; readonly globex: string };
  /** The provider. */
  readonly upstream: Upstream;
  /** Secrets Manager, and the endpoint for credentials. */
  readonly aws: Upstream;
  readonly database: LocalDatabase;
  readonly child: ChildProcess;
  /** The lines it has logged so far. */
  lines(): readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

export interface WebOptions {
  /** Besides the usual; `upstream` is where the provider is. */
  readonly environment?: (upstream: string) => Readonly<Record<string, string>>;
  /** Runs `crashing-web.ts` in place of the bundle. */
  readonly isCrashing?: boolean;
  /** How long the credentials of the container are valid. */
  readonly credentialSeconds?: number;
  /** How many times its secrets are denied, as while permissions are on their way. */
  readonly denials?: number;
}

/** Secrets by their names, and credentials that have a new number each time. */
function awsScript(credentialSeconds: number, denials = 0): UpstreamScript {
  let number = 0;
  let denied = 0;
  const secrets: Readonly<Record<string, string>> = { current: currentSecret, previous: previousSecret };
  return ({ path, body }, response) => {
    if (path === '/credentials') {
      number += 1;
      const Expiration = new Date(Date.now() + credentialSeconds * 1_000).toISOString();
      response.end(
        JSON.stringify({ AccessKeyId: `KEY${number}`, SecretAccessKey: 's', Token: 't', Expiration }),
      );
      return;
    }
    if (denied < denials) {
      denied += 1;
      response.writeHead(400).end('{"__type":"AccessDeniedException","Message":"is not authorized"}');
      return;
    }
    const secret = secrets[String(body.SecretId)];
    if (secret !== undefined) response.end(JSON.stringify({ SecretString: secret }));
    else response.writeHead(400).end('{"__type":"ResourceNotFoundException"}');
  };
}

export async function startWebProcess(
  name: OperationName,
  { environment, isCrashing = false, credentialSeconds = 3_600, denials = 0 }: WebOptions = {},
): Promise<WebProcess> {
  const [database, upstream, aws, port] = await Promise.all([
    mkdtemp(join(tmpdir(), 'web-data-')).then((path) => startDatabase({ dataDirectory: path })),
    startUpstream(),
    startUpstream(),
    freePort(),
  ]);
  setGatewayEnvironment({ DYNAMODB_ENDPOINT: database.endpoint });
  await putModels({
    [webModel]: [{ provider: 'moonshot', upstreamId: 'model' }],
    [signedModel]: [{ provider: 'bedrock', region: 'us-east-1', upstreamId: 'model' }],
  });
  const store = createKeyStore({ call: database.call, table: 'access' });
  const [acme, globex] = await Promise.all(['acme', 'globex'].map((tenant) => store.create({ tenant })));
  aws.script(awsScript(credentialSeconds, denials));
  const {
    AWS_ACCESS_KEY_ID: _id,
    AWS_SECRET_ACCESS_KEY: _key,
    ...tables
  } = databaseEnvironment(database.endpoint);
  const bundle = join(await built(), webBundle, 'index.mjs');
  const child = spawn(process.execPath, [isCrashing ? crashing : bundle], {
    env: {
      PATH: process.env.PATH ?? '',
      ...tables,
      AWS_REGION: 'us-east-1',
      GATEWAY_OPERATION: name,
      AWS_LAMBDA_HTTP_ENDPOINT: `127.0.0.1:${port}`,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${aws.url}/credentials`,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
      GATEWAY_ORIGIN_SECRETS: 'current,previous',
      MOONSHOT_API_KEY: 'a-provider-key',
      MOONSHOT_UPSTREAM_URL: upstream.url,
      ...environment?.(upstream.url),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      printed += data.toString();
    });
  const lines = () => printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const web: WebProcess = {
    url: `http://127.0.0.1:${port}`,
    keys: { acme: acme?.secret ?? '', globex: globex?.secret ?? '' },
    upstream,
    aws,
    database,
    child,
    lines,
    async close() {
      const isRunning = child.exitCode === null && child.signalCode === null;
      const exited = isRunning && once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await Promise.all([upstream.close(), aws.close(), database.close()]);
    },
  };
  await untilListening(web);
  return web;
}

/** Resolves when it listens, or has ended. */
async function untilListening({ child, lines }: WebProcess): Promise<void> {
  while (child.exitCode === null && !lines().some(({ message }) => message === 'server listens'))
    await new Promise((resolve) => setTimeout(resolve, 20));
}
