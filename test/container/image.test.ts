/**
 * The container image without an engine: its root file system is assembled from what the Dockerfile copies, and its programs run in it
 * as an engine would run them: with nothing else in sight, as a user without rights, on a file system that is read-only.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programs } from '../../build/build.ts';
import { nodePath } from '../../build/container/assemble.ts';
import { tableNames, tables } from '../../lib/core/tables.ts';
import { chatAnswer, chatChunk, dataLine } from '../harness/chat-answers.ts';
import { openLedger } from '../harness/ledger.ts';
import { postJson } from '../harness/post.ts';
import { type StreamsEngine, startStreamsEngine } from '../harness/streams-engine.ts';
import { answerJson, startUpstream, type Upstream } from '../harness/upstream.ts';
import { copiedPaths, root } from './dockerfile.ts';

const run = promisify(execFile);

/** Why it cannot be assembled here; undefined if it can. */
const notHere =
  process.platform === 'linux' && works('ldd', [process.execPath]) ? undefined : 'no Linux with glibc';

/** A mount of its own makes the files read-only for every user, as engines do, which also mount `/proc`. */
const ownMounts =
  'mount --bind "$0" "$0" && mount --bind /proc "$0/proc" && mount -o remount,ro,bind "$0" && exec "$@"';

/** Why it cannot run here; undefined if it can. */
const notConfined =
  notHere ??
  (process.getuid?.() === 0 &&
  works('unshare', ['-m', 'sh', '-c', 'mount --bind /tmp /tmp && exec chroot / true'])
    ? undefined
    : 'needs root, chroot and mounts');

function works(command: string, parameters: readonly string[]): boolean {
  try {
    execFileSync(command, parameters, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const maxMegabytes = 150;
let directory: string;
let image: string;
let files: readonly { readonly path: string; readonly bytes: number }[];

/** Assembles as the build stage does: from its copies alone. */
beforeAll(async () => {
  if (notHere) return;
  directory = await mkdtemp(join(tmpdir(), 'gateway-container-'));
  image = join(directory, 'image');
  const context = join(directory, 'context');
  for (const path of copiedPaths()) {
    await mkdir(dirname(join(context, path)), { recursive: true });
    await cp(join(root, path), join(context, path), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(context, 'node_modules'));
  const program = `import { assembleImage } from './build/container/assemble.ts';
    console.log(JSON.stringify(await assembleImage(process.argv[1])))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program, image], {
    cwd: context,
  });
  files = JSON.parse(stdout);
  // What engines mount: here it names the provider, to see that names are looked up.
  await mkdir(join(image, 'proc'));
  await writeFile(join(image, 'etc/hosts'), '127.0.0.1 localhost provider.test\n');
  await run('chmod', ['-R', 'a-w,a+rX', image]);
  await run('chmod', ['755', directory]);
}, 120_000);
afterAll(async () => {
  if (notHere) return;
  await run('chmod', ['-R', 'u+w', image]);
  await rm(directory, { recursive: true });
});

describe.skipIf(notHere)(`what is in the image (${notHere ?? 'assembled'})`, () => {
  test(`less than ${maxMegabytes} MB`, () => {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes).toBeGreaterThan(50e6);
    expect(bytes).toBeLessThan(maxMegabytes * 1e6);
  });

  test('Node, its libraries, the programs with their licences, the page, and nothing else', () => {
    const known = [
      /^usr\/bin\/node$/,
      /^(usr\/)?lib(64)?\/([\w-]+\/)?(ld-linux[\w-]*|lib(c|dl|m|pthread|gcc_s|stdc\+\+|atomic))\.so\.\d+$/,
      /^usr\/share\/doc\/[\w+-]+\/(copyright|LICENSE)$/,
      /^etc\/(passwd|group|nsswitch\.conf)$/,
      /^app\/(LICENSE|health\.mjs)$/,
      /^app\/server\/page\/(index\.html|licences\.txt|assets\/[\w-]+-[A-Z0-9]{8}\.(js|css|svg))$/,
      new RegExp(
        `^app/(${Object.keys(programs).join('|')})/([\\w-]+\\.(mjs|wasm)|licences\\.txt|(admin-)?openapi\\.json)$`,
      ),
    ];
    expect(files.map(({ path }) => path).filter((path) => !known.some((form) => form.test(path)))).toEqual(
      [],
    );
    for (const name of Object.keys(programs)) {
      const own = files.filter(({ path }) => path.startsWith(`app/${name}/`)).map(({ path }) => path);
      expect(own).toContain(`app/${name}/index.mjs`);
      expect(own).toContain(`app/${name}/licences.txt`);
    }
  });
});

interface Running {
  readonly process: ChildProcess;
  readonly lines: string[];
  /** Resolves with the first line that has the text. */
  line(text: string): Promise<string>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

/** Runs Node in the image, and returns at once. */
function start(parameters: readonly string[], variables: Readonly<Record<string, string>>): Running {
  const confined = ['chroot', '--userspec=65532:65532', image, `/${nodePath}`, ...parameters];
  const child = spawn('unshare', ['-m', 'sh', '-c', ownMounts, image, ...confined], {
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => lines.push(line));
  return {
    process: child,
    lines,
    async line(text) {
      const found = () => lines.find((line) => line.includes(text));
      await expect.poll(found, { timeout: 30_000, interval: 20 }).toBeDefined();
      return found() ?? '';
    },
    ended: once(child, 'close').then(([code]) => code),
  };
}

/** Runs it to its end. */
async function finish(parameters: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const running = start(parameters, variables);
  return { code: await running.ended, output: running.lines };
}

describe.skipIf(notConfined)(
  `the programs in the image (${notConfined ?? 'confined'})`,
  { timeout: 90_000 },
  () => {
    let engine: StreamsEngine;
    let provider: Upstream;
    let variables: Readonly<Record<string, string>>;
    let apiKey = '';
    const started: Running[] = [];

    beforeAll(async () => {
      engine = await startStreamsEngine();
      provider = await startUpstream();
      variables = {
        AWS_REGION: 'us-east-1',
        DYNAMODB_ENDPOINT: engine.endpoint,
        ...Object.fromEntries(tableNames.map((name) => [tables[name].environmentVariable, name])),
        OPENAI_API_KEY: 'test',
        OPENAI_UPSTREAM_URL: `${provider.url.replace('127.0.0.1', 'provider.test')}/v1`,
        HOST: '127.0.0.1',
        PORT: '0',
      };
      const { code, output } = await finish(
        ['/app/gateway/index.mjs', 'setup', '--tenant', 'acme'],
        variables,
      );
      expect(code, output.join('\n')).toBe(0);
      apiKey = output.at(-1) ?? '';
    }, 60_000);
    afterAll(async () => {
      for (const one of started) one.process.kill('SIGKILL');
      await provider.close();
      await engine.close();
    });

    async function serve(): Promise<Running & { readonly url: string }> {
      const server = start(['/app/server/index.mjs'], variables);
      started.push(server);
      const { url } = JSON.parse(await server.line('server listens'));
      return { ...server, url };
    }

    const ask = (url: string, stream: boolean) =>
      postJson(`${url}/v1/chat/completions`, apiKey, {
        model: 'openai/gpt-4.1',
        stream,
        messages: [{ role: 'user', content: 'One word.' }],
      });

    const chunk = (...given: Parameters<typeof chatChunk>) => dataLine(chatChunk(...given));

    test('have no rights: not root, and nothing can be written', async () => {
      const program = `const { writeFileSync } = require('node:fs');
      console.log(process.getuid(), process.getgid(), require('node:os').userInfo().username);
      for (const path of ['/x', '/app/x', '/app/server/index.mjs', '/etc/passwd', '/usr/bin/node'])
        try { writeFileSync(path, ''); console.log('written', path); } catch (error) { console.log(error.code); }`;
      const { output } = await finish(['-e', program]);
      expect(output[0]).toBe('65532 65532 gateway');
      expect(output.slice(1)).toEqual(Array(5).fill('EROFS'));
    });

    test('answer, stream, are healthy, and stop after what runs', async () => {
      const server = await serve();
      const port = new URL(server.url).port;
      for (const path of ['/healthz', '/readyz'])
        expect((await finish(['/app/health.mjs', path], { PORT: port })).code, server.lines.join('\n')).toBe(
          0,
        );
      provider.script(answerJson(chatAnswer('Word')));
      const whole = await ask(server.url, false);
      expect(whole.status, server.lines.join('\n')).toBe(200);
      expect(await whole.json()).toMatchObject({ choices: [{ message: { content: 'Word' } }] });

      let finishStream = () => {};
      provider.script((_, response) => {
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(chunk({ role: 'assistant', content: 'Wo' }));
        finishStream = () => response.end(`${chunk({ content: 'rd' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
      });
      const streamed = await ask(server.url, true);
      const reader = streamed.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      const read = async () => {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        text += value ?? '';
        return !done;
      };
      while (!text.includes('Wo')) await read();
      server.process.kill('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 300));
      finishStream();
      while (await read());
      expect(text).toContain('"rd"');
      expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
      expect(await server.ended).toBe(0);
      expect((await finish(['/app/health.mjs'], { PORT: port })).code).toBe(1);
    });

    test('add up what was used, by the stream of the table', async () => {
      const aggregator = start(['/app/aggregate-stream/index.mjs'], variables);
      started.push(aggregator);
      const { port } = JSON.parse(await aggregator.line('aggregator listens'));
      const ledger = openLedger(engine.endpoint);
      try {
        await expect
          .poll(async () => (await ledger.sums('acme')).requests, { timeout: 30_000, interval: 100 })
          .toBeGreaterThan(0);
      } finally {
        await ledger.close();
      }
      expect((await finish(['/app/health.mjs', '/readyz'], { PORT: String(port) })).code).toBe(0);
      aggregator.process.kill('SIGTERM');
      expect(await aggregator.ended, aggregator.lines.join('\n')).toBe(0);
    });

    test('report what is missing, and end', async () => {
      const server = await finish(['/app/server/index.mjs'], { PORT: 'many' });
      expect(server.code).toBe(1);
      expect(server.output.join('\n')).toContain('PORT must be a whole number');
      const setup = await finish(['/app/gateway/index.mjs', 'setup']);
      expect(setup.code).toBe(2);
      expect(setup.output.join('\n')).toContain('Missing environment variables: CATALOG_TABLE');
      expect((await finish(['/app/run-export/index.mjs', '2020-01-01'], variables)).code).toBe(1);
    });
  },
);

const hasEngine = process.env.GATEWAY_TEST_IMAGE !== undefined && works('docker', ['info']);

test.skipIf(!hasEngine)(
  `the real image is small and runs read-only (${hasEngine ? 'docker' : 'needs GATEWAY_TEST_IMAGE=1 and an engine'})`,
  { timeout: 900_000 },
  async () => {
    const name = 'model-gateway-test';
    await run('docker', ['build', '--quiet', '--tag', name, root]);
    const { stdout } = await run('docker', ['image', 'inspect', '--format', '{{.Size}}', name]);
    expect(Number(stdout)).toBeLessThan(maxMegabytes * 1e6);
    const confined = [
      'run',
      '--rm',
      '--read-only',
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges',
      name,
    ];
    const version = await run('docker', [...confined, '--version']);
    expect(version.stdout.trim()).toBe(process.version);
    const help = await run('docker', [...confined, '/app/gateway/index.mjs', '--help']);
    expect(help.stdout).toContain('setup');
  },
);
