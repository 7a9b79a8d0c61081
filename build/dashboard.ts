/**
 * Builds the dashboard's page: `index.html`, and `assets` whose names have a hash of their content, so that a browser may keep
 * them for a year. Every page of the dashboard is a chunk of its own.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import type { PageFiles } from '../lib/core/admin/admin-endpoint.ts';
import { packagesIn } from './packages/bundled.ts';
import { licencesName, licencesOf } from './packages/licences.ts';

const projectDirectory = join(import.meta.dirname, '..');
const source = 'dashboard';
/** Only the place that names are relative to: nothing is written there. */
const output = join(projectDirectory, 'dist', 'dashboard');

/** The files that `index.html` names. */
const entries = ['main.tsx', 'theme.ts', 'style/index.css', 'icon.svg'];

/** Rejects with esbuild's messages if a source has an error. */
export async function buildPage(): Promise<PageFiles> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectDirectory,
    entryPoints: entries.map((entry) => `${source}/${entry}`),
    outdir: output,
    outbase: source,
    write: false,
    bundle: true,
    splitting: true,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    format: 'esm',
    platform: 'browser',
    target: ['es2023', 'chrome120', 'firefox121', 'safari17.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    minify: true,
    // They are in a file of their own.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const built = outputFiles.map(
    ({ path, contents }) => [posix(relative(output, path)), Buffer.from(contents)] as const,
  );
  const index = await readFile(join(projectDirectory, source, 'index.html'), 'utf8');
  return new Map([
    ...built,
    ['index.html', Buffer.from(withNames(index, metafile))],
    [licencesName, Buffer.from(await licencesOf(packagesIn(Object.values(metafile.outputs))))],
  ]);
}

/** Replaces what is in the directory. */
export async function writePage(files: PageFiles, directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}

/** The names of the built files in place of their sources', and links to what the first script imports, so that all load at once. */
function withNames(index: string, { outputs }: Metafile): string {
  const all = Object.entries(outputs);
  const named = entries.reduce((text, entry) => {
    const found = all.find(
      ([, { entryPoint, inputs }]) => entryOf(entryPoint, inputs) === `${source}/${entry}`,
    );
    if (!found) throw new Error(`The build has no file for ${entry}.`);
    return text.replace(`"${entry}"`, `"${nameOf(found[0])}"`);
  }, index);
  const [, main] = all.find(([, { entryPoint }]) => entryPoint === `${source}/main.tsx`) ?? [];
  const preloads = (main?.imports ?? [])
    .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
    .map(({ path }) => `    <link rel="modulepreload" href="${nameOf(path)}">\n`);
  return named.replace('  </head>', `${preloads.join('')}  </head>`);
}

/** A file that is only copied has no entry point in esbuild's report. */
const entryOf = (entryPoint: string | undefined, inputs: object) => entryPoint ?? Object.keys(inputs)[0];

const nameOf = (path: string) => posix(relative(output, join(projectDirectory, path)));

const posix = (path: string) => path.replaceAll('\\', '/');
