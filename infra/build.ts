/**
 * Builds the Lambda functions, the server that runs them in one process, the same for one operation as a Web Function,
 * the other programs of the container image, and the dashboard's page: one
 * self-contained directory each, `dist/<operation>`, `dist/aggregate`, `dist/server` and so on. Each starts from its `index.mjs`; code
 * that is loaded on demand is in files next to it, and so are the licences of its packages. The stack deploys these directories. Source maps
 * are in `dist/maps`, which is not deployed: `infra/where.ts` reads them.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { adminEntryOf, deployedAdminOperations } from '../lib/core/admin-operations.ts';
import { operations } from '../lib/core/operations.ts';
import { buildPage, writePage } from './dashboard/build.ts';
import { packagesIn } from './packages/bundled.ts';
import { licencesName, licencesOf } from './packages/licences.ts';
import { showProgress } from './progress.ts';
import { oneStartFile, startModulesOf } from './start-file.ts';
import { undiciParts } from './undici-parts.ts';
import { webBundle, webOperations } from './web-operations.ts';

/** The directory of the project. */
export const projectDirectory = join(import.meta.dirname, '..');

/** The directory of the bundles, one subdirectory each. */
export const bundlesDirectory = join(projectDirectory, 'dist');

/** Where the dashboard's page is: by itself, and beside the programs that serve it. */
export const pageDirectories = ['dashboard', 'dashboard-files/page', 'server/page'];

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
  gateway: 'infra/container/gateway.ts',
};

/** The same for everything that is built. */
export const bundles: Readonly<Record<string, string>> = {
  ...functions,
  ...Object.fromEntries(webOperations.map((name) => [webBundle(name), `server/web/${name}.ts`])),
  ...programs,
};

/** Bundles everything into `output`; rejects with esbuild's messages if a source has an error. */
export async function buildAll(output: string = bundlesDirectory): Promise<void> {
  // One esbuild run for all would share files between them, and no directory would be self-contained.
  for (const [name, entry] of Object.entries(bundles)) await buildFunction(name, entry, output);
}

/** The same for one function, from any entry point. */
export async function buildFunction(name: string, entry: string, output: string): Promise<void> {
  const { files, packages } = await bundle(name, entry);
  const isMap = ({ path }: OutputFile) => path.endsWith('.map');
  await writeFiles(join(output, name), [
    ...files.filter((file) => !isMap(file)),
    { path: licencesName, contents: await licencesOf(packages) },
  ]);
  await writeFiles(join(output, mapsName, name), files.filter(isMap).map(withProjectPaths));
}

/** The packages in each bundle, as paths in the project. Writes nothing. */
export async function bundledPackages(): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  // What is in them is known before they are made small and put into few files.
  for (const [name, entry] of Object.entries(bundles)) {
    const { metafile } = await build({ ...optionsOf(name, entry), minify: false, sourcemap: false });
    found[name] = packagesIn(metafile);
  }
  return found;
}

interface Bundle {
  readonly files: readonly OutputFile[];
  readonly packages: readonly string[];
}

/** The files of a function and their maps, and the packages in them. They do not depend on the output directory or the location of the project. */
async function bundle(name: string, entry: string): Promise<Bundle> {
  const options = optionsOf(name, entry);
  // A program waits at its top level for its work. What that imports later must not wait for the program in turn.
  if (name in programs) {
    const { outputFiles, metafile } = await build(options);
    return { files: outputFiles, packages: packagesIn(metafile) };
  }
  const plain = await build({ ...options, sourcemap: false });
  const oneStart = oneStartFile(projectDirectory, startModulesOf(plain.metafile, entry));
  const plugins = [oneStart, ...options.plugins];
  const { outputFiles, metafile } = await build({ ...options, plugins, logOverride });
  return { files: outputFiles, packages: packagesIn(metafile) };
}

/** An import for the sake of where a module goes has no effect, as it should. */
const logOverride = { 'ignored-bare-import': 'silent' } as const;

const optionsOf = (name: string, entry: string) =>
  ({
    absWorkingDir: projectDirectory,
    entryPoints: { index: entry },
    write: false,
    outdir: join(bundlesDirectory, name),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Packages that ship both formats load faster from their ES modules.
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'external',
    sourcesContent: false,
    // They are in a file beside it.
    legalComments: 'none',
    metafile: true,
    plugins: [undiciParts],
    // undici's own switch for bundles: leaves out its experimental second parser.
    define: { esbuildDetection: 'true' },
    // CommonJS packages call `require` for Node's own modules, which an ES module does not have.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  }) satisfies BuildOptions;

interface BuiltFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

/** Makes the paths of the sources relative to the project instead of the output file. */
function withProjectPaths({ path, text }: OutputFile): BuiltFile {
  const map: { readonly sources: readonly string[] } = JSON.parse(text);
  const sources = map.sources.map((source) => relative(projectDirectory, resolve(dirname(path), source)));
  return { path, contents: JSON.stringify({ ...map, sources }) };
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
