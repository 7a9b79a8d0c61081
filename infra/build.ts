/**
 * Builds what runs in Lambda: one self-contained directory for each function, `dist/<operation>`, and `dist/seed`. Each
 * starts from its `index.mjs`; what a function loads only when it is needed lies in files beside that one. The stack
 * deploys these directories and the local engines run the same files.
 */
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { operations } from '../lib/core/operations.ts';

const root = join(import.meta.dirname, '..');

/** Where the bundles are, one directory each. */
export const bundlesDirectory = join(root, 'dist');

/** Every bundle and the file it starts from, relative to the project. */
export const bundles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(operations.map(({ name }) => [name, `functions/${name}.ts`])),
  seed: 'infra/seed/handler.ts',
};

/**
 * Parts of undici for HTTP/2, form data and processors without SIMD, which it loads and the gateway never uses: 180 KB.
 * Node's own http2 is loaded with the first of them.
 */
const unusedParts =
  /undici.lib.(dispatcher.client-h2|web.fetch.(body|formdata)|web.webidl.index|llhttp.llhttp-wasm)\.js$/;

const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  setup({ onLoad }) {
    const contents =
      "module.exports = () => { throw new Error('This part of undici is not in the bundle.') };";
    onLoad({ filter: unusedParts }, () => ({ contents }));
  },
};

/** Bundles everything into `output`; rejects with esbuild's messages where a source is broken. */
export async function buildAll(output: string = bundlesDirectory): Promise<void> {
  // Together they would share files, and no directory could stand alone.
  for (const [name, entry] of Object.entries(bundles)) await buildOne(entry, join(output, name));
}

async function buildOne(entry: string, directory: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { index: entry },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Packages that ship both forms load faster from their ES modules.
    mainFields: ['module', 'main'],
    // Names stay as written: a stack trace in a log then tells where it happened without a source map.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    plugins: [withoutUnusedParts],
    // undici's own switch for bundles: leaves out its experimental second parser.
    define: { esbuildDetection: 'true' },
    // CommonJS packages call `require` for Node's own modules, which an ES module does not have.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'warning',
    metafile: true,
  });
  await removeOthers(directory, new Set(Object.keys(metafile.outputs).map((path) => basename(path))));
}

/** The files of an earlier build, whose names were others. */
async function removeOthers(directory: string, built: ReadonlySet<string>): Promise<void> {
  const old = (await readdir(directory)).filter((name) => !built.has(name));
  for (const name of old) await rm(join(directory, name), { recursive: true });
}

if (import.meta.main) await buildAll();
