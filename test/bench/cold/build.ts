/** Builds what a cold start needs besides the functions: the empty function, and the hook of the runtime client. */
import { join } from 'node:path';
import { build } from 'esbuild';

const bench = join(import.meta.dirname, '..');

/** Into `directory`: `dist/hello/index.mjs` and `preload.mjs`. */
export async function buildColdParts(directory: string): Promise<void> {
  await build({
    entryPoints: {
      'dist/hello/index': join(bench, 'cold/hello.ts'),
      preload: join(bench, 'cold/preload.ts'),
    },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
  });
}
