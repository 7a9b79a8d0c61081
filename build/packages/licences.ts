/**
 * The licences of the packages in a bundle, as a text that is deployed with it: those of MIT and Apache want their notices in every
 * copy, and a minified bundle has no comments.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The name of the text, beside the bundle's `index.mjs`. */
export const licencesName = 'licences.txt';

/** `paths` are those of packages, relative to the project. Equal texts appear once. */
export async function licencesOf(paths: readonly string[]): Promise<string> {
  const holders = new Map<string, string[]>();
  for (const path of paths) {
    const { title, text } = await licenceOf(path);
    holders.set(text, [...(holders.get(text) ?? []), title]);
  }
  const parts = [...holders].map(([text, titles]) => `${titles.join('\n')}\n\n${text.trim()}\n`);
  return ['Packages in this function, and their licences.\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: string | { readonly name: string };
}

async function licenceOf(path: string): Promise<{ readonly title: string; readonly text: string }> {
  const directory = join(root, path);
  const { name, version, license, author }: Manifest = JSON.parse(
    await readFile(join(directory, 'package.json'), 'utf8'),
  );
  const files = (await readdir(directory)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  const title = `${name} ${version} (${license})`;
  if (texts.length > 0) return { title, text: texts.join('\n\n') };
  const holder = typeof author === 'object' ? author.name : (author ?? `the authors of ${name}`);
  return { title, text: `Copyright (c) ${holder}\n\n${await standardText(license)}` };
}

/** For a package that comes without the text of its licence. */
async function standardText(license: string): Promise<string> {
  if (license === 'MIT') return await readFile(join(import.meta.dirname, 'mit.txt'), 'utf8');
  // It asks for no notice.
  if (license === 'MIT-0') return 'Licensed under MIT-0, which permits any use without a notice.';
  throw new Error(`There is no text of the licence ${license}.`);
}
