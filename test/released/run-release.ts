/** Releases from the history of the project, each in a folder of its own with today's packages, and their gateways and commands in processes. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { compileCache } from '../harness/compile-cache.ts';

export const root = join(import.meta.dirname, '../..');

/** Whether the history goes back so far: that of a shallow clone does not. */
export function isInHistory(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The folder of a release. Node runs TypeScript only outside of node_modules. */
export function unpack(commit: string): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-release-'));
  const archive = join(folder, 'release.tar');
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: root });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface ReleasedGateway {
  readonly url: string;
  /** Sends a request with a key; the parsed answer, or its text if it is a stream. */
  ask(key: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Runs the release's own command line; its output. Rejects if it fails. */
  command(line: string): Promise<string>;
  close(): Promise<void>;
}

export async function startRelease(folder: string, dataDirectory: string): Promise<ReleasedGateway> {
  mkdirSync(dataDirectory, { recursive: true });
  const environment = { PATH: process.env.PATH, ...compileCache(), GATEWAY_DATA_DIR: dataDirectory };
  const served = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts'), folder, dataDirectory], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: environment,
    cwd: dataDirectory,
  });
  const ended = once(served, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: served.stdout }).on('line', (line) => {
      if (line.startsWith('{"url"')) resolve(JSON.parse(line).url);
    });
    void ended.then(([code]) => reject(new Error(`The gateway of ${folder} ended with ${code}.`)));
  });
  return {
    url,
    async ask(key, path, body) {
      const answer = await fetch(url + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    async command(line) {
      const room = existsSync(join(folder, 'cli')) ? folder : join(folder, 'infra');
      const tool = join(room, 'cli/gateway.ts');
      const options = { env: environment, cwd: dataDirectory };
      return (await promisify(execFile)(process.execPath, [tool, ...line.split(' ')], options)).stdout;
    },
    async close() {
      served.stdin.end();
      await ended;
    },
  };
}
