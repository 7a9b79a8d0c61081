/**
 * Assembles the root file system of the container image: Node with the libraries that it loads, the programs, and nothing else. The
 * `Dockerfile` runs this in its build stage, and the tests run it on this machine.
 */
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { buildBundles, programs } from '../build.ts';
import { buildPage, writePage } from '../dashboard.ts';
import { showProgress } from '../progress.ts';
import { librariesOf, licencesOfSystem, strip, textFiles } from './system-files.ts';

const root = join(import.meta.dirname, '../..');

/** The program of the image. */
export const nodePath = 'usr/bin/node';

/** Where the programs are: `app/server/index.mjs` and so on. */
const appDirectory = 'app';

interface ImageFile {
  /** Below the root. */
  readonly path: string;
  readonly bytes: number;
}

/** Fills an empty or new directory. Returns its files. Rejects where Node is not linked with glibc, as on Alpine. */
export async function assembleImage(target: string): Promise<readonly ImageFile[]> {
  const node = process.execPath;
  await copy(node, join(target, nodePath), 0o755);
  await strip(join(target, nodePath));
  for (const { from, to } of await librariesOf(node)) await copy(from, join(target, to), 0o755);
  for (const { from, to } of licencesOfSystem(node)) await copy(from, join(target, to), 0o644);
  for (const [path, text] of Object.entries(textFiles)) await write(join(target, path), text);
  const app = join(target, appDirectory);
  await copy(join(root, 'LICENSE'), join(app, 'LICENSE'), 0o644);
  await copy(join(import.meta.dirname, 'health.mjs'), join(app, 'health.mjs'), 0o644);
  await buildPrograms(app);
  await writePage(await buildPage(), join(app, 'server', 'page'));
  return await listFiles(target);
}

/** The source maps stay behind: `build/where.ts` reads those of a build of the same commit. */
async function buildPrograms(app: string): Promise<void> {
  const built = await mkdtemp(join(tmpdir(), 'gateway-image-'));
  try {
    await buildBundles(programs, built);
    for (const name of Object.keys(programs)) {
      for (const file of await readdir(join(built, name)))
        await copy(join(built, name, file), join(app, name, file), 0o644);
    }
  } finally {
    await rm(built, { recursive: true });
  }
}

async function copy(from: string, to: string, mode: number): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o755 });
  await copyFile(from, to);
  await chmod(to, mode);
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await writeFile(path, text, { mode: 0o644 });
}

async function listFiles(target: string): Promise<readonly ImageFile[]> {
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return await Promise.all(
    paths.map(async (path) => ({ path: relative(target, path), bytes: (await stat(path)).size })),
  );
}

if (import.meta.main) {
  const [target] = process.argv.slice(2);
  if (target === undefined) throw new Error('Usage: node build/container/assemble.ts <directory>');
  const endProgress = showProgress('Assembling the image...');
  const files = await assembleImage(target);
  endProgress();
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  console.log(`${files.length} files, ${megabytes.toFixed(1)} MB.`);
}
