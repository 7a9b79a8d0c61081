/** The command `npm start`: its data outlives it, and it stops cleanly. */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { compileCache } from '../harness/compile-cache.ts';
import { postJson } from '../harness/post.ts';
import { useStartCommand } from './start-command.ts';

/** `script` of util-linux runs a command on a pseudo terminal. */
const hasScript = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

describe('npm start', { timeout: 120_000 }, () => {
  const { directory, run, start, stop } = useStartCommand();

  const call = ({ url, key }: { readonly url: string; readonly key: string }, model: string) =>
    postJson(`${url}/chat/completions`, key, {
      model,
      messages: [{ role: 'user', content: 'private words' }],
    });

  test('prints an address that signs in to the dashboard once, and a command prints another', async () => {
    const gateway = await start();
    const addressIn = (text: string) =>
      /^http:\/\/\S+\/dashboard\/start\?token=\S+?\r?$/m.exec(text)?.[0].trim() ?? '';
    const open = async (address: string) => {
      const response = await fetch(address, { redirect: 'manual' });
      return { status: response.status, cookies: response.headers.getSetCookie().length };
    };
    expect(gateway.output()).not.toContain('WARNING');
    const printed = addressIn(gateway.output());
    expect(`${new URL(printed).origin}/v1`).toBe(gateway.url);
    expect(await open(printed)).toEqual({ status: 303, cookies: 1 });
    expect(await open(printed)).toEqual({ status: 303, cookies: 0 });
    const cli = join(import.meta.dirname, '../../cli/gateway.ts');
    const env = { PATH: process.env.PATH, ...compileCache(), GATEWAY_DATA_DIR: join(directory(), 'data') };
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'dashboard'], {
      cwd: directory(),
      env,
    });
    expect(stdout.trim()).toBe(addressIn(stdout));
    expect(await open(stdout.trim())).toEqual({ status: 303, cookies: 1 });
    await stop(gateway, 'SIGTERM');
  });

  test('warns if other machines can call it', async () => {
    const open = await start({ HOST: '0.0.0.0' });
    await expect.poll(open.output).toContain('WARNING: HOST is 0.0.0.0, so every machine');
    expect((await fetch(`${open.url}/models`)).status).toBe(200);
  });

  test('names an address that is not of this machine', async () => {
    const { output, exited } = run({ HOST: '192.0.2.7' });
    expect(await exited).toBe(1);
    expect(output()).toContain('HOST is 192.0.2.7, which is no address of this machine.');
  });

  test('keeps the key and the data after a restart, and writes JSON where it is not a terminal', async () => {
    const first = await start();
    await call(first, 'anthropic/claude-haiku-4-5');
    await expect.poll(first.output).toContain('"message":"request"');
    await stop(first, 'SIGTERM');
    expect((await stat(join(directory(), 'data/first-key'))).mode & 0o777).toBe(0o600);
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

  test('explains a bad port or a second start, with exit code 1', async () => {
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
    expect(second.output()).toMatch(/in use by process \d+\. Stop it, or choose another GATEWAY_DATA_DIR\./);
    await stop(gateway, 'SIGTERM');
  });

  test('names the directory of a damaged database and what to do', async () => {
    const database = join(directory(), 'data/database');
    await mkdir(database, { recursive: true });
    await writeFile(join(database, 'CURRENT'), 'garbage\n');
    const { output, exited } = run();
    expect(await exited).toBe(1);
    expect(output()).toContain(`The database in ${database} is damaged (`);
    expect(output()).toContain('Move or delete that directory and start again');
    expect(output()).not.toMatch(/^ {4}at /m);
  });

  test('calls a provider for real when .env has its key', async () => {
    await writeFile(
      join(directory(), '.env'),
      'ANTHROPIC_API_KEY=from-file\nPORT=1\nAZURE_API_KEY=k\nGROQ_API_KEY=  \n',
    );
    const gateway = await start();
    expect(gateway.output()).toMatch(/anthropic +real/);
    expect(gateway.output()).toMatch(/google +sandbox$/m);
    expect(gateway.output()).toMatch(/groq +sandbox$/m);
    expect(gateway.output()).toMatch(/azure +sandbox \(AZURE_UPSTREAM_URL is missing\)$/m);
    await stop(gateway, 'SIGTERM');
  });

  test('shares its .env with the CLI', async () => {
    await writeFile(join(directory(), '.env'), 'GATEWAY_DATA_DIR=named-in-file\n');
    const gateway = await start({ GATEWAY_DATA_DIR: undefined });
    const tool = join(import.meta.dirname, '../../cli/gateway.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [tool, 'keys', 'list'], {
      cwd: directory(),
      env: { PATH: process.env.PATH, ...compileCache() },
    });
    expect(stdout).toContain('first key');
    await stop(gateway, 'SIGTERM');
  });

  describe.skipIf(!hasScript)('on a terminal', () => {
    const linesOf = (output: string) => stripVTControlCharacters(output).split('\r\n');

    test('writes one readable line for each request, and repeats where the key is', async () => {
      const gateway = await start({}, true);
      expect((await call(gateway, 'anthropic/claude-haiku-4-5')).status).toBe(200);
      const get = (path: string) => fetch(`${gateway.url}${path}`).then((answer) => answer.text());
      await get('/nosuch?secret=1');
      for (let count = 0; count < 18; count += 1) await get('/models');
      await expect.poll(gateway.output).toContain('-- Base URL: ');
      const lines = linesOf(gateway.output());
      const time = String.raw`^\d\d:\d\d:\d\d {2}`;
      const chat = String.raw`POST /v1/chat/completions {2}200 {2}anthropic/claude-haiku-4-5 {2}via anthropic {2}\d+ in, \d+ out {2}\d+ ms$`;
      expect(lines.filter((line) => new RegExp(time + chat).test(line))).toHaveLength(1);
      expect(lines.filter((line) => /GET \/v1\/nosuch {2}404 {2}\d+ ms$/.test(line))).toHaveLength(1);
      expect(lines.filter((line) => /GET \/v1\/models {2}200 {2}/.test(line))).toHaveLength(18);
      const file = join(directory(), 'data/first-key');
      expect(lines).toContain(`-- Base URL: ${gateway.url}, API key: in ${file}`);
      expect(gateway.output()).not.toMatch(/\{"level"|secret=1|private words/);
      gateway.child.stdin?.write('\x03');
      expect(await gateway.exited).toBe(0);
    });

    test('writes JSON with LOG_FORMAT=json', async () => {
      const gateway = await start({ LOG_FORMAT: 'json' }, true);
      await call(gateway, 'anthropic/claude-haiku-4-5');
      await expect.poll(gateway.output).toContain('"message":"request"');
      gateway.child.stdin?.write('\x03');
      expect(await gateway.exited).toBe(0);
    });
  });

  test('says on Ctrl-C that it waits for a request, and stops at once on the next one', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const gateway = await start({ OPENAI_UPSTREAM_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'k' });
    const connected = once(silent, 'connection');
    const answer = call(gateway, 'openai/gpt-5.5').catch(() => 'closed');
    await connected;
    gateway.child.kill('SIGINT');
    const waiting = 'Waiting for 1 request... Press Ctrl-C again to stop now.';
    await expect.poll(gateway.output).toContain(waiting);
    gateway.child.kill('SIGINT');
    // A stop that has waited for the request exits with 0.
    expect(await gateway.exited).toBe(1);
    await answer;
    silent.close();
  });
});
