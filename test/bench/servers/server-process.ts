/** A server in a process of its own: started, asked what it has used, and stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Usage } from './answer-usage.ts';
import { onCores } from './cores.ts';
import { usageOfProcess } from './process-usage.ts';

export interface ServerProcess {
  readonly pid: number;
  /** Everything that it announced when it was ready; `url` without a slash at the end. */
  readonly announced: Readonly<Record<string, string>>;
  /** `collect`: after its garbage is gone. */
  usage(collect?: 'collect'): Promise<Usage>;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** The program, an absolute path. */
  readonly program: string;
  /** What runs it; absent: Node. */
  readonly interpreter?: string;
  readonly parameters?: readonly string[];
  readonly nodeOptions?: readonly string[];
  /** In addition to the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Of what serves all that is measured: the others. */
  readonly cores?: 'rest';
  /** The URL of a program that does not announce its own. */
  readonly url?: string;
}

type Message = { readonly announced?: Readonly<Record<string, string>>; readonly usage?: Usage };

const preload = join(import.meta.dirname, 'answer-usage.ts');

/** How long a server may take to start. */
const timeoutMs = 60_000;

export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { program, parameters = [], nodeOptions = [], environment, interpreter } = options;
  const node = [process.execPath, '--expose-gc', '--import', preload, ...nodeOptions];
  const command = [...(interpreter === undefined ? node : [interpreter]), program, ...parameters];
  const [first = '', ...others] = onCores(options.cores ?? 'measured', command);
  const child = spawn(first, others, {
    env: { ...process.env, ...environment },
    // Log lines are written, as in production, and discarded.
    stdio: ['ignore', 'ignore', 'pipe', interpreter === undefined ? 'ipc' : 'ignore'],
  });
  const errorOutput = lastErrorOutput(child);
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error(`${program} has ended.\n${errorOutput()}`);
  });
  ended.catch(() => {});
  const ready = options.url ? untilFound(options.url) : announcedBy(child);
  return {
    pid: child.pid ?? 0,
    announced: await Promise.race([ready, ended]),
    usage: (collect) =>
      interpreter === undefined
        ? Promise.race([usageOf(child, collect), ended])
        : Promise.resolve(usageOfProcess(child.pid ?? 0)),
    async close() {
      child.kill('SIGINT');
      const killed = await Promise.race([exited, setTimeout(2_000, undefined, { ref: false })]);
      if (killed === undefined) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The end of stderr, shown if the process exits by itself; the client sees the effect of other errors. */
function lastErrorOutput({ stderr }: ChildProcess): () => string {
  let last = '';
  stderr?.on('data', (data: Buffer) => {
    last = (last + data.toString()).slice(-4_000);
  });
  return () => last;
}

async function announcedBy(child: ChildProcess) {
  const { announced = {} } = await message(child);
  return announced;
}

async function usageOf(child: ChildProcess, collect = 'no collection'): Promise<Usage> {
  const answer = message(child);
  child.send(collect);
  const { usage } = await answer;
  if (!usage) throw new Error('The process did not report its usage.');
  return usage;
}

async function message(child: ChildProcess): Promise<Message> {
  const [received]: Message[] = await once(child, 'message');
  return received ?? {};
}

async function untilFound(url: string) {
  const until = performance.now() + timeoutMs;
  while (performance.now() < until) {
    const answers = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (answers) return { url };
    await setTimeout(50);
  }
  throw new Error(`Nothing answers at ${url}.`);
}
