/**
 * Builds the Lambda functions, the server that runs them in one process, the same for one operation as a Web Function,
 * the other programs of the container image, and the dashboard's page: one
 * self-contained directory each, `dist/<operation>`, `dist/aggregate`, `dist/server` and so on. Each starts from its `index.mjs`; code
 * that is loaded on demand is in files next to it, and so are the licences of its packages. The stack deploys these directories. Source maps
 * are in `dist/maps`, which is not deployed: `build/where.ts` reads them.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild';
import { adminEntryOf, deployedAdminOperations } from '../lib/core/admin/admin-operations.ts';
import { operations } from '../lib/core/operations.ts';
import { webBundle, webOperations } from '../server/web/web-operations.ts';
import { buildPage, writePage } from './dashboard.ts';
import { documentsOf } from './documents.ts';
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
const pageDirectories = ['dashboard', 'dashboard-files/page', 'server/page'];

/** The directory of the source maps, in the directory of the bundles; also one subdirectory each. */
export const mapsName = 'maps';

/** Every Lambda function and its entry point, relative to the project. */
export const functions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(operations.map(({ name }) => [name, `functions/${name}.ts`])),
  ...Object.fromEntries(deployedAdminOperations.map((one) => [one.name, adminEntryOf(one)])),
  aggregate: 'functions/aggregate.ts',
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

/** The same for everything that is built. */
export const bundles: Readonly<Record<string, string>> = {
  ...functions,
  ...Object.fromEntries(webOperations.map((name) => [webBundle(name), `server/web/${name}.ts`])),
  ...programs,
};

/** Bundles everything into `output`; rejects with esbuild's messages if a source has an error. */
export const buildAll = (output: string = bundlesDirectory): Promise<void> => buildBundles(bundles, output);

/** The same for some entry points, by the names of their directories. The files of one depend on the others that are built with it. */
export async function buildBundles(entries: Readonly<Record<string, string>>, output: string): Promise<void> {
  const isProgram = ([name]: readonly [string, string]) => name in programs;
  const own = Object.entries(entries).filter(isProgram);
  const others = Object.entries(entries).filter((entry) => !isProgram(entry));
  await Promise.all([
    ...own.map(async ([name, entry]) => writeBundle(name, await bundleProgram(name, entry), output)),
    buildFunctions(Object.fromEntries(others), output),
  ]);
}

async function buildFunctions(entries: Readonly<Record<string, string>>, output: string): Promise<void> {
  const names = Object.keys(entries);
  if (names.length === 0) return;
  const chunks = readChunks(await build(chunkOptions(entries)));
  await Promise.all(names.map(async (name) => writeBundle(name, await bundleFunction(name, chunks), output)));
}

/** The packages in each bundle, as paths in the project. Writes nothing. */
export async function bundledPackages(): Promise<Readonly<Record<string, readonly string[]>>> {
  // What is in them is known before they are made small.
  const chunks = readChunks(await build({ ...chunkOptions(bundles), minifySyntax: false, sourcemap: false }));
  return Object.fromEntries(Object.keys(bundles).map((name) => [name, packagesOf(chunks, entryFile(name))]));
}

const entryFile = (name: string) => `${name}.mjs`;

const packagesOf = (chunks: Chunks, entry: string): readonly string[] =>
  packagesIn(loadedBy(chunks, entry, 'ever').flatMap((file) => chunks.outputs.get(file) ?? []));

interface Bundle {
  readonly files: readonly BuiltFile[];
  readonly maps: readonly BuiltFile[];
  readonly packages: readonly string[];
}

/** A program waits at its top level for its work. What that imports later must not wait for the program in turn: it has no file of its start. */
async function bundleProgram(name: string, entry: string): Promise<Bundle> {
  const outdir = join(bundlesDirectory, name);
  const { outputFiles, metafile } = await build({
    ...sameOptions,
    ...sourceOptions,
    entryPoints: { index: entry },
    outdir,
    banner,
  });
  return { ...withMaps(outputFiles, outdir), packages: packagesIn(Object.values(metafile.outputs)) };
}

async function bundleFunction(name: string, chunks: Chunks): Promise<Bundle> {
  const entry = entryFile(name);
  const { outputFiles } = await build({
    ...sameOptions,
    entryPoints: { index: `./${entry}` },
    outdir: join(bundlesDirectory, name),
    plugins: [oneStartFile(chunks, entry)],
    banner,
    // An import for the sake of where a module goes has no effect, as it should.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  const assets = loadedBy(chunks, entry, 'ever').filter((file) => !file.endsWith('.mjs'));
  const { files, maps } = withMaps(outputFiles, bundlesDirectory);
  return {
    files: [...files, ...assets.flatMap((file) => chunks.files.get(file) ?? [])],
    maps,
    packages: packagesOf(chunks, entry),
  };
}

async function writeBundle(name: string, { files, maps, packages }: Bundle, output: string): Promise<void> {
  await writeFiles(join(output, name), [
    ...files,
    ...documentsOf(name),
    { path: licencesName, contents: await licencesOf(packages) },
  ]);
  await writeFiles(join(output, mapsName, name), maps);
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
  sourcemap: 'external',
  sourcesContent: false,
  // They are in a file beside it.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

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
  js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
};

/** Of the functions: Lambda calls what is created from the environment of the process. */
const handlers: Plugin = {
  name: 'handlers',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^handler:/ }, ({ path }) => ({
      path: path.slice('handler:'.length),
      namespace: 'handler',
    }));
    onLoad({ filter: /./, namespace: 'handler' }, ({ path }) => ({
      contents: `import { create } from './${path}';\nexport const handler = create(process.env);\n`,
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
    plugins: [...sourceOptions.plugins, handlers],
    outdir: bundlesDirectory,
  }) satisfies BuildOptions;

interface BuiltFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

/** The files, and their maps with paths of sources that are relative to the project instead of a directory. */
function withMaps(files: readonly OutputFile[], directory: string) {
  const isMap = ({ path }: OutputFile) => path.endsWith('.map');
  const toProjectPaths = ({ path, text }: OutputFile): BuiltFile => {
    const map: { readonly sources: readonly string[] } = JSON.parse(text);
    const sources = map.sources.map((source) =>
      // What esbuild adds itself is of no source.
      isChunk(source) || source.startsWith('handler:')
        ? 'build/build.ts'
        : relative(projectDirectory, resolve(directory, source)),
    );
    return { path, contents: JSON.stringify({ ...map, sources }) };
  };
  return { files: files.filter((file) => !isMap(file)), maps: files.filter(isMap).map(toProjectPaths) };
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
