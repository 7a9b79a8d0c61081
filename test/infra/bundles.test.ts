/** The built Lambda functions: they are self-contained and start, and the seed fills a real table. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { buildBundles, bundles, functions, programs, sourceMapsOf } from '../../build/build.ts';
import { licencesName } from '../../build/packages/licences.ts';
import { usedTables } from '../../build/undici-parts.ts';
import { seedRows } from '../../infra/catalog/seed.ts';
import { deployedAdminOperations } from '../../lib/core/admin/admin-operations.ts';
import { functionNames } from '../../lib/core/operations.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { webBundle } from '../../server/web/web-operations.ts';
import { measureBundles } from '../bench/figures/bundles.ts';
import type { Bundle } from '../bench/measured.ts';
import { built } from '../harness/built.ts';
import { startTestDatabase } from '../stores/database.ts';

const run = promisify(execFile);
const awsKeys = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
let directory = '';

beforeAll(async () => {
  directory = await built();
});

/** Calls with a directory that is removed afterwards. */
async function withDirectory(use: (own: string) => Promise<void>): Promise<void> {
  const own = await mkdtemp(join(tmpdir(), 'gateway-bundles-'));
  await use(own);
  await rm(own, { recursive: true });
}

/** Runs a program that imports a bundle as `bundle`, in a new process without any packages. */
async function withBundle(name: string, program: string, variables: Record<string, string> = {}) {
  const file = join(directory, name, 'index.mjs');
  // Lambda's runtime for functions that stream.
  const platform = 'globalThis.awslambda = { streamifyResponse: (handler) => handler };';
  const source = `${platform} const bundle = await import(${JSON.stringify(file)}); ${program}; process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: directory,
    env: { AWS_REGION: 'us-east-1', ...variables },
  });
  return stdout;
}

test('there is one for each operation, for background responses, batches, the aggregator, exports, the seed, the dashboard, Web Functions and each program of the image', async () => {
  const others = [
    'aggregate',
    'background',
    'batches-run',
    'export',
    'seed',
    'admin',
    webBundle,
    ...Object.keys(programs),
  ];
  expect((await readdir(directory)).sort()).toEqual([...functionNames, ...others].sort());
});

test('they contain modules, their licences and documents', async () => {
  for (const name of Object.keys(bundles)) {
    const files = await readdir(join(directory, name));
    const others = files.filter((file) => !/\.(mjs|wasm)$|openapi\.json$/.test(file));
    expect(others).toEqual([licencesName]);
  }
});

/** A package may name sources in its own map that it does not contain. */
const isOfPackage = (source: string) => source.startsWith('node_modules/');

test('each module of a bundle has a source map, with project paths and no sources', async () => {
  const root = join(import.meta.dirname, '../..');
  const maps = await sourceMapsOf('chat-completions');
  const files = await readdir(join(directory, 'chat-completions'));
  expect([...maps.keys()].sort()).toEqual(files.filter((file) => file.endsWith('.mjs')).sort());
  const payloads = [...maps.values()].map(({ payload }) => payload);
  const named = payloads.flatMap(({ sources }) => sources);
  expect(payloads.flatMap(({ sourcesContent, sourceRoot }) => sourcesContent ?? sourceRoot ?? [])).toEqual(
    [],
  );
  expect(named).toContain('lib/http/serve.ts');
  const missing = named.filter(
    (source) => isAbsolute(source) || !(isOfPackage(source) || existsSync(join(root, source))),
  );
  expect(missing).toEqual([]);
});

test('a build does not depend on its directory, so that positions in its files fit its commit', async () => {
  const entries = { 'usage-retrieve': bundles['usage-retrieve'] ?? '', models: bundles.models ?? '' };
  await withDirectory((one) =>
    withDirectory(async (other) => {
      for (const output of [one, other]) await buildBundles(entries, output);
      for (const name of Object.keys(entries))
        expect(await contentsOf(join(other, name))).toEqual(await contentsOf(join(one, name)));
    }),
  );
});

/** The files of a directory by name. */
async function contentsOf(path: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isFile());
  const read = names.map(async ({ name }) => [name, await readFile(join(path, name), 'utf8')]);
  return Object.fromEntries(await Promise.all(read));
}

test('each function is self-contained, starts and has a handler', async () => {
  const files = Object.keys(functions).map((name) => [name, join(directory, name, 'index.mjs')]);
  const program = `const kinds = {};
    for (const [name, file] of ${JSON.stringify(files)}) kinds[name] = typeof (await import(file)).handler;
    process.stdout.write(JSON.stringify(kinds))`;
  // With a level, they load Powertools, too.
  const variables = { GATEWAY_OPERATION: 'admin-keys-list', LOG_LEVEL: 'WARN' };
  const kinds = JSON.parse(await withBundle('models', program, variables));
  expect(kinds).toEqual(Object.fromEntries(files.map(([name]) => [name, 'function'])));
});

test.each(['server', 'aggregate-stream', webBundle])(
  '%s says why it does not start, where a level leaves out lines',
  async (name) => {
    const started = run(process.execPath, [join(directory, name, 'index.mjs')], {
      env: { LOG_LEVEL: 'ERROR' },
    });
    const { code, stderr } = await started.catch((failed) => failed);
    expect([code, JSON.parse(stderr).message]).toEqual([1, expect.stringContaining('did not start')]);
  },
);

test('the program of the dashboard has a function for each operation, and for no other name', async () => {
  const names = [...deployedAdminOperations.map(({ name }) => name), 'admin-missing'];
  const program = `const kinds = [];
    for (const name of ${JSON.stringify(names)}) {
      process.env.GATEWAY_OPERATION = name;
      kinds.push(await import(${JSON.stringify(join(directory, 'admin', 'index.mjs'))} + '?' + name).then((it) => typeof it.handler, String));
    }
    process.stdout.write(JSON.stringify(kinds))`;
  const kinds = await withBundle('admin', program, { GATEWAY_OPERATION: 'admin-keys-list' });
  expect(JSON.parse(kinds)).toEqual([
    ...deployedAdminOperations.map(() => 'function'),
    "RangeError: GATEWAY_OPERATION names no operation: 'admin-missing'.",
  ]);
});

/** Text in every client of the AWS SDK. */
const awsSdk = /aws-sdk-js|@aws-sdk\//;

test('none contains the AWS SDK', async () => {
  for (const name of Object.keys(bundles)) {
    for (const file of await readdir(join(directory, name)))
      expect(await readFile(join(directory, name, file), 'utf8'), `${name}/${file}`).not.toMatch(awsSdk);
  }
});

test('a bundle with the AWS SDK would be detected', async () => {
  const contents = "export { CloudFormationClient } from '@aws-sdk/client-cloudformation';";
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    minify: true,
    write: false,
  });
  expect(outputFiles[0]?.text).toMatch(awsSdk);
});

/** In KB: what the build has, and one more; 100 KB take 5 to 8 ms to load at a cold start. What few requests need is loaded when they need it. */
const largestAtStart: Readonly<Record<string, number>> = {
  'chat-completions': 315,
  responses: 359,
  'responses-retrieve': 171,
  'responses-cancel': 171,
  'responses-delete': 170,
  'responses-input-items': 149,
  'responses-input-tokens': 341,
  'responses-compact': 345,
  embeddings: 235,
  'images-generations': 246,
  moderations: 233,
  rerank: 231,
  'audio-speech': 236,
  'audio-transcriptions': 242,
  models: 125,
  'models-retrieve': 125,
  'usage-retrieve': 145,
  'usage-request': 147,
  openapi: 120,
  messages: 340,
  'messages-count-tokens': 322,
  completions: 290,
  files: 150,
  batches: 194,
  'streams-retrieve': 135,
  aggregate: 130,
  background: 367,
  'batches-run': 516,
  export: 99,
  // The rows of all models, with their prices by tier, and the ways of Bedrock by region.
  seed: 282,
  // The primary process.
  server: 39,
  // The operation is loaded while the secrets are read.
  web: 243,
  'aggregate-stream': 154,
  'run-export': 110,
  // Without the operation, which it loads next.
  admin: 229,
  gateway: 947,
};

test('none loads more at its start than its limit', async () => {
  const sizes = await measureBundles(directory);
  expect(sizes.map(({ name }) => name).sort()).toEqual(Object.keys(largestAtStart).sort());
  const isWithin = ({ name, atStart }: Bundle) => atStart > 10 && atStart <= (largestAtStart[name] ?? 0);
  expect(sizes.filter((size) => !isWithin(size))).toEqual([]);
});

test('undici reads only the parser tables that the bundles contain', async () => {
  const client = createRequire(import.meta.url).resolve('undici/lib/dispatcher/client-h1.js');
  const reads = (await readFile(client, 'utf8')).matchAll(/[^/]constants(?:\.(\w+)|\[)/g);
  expect(new Set([...reads].map(([, table]) => table))).toEqual(new Set(usedTables));
});

/** Consecutive tokens of the encoding. */
const tokensOnly = /" the",\s*"re",\s*"on"|" indemn"/;

test('the tokens of the tokenizer are in a separate file, only where tokens are counted', async () => {
  const holders: string[] = [];
  for (const name of Object.keys(bundles)) {
    for (const file of await readdir(join(directory, name))) {
      const text = await readFile(join(directory, name, file), 'utf8');
      if (tokensOnly.test(text)) holders.push(`${name}/${file.replace(/-.*/, '')}`);
    }
  }
  expect(holders).toEqual([
    'responses-input-tokens/count',
    'messages-count-tokens/count',
    'embeddings/chunk',
    // A server works on batches itself: they come with the operations.
    'batches/chunk',
    'batches-run/chunk',
    'server/chunk',
  ]);
});

test.each([
  ['embeddings', 'byte-pairs', "String(part.countTokens('one two three', 100).next().value)", '3'],
  [
    'chat-completions',
    'media-fetcher',
    "await part.createMediaFetcher()('https://127.0.0.1/a.png', { kind: 'image', param: 'p' }).catch(String)",
    'GatewayError: The image could not be fetched: its host is not on the public internet.',
  ],
])('what %s load later, %s, is found beside them', async (name, part, call, answer) => {
  const files = await readdir(join(directory, name));
  const chunk = files.find((file) => file.startsWith(`${part}-`)) ?? 'none';
  const program = `const part = await import(${JSON.stringify(join(directory, name, chunk))});
    process.stdout.write(${call})`;
  expect(await withBundle(name, program, awsKeys)).toBe(answer);
  expect((await startFilesOf(name)).join('\n')).toContain(`import("./${chunk}")`);
});

/** The texts of the modules that a bundle loads at its start. */
async function startFilesOf(name: string): Promise<readonly string[]> {
  const files = new Set(['index.mjs']);
  const texts: string[] = [];
  for (const file of files) {
    const text = await readFile(join(directory, name, file), 'utf8');
    texts.push(text);
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s?"\.\/([^"]+\.mjs)"/g))
      files.add(imported);
  }
  return texts;
}

/**
 * Each is found, read, compiled and linked by itself, however small it is. What a function loads at its start and what it loads later
 * may both need a module, which is then a file of its own.
 */
test.each(Object.keys(functions))('%s loads its start from few files', async (name) => {
  expect((await startFilesOf(name)).length).toBeLessThanOrEqual(4);
});

test("none imports what is Node's as a module, of which Node would read every export", async () => {
  for (const name of [...Object.keys(functions), webBundle])
    expect((await startFilesOf(name)).join('\n'), name).not.toMatch(/(?:from|import)\s?"node:/);
});

test('a build removes files of an earlier one', async () => {
  await withDirectory(async (own) => {
    await mkdir(join(own, 'models'));
    await writeFile(join(own, 'models', 'byte-pairs-OLD.mjs'), '');
    await buildBundles({ models: bundles.models ?? '' }, own);
    const files = await readdir(join(own, 'models'));
    expect(files).toContain('index.mjs');
    expect(files).not.toContain('byte-pairs-OLD.mjs');
  });
});

test('the seed fills the catalog, and can run again', async () => {
  const database = await startTestDatabase(['catalog']);
  const variables = {
    CATALOG_TABLE: 'catalog',
    DYNAMODB_ENDPOINT: database.endpoint,
    ...awsKeys,
  };
  const said = { message: 'catalog seeded', written: seedRows.length, kept: 0 };
  try {
    for (const _ of ['first', 'again'])
      expect(JSON.parse(await withBundle('seed', 'await bundle.handler()', variables))).toEqual(said);
    const stored = await createCatalogStore({ call: database.call, table: 'catalog' }).list();
    expect(stored).toHaveLength(seedRows.length);
  } finally {
    await database.close();
  }
});

test('the seed fails without a table, so that the deployment fails too', async () => {
  await expect(withBundle('seed', 'await bundle.handler()', awsKeys)).rejects.toThrow('CATALOG_TABLE');
});
