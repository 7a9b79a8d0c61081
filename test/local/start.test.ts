/**
 * The command that starts the gateway, as a user meets it: what it prints works, and its state outlives it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const command = join(import.meta.dirname, '../../infra/local/start.ts');

describe('npm start', () => {
  let directory: string;
  let running: ChildProcess[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gateway-'));
    running = [];
  });

  afterEach(async () => {
    for (const child of running) child.kill('SIGKILL');
    await rm(directory, { recursive: true });
  });

  function run(environment: NodeJS.ProcessEnv = {}) {
    const env = {
      PATH: process.env.PATH,
      PORT: '0',
      GATEWAY_DATA_DIR: join(directory, 'data'),
      ...environment,
    };
    const child = spawn(process.execPath, [command], { cwd: directory, env });
    running.push(child);
    const parts: Buffer[] = [];
    child.stdout.on('data', (part) => parts.push(part));
    child.stderr.on('data', (part) => parts.push(part));
    const output = () => Buffer.concat(parts).toString('utf8');
    return { child, output, exited: once(child, 'exit').then(([code]) => code) };
  }

  async function start(environment?: NodeJS.ProcessEnv) {
    const started = run(environment);
    await expect.poll(started.output, { timeout: 20_000 }).toContain('Ctrl-C');
    const printed = (name: string) => new RegExp(`^${name}=(\\S+)$`, 'm').exec(started.output())?.[1] ?? '';
    return { ...started, url: printed('OPENAI_BASE_URL'), key: printed('OPENAI_API_KEY') };
  }

  async function stop({ child, exited }: ReturnType<typeof run>, signal: NodeJS.Signals) {
    child.kill(signal);
    expect(await exited).toBe(0);
  }

  test('prints a request that works when pasted', async () => {
    const gateway = await start();
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(gateway.key).toMatch(/^mgw_\w{40}$/);
    const curl = /^curl .*$/m.exec(gateway.output())?.[0] ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: expect.stringContaining('sandbox') } }],
    });
    await stop(gateway, 'SIGINT');
  });

  test('keeps the key and the state over a restart', async () => {
    const first = await start();
    await stop(first, 'SIGTERM');
    expect((await stat(join(directory, 'data/first-key'))).mode & 0o777).toBe(0o600);
    const second = await start();
    expect(second.key).toBe(first.key);
    const response = await fetch(`${second.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(400);
    await stop(second, 'SIGTERM');
  });

  test('says what is wrong with a port or a second start, and ends with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const busy = run({ PORT: String(port) });
    expect(await busy.exited).toBe(1);
    expect(busy.output()).toContain(`Port ${port} is in use`);
    other.close();
    const bad = run({ PORT: 'eighty' });
    expect(await bad.exited).toBe(1);
    expect(bad.output()).toContain('PORT must be a number');
    const gateway = await start();
    const second = run();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain('in use by process');
    await stop(gateway, 'SIGTERM');
  });

  test('calls a provider for real when .env has its key', async () => {
    await writeFile(join(directory, '.env'), 'ANTHROPIC_API_KEY=from-file\nPORT=1\n');
    const gateway = await start();
    expect(gateway.output()).toMatch(/anthropic +real/);
    expect(gateway.output()).toMatch(/google +sandbox/);
    await stop(gateway, 'SIGTERM');
  });

  test('shares its .env with the command that makes keys', async () => {
    await writeFile(join(directory, '.env'), 'GATEWAY_DATA_DIR=named-in-file\n');
    const gateway = await start({ GATEWAY_DATA_DIR: undefined });
    const tool = join(import.meta.dirname, '../../infra/cli/gateway.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [tool, 'keys', 'list'], {
      cwd: directory,
      env: { PATH: process.env.PATH },
    });
    expect(stdout).toContain('first key');
    await stop(gateway, 'SIGTERM');
  });
});
