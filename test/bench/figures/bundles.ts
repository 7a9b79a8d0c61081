/** How large the built functions are: what each loads at its start, and all its files. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mapsName } from '../../../infra/build.ts';
import type { Bundle } from '../measured.ts';

/** What lies beside the functions and is none of them. */
const others = ['hello', mapsName];

export async function measureBundles(directory: string): Promise<readonly Bundle[]> {
  const names = (await readdir(directory)).filter((name) => !others.includes(name));
  return await Promise.all(names.map((name) => measure(join(directory, name), name)));
}

async function measure(directory: string, name: string): Promise<Bundle> {
  const files = await readdir(directory);
  const texts = new Map(
    await Promise.all(
      files.map(async (file) => [file, await readFile(join(directory, file), 'utf8')] as const),
    ),
  );
  const kilobytes = (found: Iterable<string>) =>
    [...found].reduce((sum, file) => sum + Buffer.byteLength(texts.get(file) ?? ''), 0) / 1024;
  return { name, atStart: kilobytes(loadedBy('index.mjs', texts)), total: kilobytes(files) };
}

/** A file and all that it imports, and that these import, save what is imported when it is needed. */
function loadedBy(entry: string, texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const [, name = ''] of (texts.get(file) ?? '').matchAll(/(?:from|import)\s?"\.\/([^"]+)"/g))
      loaded.add(name);
  }
  return loaded;
}
