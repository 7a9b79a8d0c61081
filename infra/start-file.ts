/**
 * Puts what a bundle loads at its start into one file beside its entry point. esbuild splits code by who may load it: each set
 * of entry points and later imports gets a file of its own. A function that calls models had 27 of them at its start, and each
 * is found, read, compiled and linked by itself.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/** What a build without this plugin shows; paths as in its metafile. */
export interface StartModules {
  /** All that are loaded at the start, but for the entry point. */
  readonly atStart: readonly string[];
  /** Own modules that are imported later, when something first needs them. */
  readonly later: readonly string[];
}

export function startModulesOf({ inputs, outputs }: Metafile, entry: string): StartModules {
  const entries = Object.entries(outputs).flatMap(([file, { entryPoint }]) =>
    entryPoint ? [{ file, entryPoint }] : [],
  );
  const loaded = new Set(entries.filter(({ entryPoint }) => entryPoint === entry).map(({ file }) => file));
  for (const file of loaded) {
    for (const { kind, path, external } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) loaded.add(path);
    }
  }
  const modules = [...loaded].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
  const isOther = (module: string) => module !== entry;
  return {
    // An import of CommonJS runs it, also where it is only loaded by a function that was not called.
    atStart: modules.filter((module) => isOther(module) && inputs[module]?.format === 'esm'),
    // What is loaded in both ways is there at the start: it would wait for those that need it.
    later: entries
      .map(({ entryPoint }) => entryPoint)
      .filter((module) => isOther(module) && module.endsWith('.ts') && !modules.includes(module)),
  };
}

const startFile = 'start';

/**
 * Every module that is loaded later imports all that the start has loaded. That loads nothing more, and gives all of the
 * start the same set of entry points.
 */
export function oneStartFile(directory: string, { atStart, later }: StartModules): Plugin {
  const laterModules = new Set(later.map((module) => join(directory, module)));
  return {
    name: 'one-start-file',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^start-modules$/ }, () => ({ path: startFile, namespace: startFile }));
      onLoad({ filter: /^/, namespace: startFile }, () => ({
        contents: atStart.map((module) => `import ${JSON.stringify(`./${module}`)};`).join('\n'),
        resolveDir: directory,
      }));
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!laterModules.has(path)) return undefined;
        return { contents: `${await readFile(path, 'utf8')}\nimport 'start-modules';\n`, loader: 'ts' };
      });
    },
  };
}
