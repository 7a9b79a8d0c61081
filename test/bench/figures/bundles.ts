/** How large the built functions are: what each loads at its start, and all its files. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licencesName } from '../../../build/packages/licences.ts';
import type { Bundle } from '../measured.ts';

/** What lies beside the functions and is none of them. */
const others = ['hello'];

/** What a file imports before it runs, and the binary files that it reads. Later imports are not included. */
const loads = /(?:from|import)\s?"\.\/([^"]+)"|"\.\/([^"]+\.wasm)"/g;

export async function measureBundles(directory: string): Promise<readonly Bundle[]> {
  const names = (await readdir(directory)).filter((name) => !others.includes(name));
  return await Promise.all(names.map((name) => measure(join(directory, name), name)));
}

async function measure(directory: string, name: string): Promise<Bundle> {
  const files = (await readdir(directory)).filter((file) => file !== licencesName);
  const contents = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(directory, file))] as const)),
  );
  const kilobytes = (found: Iterable<string>) =>
    [...found].reduce((sum, file) => sum + (contents.get(file)?.length ?? 0), 0) / 1024;
  return { name, atStart: kilobytes(loadedBy('index.mjs', contents)), total: kilobytes(files) };
}

function loadedBy(entry: string, contents: ReadonlyMap<string, Buffer>): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    const text = file.endsWith('.mjs') ? (contents.get(file)?.toString() ?? '') : '';
    for (const [, module, binary] of text.matchAll(loads)) loaded.add(module ?? binary ?? '');
  }
  return loaded;
}
