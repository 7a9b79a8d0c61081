/**
 * Which cores a process runs on: what is measured has the first for itself, and everything else shares the others, so that
 * neither takes the caches of the other. Where `taskset` or a second core is missing, every process runs anywhere.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

type Share = 'measured' | 'rest' | 'all';

const count = availableParallelism();

const sets: Readonly<Record<Share, string>> = {
  measured: '0',
  rest: count > 2 ? `1-${count - 1}` : '1',
  all: `0-${count - 1}`,
};

const canPin = count > 1 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

/** The command that runs `command` on a share of the cores. */
export const onCores = (share: Share, command: readonly string[]): readonly string[] =>
  canPin ? ['taskset', '--cpu-list', sets[share], ...command] : command;

/** Moves this process, with all its threads. What it starts afterwards runs there, too. */
export function moveTo(share: Share): void {
  if (!canPin) return;
  const parameters = ['--all-tasks', '--cpu-list', '--pid', sets[share], `${process.pid}`];
  spawnSync('taskset', parameters, { stdio: 'ignore' });
}
