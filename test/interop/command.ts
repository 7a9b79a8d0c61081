/** Runs a command to its end, and no longer than allowed. */
import { spawn } from 'node:child_process';

export interface Done {
  /** Null where it was stopped, or could not start. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly env?: NodeJS.ProcessEnv;
}

export async function runCommand(
  command: string,
  words: readonly string[],
  options: CommandOptions,
): Promise<Done> {
  // A group of its own, so that what it starts ends with it.
  const child = spawn(command, words, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const stop = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(() => {
    stderr += `\nStopped after ${options.timeoutMs / 1000} s.`;
    stop();
  }, options.timeoutMs);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', ({ message }) => {
      stderr += message;
      resolve(null);
    });
    child.on('close', (status) => resolve(status));
  });
  clearTimeout(timer);
  return { code, stdout, stderr };
}
