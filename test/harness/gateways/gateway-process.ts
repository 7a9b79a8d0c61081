/** The gateway as `npm start` runs it: a separate process, observed through its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copySeededDatabase } from './seeded-database.ts';

export interface GatewayProcess {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly dataDirectory: string;
  readonly pid: number;
  /** What it had printed when it was ready. */
  readonly startedWith: string;
  /** All it has printed so far. */
  output(): string;
  /** Ends it at once, without a word: it keeps its data, and nothing of it can run any more. */
  kill(): Promise<void>;
  /** Stops it as Ctrl-C does, and returns its exit code. */
  stop(options?: { readonly keepData: boolean }): Promise<number | null>;
}

interface GatewayProcessOptions {
  readonly environment?: Record<string, string>;
  /** One that an earlier process left; a new one otherwise. */
  readonly dataDirectory?: string;
}

const root = join(import.meta.dirname, '../../..');

/** Starts the sources as they are: no bundles are needed. */
export async function startGatewayProcess(options: GatewayProcessOptions = {}): Promise<GatewayProcess> {
  const dataDirectory = options.dataDirectory ?? (await newDataDirectory());
  const child = spawn(process.execPath, [join(root, 'local/start.ts')], {
    cwd: root,
    env: { ...withoutAws(process.env), PORT: '0', GATEWAY_DATA_DIR: dataDirectory, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const keep = (data: Buffer) => {
    printed += data.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = once(child, 'exit');
  const [baseUrl, apiKey] = await untilReady(child, () => printed);
  return {
    baseUrl,
    apiKey,
    dataDirectory,
    pid: child.pid ?? 0,
    startedWith: printed,
    output: () => printed,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop({ keepData } = { keepData: false }) {
      child.kill('SIGINT');
      const [code] = await exited;
      if (!keepData) await rm(dataDirectory, { recursive: true, force: true });
      return code;
    },
  };
}

async function newDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-'));
  await copySeededDatabase(directory);
  return directory;
}

/** With credentials of AWS, which other tests of the process may have set, models of Bedrock would be real ones. */
const withoutAws = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('AWS_')));

async function untilReady(child: ChildProcess, printed: () => string): Promise<[string, string]> {
  for (;;) {
    const text = printed();
    const baseUrl = /^OPENAI_BASE_URL=(\S+)$/m.exec(text)?.[1];
    const apiKey = /^OPENAI_API_KEY=(\S+)$/m.exec(text)?.[1];
    if (baseUrl && apiKey && /curl/.test(text)) return [baseUrl, apiKey];
    if (child.exitCode !== null) throw new Error(`The gateway ended before it was ready:\n${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
