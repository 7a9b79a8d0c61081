/** The gateway as `npm run serve` runs it: its bundle in processes of its own, on a database and a provider of the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tables } from '../../../lib/core/tables.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { startTestDatabase, type TestDatabase } from '../../stores/database.ts';
import { built } from '../built.ts';
import { compileCache } from '../compile-cache.ts';
import { postJson } from '../post.ts';
import { textModel } from '../text-model.ts';
import { startUpstream, type Upstream } from '../upstream.ts';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface ServerProcess {
  readonly child: ChildProcess;
  /** Without a slash at the end. */
  readonly url: string;
  /** Every line that it has written, of all its processes. */
  readonly lines: readonly LogLine[];
  /** Resolves with the first line of this message, now or later. */
  line(message: string, isMeant?: (line: LogLine) => boolean): Promise<LogLine>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  /** Sends a signal to the primary process alone. */
  signal(name: NodeJS.Signals): void;
}

/** Runs a file that serves. It is not awaited until it listens: `line('server listens')` does that. */
export function spawnServer(
  file: string,
  environment: Readonly<Record<string, string>>,
): Omit<ServerProcess, 'url'> {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, ...compileCache(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (text) => {
      lines.push(readLine(text));
      for (const look of waiting) look();
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    lines,
    ended,
    signal: (name) => void child.kill(name),
    line(message, isMeant = () => true) {
      const { promise, resolve, reject } = Promise.withResolvers<LogLine>();
      const look = () => {
        const found = lines.find((line) => line.message === message && isMeant(line));
        if (found) resolve(found);
      };
      waiting.add(look);
      look();
      ended.then(() =>
        reject(new Error(`It ended without "${message}":\n${JSON.stringify(lines, null, 1)}`)),
      );
      return promise.finally(() => waiting.delete(look));
    },
  };
}

/** A line that is not JSON, such as that of a crash of Node itself, is kept as a message. */
function readLine(text: string): LogLine {
  try {
    return JSON.parse(text);
  } catch {
    return { level: 'NONE', message: text };
  }
}

export interface ServedGateway {
  readonly database: TestDatabase;
  readonly upstream: Upstream;
  readonly environment: Readonly<Record<string, string>>;
  /** Its tenant is `served`. */
  readonly apiKey: string;
  /** Starts one more server, and resolves when it listens on a port of its own. */
  serve(settings?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  /** A streamed chat request whose body begins with what the upstream's script sees. */
  chat(url: string, body?: object): Promise<Response>;
  /** The same without waiting until it listens. */
  spawn(settings?: Readonly<Record<string, string>>): Omit<ServerProcess, 'url'>;
  close(): Promise<void>;
}

const model = textModel(
  'served/model',
  { provider: 'moonshot', upstreamId: 'served' },
  { price: { input: 1, output: 1 } },
);

/** Builds the server from the sources. */
export async function startServedGateway(): Promise<ServedGateway> {
  const bundles = await built();
  const database = await startTestDatabase(Object.keys(tables));
  const upstream = await startUpstream();
  const { call, endpoint } = database;
  await createCatalogStore({ call, table: 'catalog' }).put(model, { source: 'operator' });
  const { secret } = await createKeyStore({ call, table: 'access' }).create({ tenant: 'served' });
  const journal = await mkdtemp(join(tmpdir(), 'journal-'));
  const environment = {
    ...Object.fromEntries(Object.entries(tables).map(([name, row]) => [row.environmentVariable, name])),
    DYNAMODB_ENDPOINT: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    MOONSHOT_API_KEY: 'a-provider-key',
    MOONSHOT_UPSTREAM_URL: upstream.url,
    PORT: '0',
    GATEWAY_JOURNAL_DIRECTORY: journal,
  };
  const processes: Omit<ServerProcess, 'url'>[] = [];
  const spawnOne = (settings: Readonly<Record<string, string>> = {}) => {
    const one = spawnServer(join(bundles, 'server/index.mjs'), { ...environment, ...settings });
    processes.push(one);
    return one;
  };
  return {
    database,
    upstream,
    environment,
    apiKey: secret,
    spawn: spawnOne,
    async serve(settings) {
      const one = spawnOne(settings);
      const { url } = await one.line('server listens');
      return { ...one, url: String(url) };
    },
    chat: (url, body = {}) =>
      postJson(`${url}/v1/chat/completions`, secret, {
        model: model.id,
        messages: [{ role: 'user', content: 'Say the words.' }],
        stream: true,
        ...body,
      }),
    async close() {
      for (const { child, ended } of processes) {
        // The second signal ends all of its processes at once.
        child.kill('SIGTERM');
        child.kill('SIGINT');
        await ended;
      }
      await upstream.close();
      await database.close();
      await rm(journal, { recursive: true, force: true });
    },
  };
}
