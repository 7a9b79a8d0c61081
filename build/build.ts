/**
 * Builds the Lambda functions, the server that runs them in one process, the Web Functions, the other programs of the container image,
 * and the dashboard's page: one self-contained directory each, `dist/<operation>`, `dist/admin`, `dist/server` and so on. Each starts
 * from its `index.mjs`; code that is loaded on demand is in files next to it, and so are the licences of its packages. The stack deploys
 * these directories. There are no source maps: `build/where.ts` makes them when a trace is read.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild';
import { functionNames } from '../lib/core/operations.ts';
import { webBundle } from '../server/web/web-operations.ts';
import { buildPage, writePage } from './dashboard.ts';
import { eagerFunctions } from './eager/eager-functions.ts';
import { nodeParts } from './node-parts.ts';
import { packagesIn } from './packages/bundled.ts';
import { licencesName, licencesOf } from './packages/licences.ts';
import { showProgress } from './progress.ts';
import { type Chunks, isChunk, loadedBy, oneStartFile, readChunks } from './start-file.ts';
import { undiciParts } from './undici-parts.ts';

/** The directory of the project. */
export const projectDirectory = join(import.meta.dirname, '..');

/** The directory of the bundles, one subdirectory each. */
export const bundlesDirectory = join(projectDirectory, 'dist');

/** Where the dashboard's page is: by itself, and beside the programs that serve it. */
const pageDirectories = ['dashboard', 'admin/page', 'server/page'];

/** Every program of Lambda functions and its entry point, relative to the project. */
export const functions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(functionNames.map((name) => [name, `functions/${name}.ts`])),
  admin: 'functions/admin.ts',
  aggregate: 'functions/aggregate.ts',
  background: 'functions/background.ts',
  'batches-run': 'functions/batches-run.ts',
  export: 'functions/export.ts',
  seed: 'infra/seed/handler.ts',
};

/** The same for the programs of the container image. */
export const programs: Readonly<Record<string, string>> = {
  server: 'server/main.ts',
  'aggregate-stream': 'server/aggregate.ts',
  'run-export': 'server/export.ts',
  gateway: 'cli/container.ts',
};

/** The functions of both kinds. */
const served: Readonly<Record<string, string>> = { ...functions, [webBundle]: 'server/web/main.ts' };

/** Everything that is built. */
export const bundles: Readonly<Record<string, string>> = { ...served, ...programs };

/** Bundles everything into `output`; rejects with esbuild's messages if a source has an error. */
export const buildAll = (output: string = bundlesDirectory): Promise<void> => buildBundles(bundles, output);

/** The same for some entry points, by the names of their directories. The files of one depend on the others that are built with it. */
export async function buildBundles(entries: Readonly<Record<string, string>>, output: string): Promise<void> {
  const isProgram = ([name]: readonly [string, string]) => name in programs;
  const groups = [
    Object.entries(entries).filter(isProgram),
    Object.entries(entries).filter((entry) => !isProgram(entry)),
  ];
  await Promise.all(groups.map((group) => buildGroup(Object.fromEntries(group), output)));
}

/** What one entry point uses of a module, a chunk that it shares with others has for all: so functions are not built with programs. */
async function buildGroup(entries: Readonly<Record<string, string>>, output: string): Promise<void> {
  const chunks = readChunks(await build(chunkOptions(entries)));
  await Promise.all(Object.keys(entries).map((name) => writeBundle(name, chunks, output)));
}

/**
 * The source maps of a bundle in a build of all, by the names of its files; paths of sources are relative to the project. The names of
 * files that are built with a map have other hashes: those with the same text belong together.
 */
export async function sourceMapsOf(name: string): Promise<ReadonlyMap<string, SourceMap>> {
  const entries = chunkOptions(name in programs ? programs : served);
  const filesOf = async (options: MapOptions) =>
    await joinChunks(name, readChunks(await build({ ...entries, ...options })), options);
  const [plain, mapped] = await Promise.all([filesOf({}), filesOf(withMaps)]);
  const mapOf = new Map(mapped.map(({ path, text }) => [path, text]));
  const byText = new Map(mapped.map(({ path, text }) => [withoutHashes(text), mapOf.get(`${path}.map`)]));
  return new Map(
    plain.map(({ path, text }) => [
      basename(path),
      new SourceMap(toProjectPaths(byText.get(withoutHashes(text)) ?? '')),
    ]),
  );
}

const withoutHashes = (text: string) => text.replaceAll(/-[A-Z0-9]{8}(?=[-.])/g, '');

/** The packages in each bundle, as paths in the project. Writes nothing. */
export async function bundledPackages(): Promise<Readonly<Record<string, readonly string[]>>> {
  // What is in them is known before they are made small.
  const chunks = readChunks(await build({ ...chunkOptions(bundles), minifySyntax: false }));
  return Object.fromEntries(Object.keys(bundles).map((name) => [name, packagesOf(chunks, entryFile(name))]));
}

const entryFile = (name: string) => `${name}.mjs`;

const packagesOf = (chunks: Chunks, entry: string): readonly string[] =>
  packagesIn(loadedBy(chunks, entry, 'ever').flatMap((file) => chunks.outputs.get(file) ?? []));

async function joinChunks(
  name: string,
  chunks: Chunks,
  options: MapOptions = {},
): Promise<readonly OutputFile[]> {
  const { outputFiles = [] } = await build({
    ...sameOptions,
    entryPoints: { index: `./${entryFile(name)}` },
    outdir: join(bundlesDirectory, name),
    plugins: [oneStartFile(chunks, entryFile(name))],
    banner,
    // An import for the sake of where a module goes has no effect, as it should.
    logOverride: { 'ignored-bare-import': 'silent' },
    ...options,
  });
  return outputFiles;
}

async function writeBundle(name: string, chunks: Chunks, output: string): Promise<void> {
  const entry = entryFile(name);
  // Loaded while esbuild works: it loads the schemas of all operations.
  const { documentsOf } = await import('./documents.ts');
  const assets = loadedBy(chunks, entry, 'ever').filter((file) => !file.endsWith('.mjs'));
  await writeFiles(join(output, name), [
    ...(await joinChunks(name, chunks)),
    ...assets.flatMap((file) => chunks.files.get(file) ?? []),
    ...documentsOf(name),
    { path: licencesName, contents: await licencesOf(packagesOf(chunks, entry)) },
  ]);
}

const sameOptions = {
  absWorkingDir: projectDirectory,
  write: false,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minifyIdentifiers: true,
  minifySyntax: true,
  minifyWhitespace: true,
  // They are in a file beside it.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

type MapOptions = Pick<BuildOptions, 'sourcemap' | 'sourcesContent'>;

const withMaps: MapOptions = { sourcemap: 'external', sourcesContent: false };

/** Where what is read are sources. */
const sourceOptions = {
  // Packages that ship both formats load faster from their ES modules.
  mainFields: ['module', 'main'],
  plugins: [undiciParts],
  // undici's own switch for bundles: leaves out its experimental second parser.
  define: { esbuildDetection: 'true' },
} satisfies BuildOptions;

/** CommonJS packages call `require` for Node's own modules, which an ES module does not have. */
const banner = {
  js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
};

/** Those that answer requests; the others take events of another kind. */
const answersRequests = (path: string) =>
  path === functions.admin || functionNames.some((name) => path === functions[name]);

const logLevel = ["import { readLogLevel } from './lib/runtime/log.ts';", 'await readLogLevel(process.env);'];

const requestHandler = (path: string) =>
  [
    `import { create } from './${path}';`,
    "import { lambdaHandler } from './lib/http/lambda/handler.ts';",
    ...logLevel,
    'export const handler = lambdaHandler(await create(process.env));',
  ].join('\n');

const eventHandler = (path: string) =>
  [
    `import { create } from './${path}';`,
    ...logLevel,
    'export const handler = await create(process.env);',
  ].join('\n');

/** Of the functions: Lambda calls what is created from the environment of the process, perhaps after it has loaded a part. */
const handlers: Plugin = {
  name: 'handlers',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^handler:/ }, ({ path }) => ({
      path: path.slice('handler:'.length),
      namespace: 'handler',
    }));
    onLoad({ filter: /./, namespace: 'handler' }, ({ path }) => ({
      contents: answersRequests(path) ? requestHandler(path) : eventHandler(path),
      resolveDir: projectDirectory,
    }));
  },
};

const isWhole = (path: string) => path.startsWith('server/') || Object.values(programs).includes(path);
const entryOf = (path: string) => (isWhole(path) ? path : `handler:${path}`);

const chunkOptions = (entries: Readonly<Record<string, string>>) =>
  ({
    ...sameOptions,
    ...sourceOptions,
    // Comments say which calls are pure, so that unused ones are left out of a function.
    minifyWhitespace: false,
    entryPoints: Object.entries(entries).map(([out, entry]) => ({ in: entryOf(entry), out })),
    plugins: [...sourceOptions.plugins, nodeParts, eagerFunctions, handlers],
    outdir: bundlesDirectory,
  }) satisfies BuildOptions;

interface BuiltFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

function toProjectPaths(text: string): SourceMapPayload {
  const map: SourceMapPayload = JSON.parse(text);
  const sources = map.sources.map((source) =>
    // What esbuild adds itself is of no source.
    isChunk(source) || /^(handler|node-parts):/.test(source)
      ? 'build/build.ts'
      : relative(projectDirectory, resolve(bundlesDirectory, source)),
  );
  return { ...map, sources };
}

/** Writes the files, and removes other files of an earlier build. */
async function writeFiles(directory: string, files: readonly BuiltFile[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  const names = new Set(files.map(({ path }) => basename(path)));
  for (const name of await readdir(directory)) {
    if (!names.has(name)) await rm(join(directory, name), { recursive: true });
  }
  for (const { path, contents } of files) await writeFile(join(directory, basename(path)), contents);
}

if (import.meta.main) {
  const endProgress = showProgress('Building the functions...');
  const [page] = await Promise.all([buildPage(), buildAll()]);
  for (const directory of pageDirectories) await writePage(page, join(bundlesDirectory, directory));
  endProgress();
}
