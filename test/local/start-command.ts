/** The command `npm start` in a process of its own, with a directory for each test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { compileCache } from '../harness/compile-cache.ts';
import { copySeededDatabase } from '../harness/gateways/seeded-database.ts';

const command = join(import.meta.dirname, '../../local/start.ts');

export function useStartCommand() {
  let directory: string;
  let running: ChildProcess[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gateway-'));
    running = [];
    await copySeededDatabase(join(directory, 'data'));
  });

  afterEach(async () => {
    for (const child of running) child.kill('SIGKILL');
    await rm(directory, { recursive: true });
  });

  function run(environment: NodeJS.ProcessEnv = {}, onTerminal = false) {
    const env = {
      PATH: process.env.PATH,
      ...compileCache(),
      PORT: '0',
      GATEWAY_DATA_DIR: join(directory, 'data'),
      ...environment,
    };
    const words = [process.execPath, command];
    const [program = '', ...parameters] = onTerminal
      ? ['script', '-qefc', `exec ${words.join(' ')}`, '/dev/null']
      : words;
    const child = spawn(program, parameters, { cwd: directory, env });
    running.push(child);
    const parts: Buffer[] = [];
    child.stdout.on('data', (part) => parts.push(part));
    child.stderr.on('data', (part) => parts.push(part));
    const output = () => Buffer.concat(parts).toString('utf8');
    return { child, output, exited: once(child, 'exit').then(([code]) => code) };
  }

  async function start(environment?: NodeJS.ProcessEnv, onTerminal = false) {
    const started = run(environment, onTerminal);
    await expect.poll(started.output, { timeout: 60_000 }).toContain('Ctrl-C');
    const printed = (name: string) =>
      new RegExp(`^${name}=(\\S+)\\r?$`, 'm').exec(started.output())?.[1] ?? '';
    const anthropicUrl = printed('ANTHROPIC_BASE_URL');
    return { ...started, url: printed('OPENAI_BASE_URL'), anthropicUrl, key: printed('OPENAI_API_KEY') };
  }

  async function stop({ child, exited }: ReturnType<typeof run>, signal: NodeJS.Signals) {
    child.kill(signal);
    expect(await exited).toBe(0);
  }

  return { directory: () => directory, run, start, stop };
}
