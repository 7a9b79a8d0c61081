/**
 * Writes the functions that a first request runs in parentheses. V8 compiles those while it reads their file; of every other function
 * it reads the text twice: to find its end, and when it is called. `first-request.txt` has a file and its declarations in each line, and
 * `npm run bench -- --first-request` writes it. A function that it lacks only starts later.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import MagicString from 'magic-string';
import { declarationsOf, languageOf } from './declarations.ts';

export const firstRequestFile = join(import.meta.dirname, 'first-request.txt');

/** Names of declarations by the paths of their files in the project. */
export function readFirstRequest(): ReadonlyMap<string, readonly string[]> {
  const lines = readFileSync(firstRequestFile, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => line.split(' ')).map(([path = '', ...names]) => [path, names]));
}

export const eagerFunctions: Plugin = {
  name: 'eager-functions',
  setup({ initialOptions: { absWorkingDir = '' }, onLoad }) {
    const listed = readFirstRequest();
    onLoad({ filter: /\.(ts|m?js)$/, namespace: 'file' }, async ({ path }) => {
      const names = listed.get(relative(absWorkingDir, path));
      if (names === undefined) return undefined;
      const contents = inParentheses(path, await readFile(path, 'utf8'), names);
      return { contents, loader: languageOf(path) };
    });
  },
};

/**
 * The text with parentheses and a source map. A function statement becomes a variable at the top of its module, since the statements
 * before its place may call it.
 */
export function inParentheses(path: string, text: string, names: readonly string[]): string {
  const changed = new MagicString(text);
  for (const { name, start, end, own, inner } of declarationsOf(path, text)) {
    if (!names.includes(name)) continue;
    for (const range of inner) changed.appendRight(range.start, '(').prependLeft(range.end, ')');
    if (own) changed.appendRight(own.start, `var ${name} = (`).prependLeft(end, ');\n').move(start, end, 0);
  }
  return `${changed}\n//# sourceMappingURL=${changed.generateMap({ source: path, hires: 'boundary' }).toUrl()}`;
}
