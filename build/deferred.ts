/**
 * Modules that a function loads when it first calls one of their functions: what a plain request for a text does not call. Their sources
 * are imported and called as any other; in a build their functions are replaced by ones of the same names that first load the file of
 * their group, as `require` does: from the disk, at once. So a call stays a call, and none has to wait.
 *
 * Lambda turns `require` of ES modules off in Node 20 and 22 alone. Source: AWS Lambda developer guide, "Building Lambda functions with
 * Node.js", experimental features.
 */
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { deferredGroups } from './deferred-groups.ts';

const projectDirectory = join(import.meta.dirname, '..');
const namespace = 'deferred';
const prefix = 'later-';

/** The group of each module. */
const groupOf = new Map(
  Object.entries(deferredGroups).flatMap(([group, paths]) => paths.map((path) => [path, group] as const)),
);

/** Whether a file of a bundle is that of a group. */
export const isDeferred = (name: string): boolean => name.startsWith(prefix) && name.endsWith('.mjs');

/** The entry points of the groups. */
export const deferredEntries = Object.keys(deferredGroups).map((group) => ({
  in: `${namespace}:${group}`,
  out: `${prefix}${group}`,
}));

export const deferred: Plugin = {
  name: 'deferred',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^deferred:/ }, ({ path }) => ({ path, namespace }));
    // The file of a group, which is beside the function.
    onResolve({ filter: /^\.\/later-.*\.mjs$/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /\.ts$/ }, ({ path, importer, resolveDir, kind }) => {
      if (kind !== 'import-statement') return undefined;
      const module = relative(projectDirectory, join(resolveDir, path));
      const group = groupOf.get(module);
      const isOfGroup = groupOf.get(relative(projectDirectory, importer)) === group;
      const isGroup = importer === `${namespace}:${group}`;
      return group === undefined || isOfGroup || isGroup ? undefined : { path: module, namespace };
    });
    onLoad({ filter: /^/, namespace }, async ({ path }) => ({
      contents: path.startsWith(`${namespace}:`)
        ? groupModule(path.slice(namespace.length + 1))
        : await callingModule(path),
      resolveDir: projectDirectory,
    }));
  },
};

const nameIn = (path: string) => basename(path, '.ts').replaceAll('-', '_');

const groupModule = (group: string): string =>
  (deferredGroups[group] ?? []).map((path) => `export * as ${nameIn(path)} from './${path}';`).join('\n');

/** In place of a module. */
async function callingModule(path: string): Promise<string> {
  const source = await readFile(join(projectDirectory, path), 'utf8');
  const file = `./${prefix}${groupOf.get(path)}.mjs`;
  const load = `let module; const load = () => module ??= require('${file}').${nameIn(path)};`;
  const exported = [...source.matchAll(/^export (?!type |interface )/gm)];
  const calls = exported.map(({ index, 0: { length } }) => callOf(path, source.slice(index + length)));
  return [load, ...calls].join('\n');
}

const functionStart = /^(?:async )?function\*? (\w+)|^const (\w+) =\s+(?:async )?(?:<[^=]*>)?\(/;
const literal = /^const (\w+) = ([\d_.]+|'[^'\n]*');$/;

/** Throws an Error where something else is exported: an object would not be the same before and after. */
export function callOf(path: string, exported: string): string {
  const [, name, value] = literal.exec(exported.split('\n', 1)[0] ?? '') ?? [];
  if (name !== undefined) return `export const ${name} = ${value};`;
  const [, declared, assigned = declared] = functionStart.exec(exported) ?? [];
  if (assigned === undefined)
    throw new Error(`${path} cannot be deferred: it exports more than functions, texts and numbers.`);
  return `export function ${assigned}(...given) { return load().${assigned}(...given); }`;
}
