/** Processes that a test starts, talks to and ends at once. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { shiftedClock } from '../../harness/shifted-clock.ts';

interface ChildOptions {
  /** A file of this folder. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  /** How much later it runs, by its clock. */
  readonly shiftMs: number;
  /** Called with each line that it prints. */
  readonly onLine: (line: string) => void;
}

export interface Child {
  /** Its first message. */
  readonly greeting: unknown;
  readonly process: ChildProcess;
  /** Ends it without a word (`kill -9`), and resolves when all that it printed was read. */
  kill(): Promise<void>;
}

/** Resolves when it is ready. */
export async function startChild({ file, environment, shiftMs, onLine }: ChildOptions): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), [], {
    env: { PATH: process.env.PATH, ...environment },
    execArgv: [shiftedClock(shiftMs)],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const closed = once(child, 'close');
  for (const output of [child.stdout, child.stderr]) {
    if (output) createInterface({ input: output }).on('line', onLine);
  }
  const [greeting] = await Promise.race([
    once(child, 'message'),
    closed.then(() => Promise.reject(new Error(`${file} ended before it was ready.`))),
  ]);
  return {
    greeting,
    process: child,
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
