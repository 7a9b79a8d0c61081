/** The server as `npm run serve` runs it, from the sources: a process of its own, with one scripted provider. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { type LocalDatabase, startDatabase } from '../../../local/database.ts';
import { databaseEnvironment } from '../lambda/use-bundle.ts';
import { putModels } from '../matrix/catalog.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import { setGatewayEnvironment } from './environment.ts';

export interface ServedProcess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  readonly upstream: Upstream;
  readonly database: LocalDatabase;
  readonly child: ChildProcess;
  post(path: string, body: object | string, signal?: AbortSignal): Promise<Response>;
  close(): Promise<void>;
}

interface ServedOptions {
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The model of the scripted provider, which speaks OpenAI's protocol. */
export const servedModel = 'served/model';

const root = join(import.meta.dirname, '../../..');

export async function startServedProcess(options: ServedOptions = {}): Promise<ServedProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'served-'));
  const [database, upstream] = await Promise.all([
    startDatabase({ dataDirectory: directory }),
    startUpstream(),
  ]);
  setGatewayEnvironment({ DYNAMODB_ENDPOINT: database.endpoint });
  await putModels({ [servedModel]: [{ provider: 'moonshot', upstreamId: 'model' }] });
  const keys = createKeyStore({ call: database.call, table: 'access' });
  const { secret: apiKey } = await keys.create({ tenant: 'acme' });
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), join(root, 'server/main.ts')], {
    env: {
      ...process.env,
      ...databaseEnvironment(database.endpoint),
      AWS_REGION: 'us-east-1',
      MOONSHOT_API_KEY: 'a-provider-key',
      MOONSHOT_UPSTREAM_URL: upstream.url,
      PORT: '0',
      GATEWAY_JOURNAL_DIRECTORY: join(directory, 'journal'),
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', process.env.TEST_LOG ? 'inherit' : 'ignore'],
  });
  const url = await urlFrom(child);
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return {
    url,
    apiKey,
    upstream,
    database,
    child,
    post: (path, body, signal) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal && { signal }),
      }),
    async close() {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await exited;
      await upstream.close();
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Its log names the address that it listens on. */
function urlFrom(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => {
      // What comes later is read, too, or the process would wait for its log to be read.
      if (printed.length < 100_000) printed += data.toString();
      const url = /"url":"(http:[^"]+)"/.exec(printed)?.[1];
      if (url) resolve(url);
    });
    child.once('exit', () => reject(new Error(`The server ended before it was ready:\n${printed}`)));
  });
}
