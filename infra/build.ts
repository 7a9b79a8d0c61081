/**
 * Builds what runs in Lambda: one self-contained directory for each function, `dist/<operation>`, and `dist/seed`. Each
 * starts from its `index.mjs`; what a function loads only when it is needed lies in files beside that one. The stack
 * deploys these directories and the local engines run the same files. What the names and lines in them were before lies
 * in `dist/maps`, which is not deployed: `infra/where.ts` reads it.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build, type OutputFile } from 'esbuild';
import { operations } from '../lib/core/operations.ts';
import { undiciParts } from './undici-parts.ts';

const root = join(import.meta.dirname, '..');

/** Where the bundles are, one directory each. */
export const bundlesDirectory = join(root, 'dist');

/** Where the source maps are, in the directory of the bundles: again one directory for each. */
export const mapsName = 'maps';

/** Every bundle and the file it starts from, relative to the project. */
export const bundles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(operations.map(({ name }) => [name, `functions/${name}.ts`])),
  seed: 'infra/seed/handler.ts',
};

/** Bundles everything into `output`; rejects with esbuild's messages where a source is broken. */
export async function buildAll(output: string = bundlesDirectory): Promise<void> {
  // Together they would share files, and no directory could stand alone.
  for (const [name, entry] of Object.entries(bundles)) {
    const files = await bundle(name, entry);
    const isMap = ({ path }: OutputFile) => path.endsWith('.map');
    await fill(
      join(output, name),
      files.filter((file) => !isMap(file)),
    );
    await fill(join(output, mapsName, name), files.filter(isMap).map(fromTheProject));
  }
}

/** The files of a function and their maps. They are the same wherever they are written and wherever the project lies. */
async function bundle(name: string, entry: string): Promise<readonly OutputFile[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
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
    // Packages that ship both forms load faster from their ES modules.
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    plugins: [undiciParts],
    // undici's own switch for bundles: leaves out its experimental second parser.
    define: { esbuildDetection: 'true' },
    // CommonJS packages call `require` for Node's own modules, which an ES module does not have.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outputFiles;
}

interface BuiltFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

/** A map that names its sources by their paths in the project, in place of paths from where the file would lie. */
function fromTheProject({ path, text }: OutputFile): BuiltFile {
  const map: { readonly sources: readonly string[] } = JSON.parse(text);
  const sources = map.sources.map((source) => relative(root, resolve(dirname(path), source)));
  return { path, contents: JSON.stringify({ ...map, sources }) };
}

/** Writes the files, and removes those of an earlier build, whose names were others. */
async function fill(directory: string, files: readonly BuiltFile[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  const names = new Set(files.map(({ path }) => basename(path)));
  for (const name of await readdir(directory)) {
    if (!names.has(name)) await rm(join(directory, name), { recursive: true });
  }
  for (const { path, contents } of files) await writeFile(join(directory, basename(path)), contents);
}

if (import.meta.main) await buildAll();
