/**
 * Builds what runs in Lambda: one self-contained file for each function, `dist/<operation>/index.mjs`, and
 * `dist/seed/index.mjs`. The stack deploys these directories and the local engines run the same files.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { operations } from '../lib/core/operations.ts';

const root = join(import.meta.dirname, '..');

/** Where the bundles are, one directory each. */
export const bundlesDirectory = join(root, 'dist');

/** Every bundle and the file it starts from, relative to the project. */
export const bundles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(operations.map(({ name }) => [name, `functions/${name}.ts`])),
  seed: 'infra/seed/handler.ts',
};

/** Bundles everything into `output`; rejects with esbuild's messages where a source is broken. */
export async function buildAll(output: string = bundlesDirectory): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(bundles).map(([name, entry]) => [`${name}/index`, entry])),
    outdir: output,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Packages that ship both forms load faster from their ES modules.
    mainFields: ['module', 'main'],
    // Names stay as written: a stack trace in a log then tells where it happened without a source map.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    // CommonJS packages call `require` for Node's own modules, which an ES module does not have.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

if (import.meta.main) await buildAll();
