/**
 * The second engine: a built bundle under the real Lambda runtime client (`aws-lambda-ric`), in a process of its own
 * that lives from one event to the next. It proves what only the real client shows: the bytes of the prelude, the
 * delivery piece by piece, and that the process outlives a failure.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { basename, dirname, extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readStreamedAnswer, type StreamedAnswer } from './prelude.ts';
import { type RuntimeAnswer, type RuntimeApi, startRuntimeApi } from './runtime-api.ts';

interface LambdaEngineOptions {
  /** The module to run, for example `dist/chat-completions/index.mjs`; an absolute path. */
  readonly bundle: string;
  /** Name of the exported handler. */
  readonly handler?: string;
  /** What the function finds in its environment, beside what Lambda sets. Nothing else is passed on. */
  readonly environment: Readonly<Record<string, string>>;
  /** What gives the runtime client its compiled part; of itself the one that is written in TypeScript. */
  readonly preload?: string;
  /** The memory of the function, in MB: the default of the setting `memory`, if absent. */
  readonly memory?: number;
}

export interface LambdaEngine {
  readonly pid: number | undefined;
  alive(): boolean;
  /** What the process wrote to its log so far. */
  log(): string;
  /** Resolves when the answer begins. Rejects when the function failed before it streamed, or the process died. */
  invoke(event: unknown, options?: { readonly timeoutMs?: number }): Promise<StreamedAnswer>;
  close(): Promise<void>;
}

export async function startLambdaEngine(options: LambdaEngineOptions): Promise<LambdaEngine> {
  const api = await startRuntimeApi();
  const child = startProcess(options, api.address);
  const log = collectLog(child);
  const exited = once(child, 'exit').then(() =>
    api.failAll(new Error(`The process of the function ended. ${log()}`)),
  );
  return {
    pid: child.pid,
    alive: () => child.exitCode === null && child.signalCode === null,
    log,
    invoke: (event, { timeoutMs = 30_000 } = {}) => invoke(api, event, timeoutMs),
    async close() {
      child.kill('SIGKILL');
      await exited;
      await api.close();
    },
  };
}

async function invoke(api: RuntimeApi, event: unknown, timeoutMs: number): Promise<StreamedAnswer> {
  const answer = await api.invoke(randomUUID(), event, timeoutMs);
  if (answer.kind === 'error') throw await readFailure(answer);
  return readStreamedAnswer(answer.request);
}

async function readFailure({ request }: RuntimeAnswer): Promise<Error> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return new Error(`The function failed: ${Buffer.concat(parts).toString('utf8')}`);
}

function startProcess(options: LambdaEngineOptions, runtimeApi: string): ChildProcess {
  const client = createRequire(import.meta.url).resolve('aws-lambda-ric');
  const preload = options.preload ?? fileURLToPath(new URL('./preload.ts', import.meta.url));
  const { memory = defaultMemory } = options;
  return spawn(process.execPath, [...memoryFlags(memory), '--import', pathToFileURL(preload).href, client], {
    env: { ...lambdaEnvironment(options, runtimeApi), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The default of `memory` in infra/settings/groups/general.ts. */
const defaultMemory = 256;

/** How Lambda starts Node. Source: `/var/runtime/bootstrap` of the runtime, as in public copies of it. */
function memoryFlags(memory: number): readonly string[] {
  const young = Math.floor(memory / 10);
  return [
    '--expose-gc',
    '--max-http-header-size=81920',
    `--max-semi-space-size=${Math.floor(young / 2)}`,
    `--max-old-space-size=${memory - young}`,
  ];
}

/** What Lambda sets for the process of a function. */
export function lambdaEnvironment(
  {
    bundle,
    handler = 'handler',
    memory = defaultMemory,
  }: Pick<LambdaEngineOptions, 'bundle' | 'handler' | 'memory'>,
  runtimeApi: string,
) {
  const name = basename(bundle, extname(bundle));
  return {
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    AWS_LAMBDA_FUNCTION_NAME: 'local',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${memory}`,
    AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/local',
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_REGION: 'us-east-1',
    LAMBDA_TASK_ROOT: dirname(bundle),
    _HANDLER: `${name}.${handler}`,
  };
}

function collectLog(child: ChildProcess): () => string {
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8');
}
