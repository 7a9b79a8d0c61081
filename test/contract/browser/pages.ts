/** A web page for tests: its script calls the gateway in a real browser, and the page sends home what it saw. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { end } from '../../harness/listening.ts';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser on this machine; undefined if there is none. */
export const browser = candidates.find((path) => existsSync(path));

export interface PageServer {
  /** The origin of its page. */
  readonly origin: string;
  /** Opens the page with this script, and resolves with what the script gave to `report`. */
  open(script: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function startPageServer(): Promise<PageServer> {
  let script = '';
  let seen = Promise.withResolvers<unknown>();
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      seen.resolve(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()));
      response.end();
      return;
    }
    const type = request.url === '/script.js' ? 'text/javascript' : 'text/html';
    const page = '<!doctype html><meta charset="utf-8"><script type="module" src="/script.js"></script>';
    response.writeHead(200, { 'content-type': type }).end(request.url === '/script.js' ? script : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async open(source) {
      seen = Promise.withResolvers();
      script = await bundle(source);
      const profile = await mkdtemp(join(tmpdir(), 'page-'));
      const options = [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        `--user-data-dir=${profile}`,
      ];
      const child = spawn(browser ?? '', [...options, origin], { stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      try {
        return await Promise.race([seen.promise, ended]);
      } finally {
        child.kill('SIGKILL');
        await ended;
        await rm(profile, { recursive: true, force: true, maxRetries: 10 });
      }
    },
    close: () => end(server),
  };
}

/** With the packages that it imports. Failures of the script are reported too. */
async function bundle(source: string): Promise<string> {
  const contents = `
    const report = (seen) => fetch('/', { method: 'POST', body: JSON.stringify(seen) });
    addEventListener('unhandledrejection', ({ reason }) => report({ failed: String(reason) }));
    ${source}`;
  const stdin = { contents, resolveDir: import.meta.dirname, loader: 'js' } as const;
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
