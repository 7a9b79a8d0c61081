/**
 * Puts what a function loads at its start into one file. One run of esbuild over all entry points reads each source once, and splits
 * code by who may load it: a function that calls models starts from 88 such chunks, and each is found, read, compiled and linked by
 * itself. A second run for each function, over its minified chunks alone, joins them.
 */
import { basename } from 'node:path';
import type { BuildResult, Metafile, OutputFile, Plugin } from 'esbuild';

export interface Chunks {
  /** The chunks, their source maps and other files, by their names. */
  readonly files: ReadonlyMap<string, OutputFile>;
  readonly outputs: ReadonlyMap<string, Metafile['outputs'][string]>;
}

/** The outputs of the first run; all are in one directory. */
export function readChunks({ outputFiles, metafile }: BuildResult<{ write: false; metafile: true }>): Chunks {
  return {
    files: new Map(outputFiles.map((file) => [basename(file.path), file])),
    outputs: new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output])),
  };
}

/** The names of the files that are loaded at the start from a file, or with those that it may load later and those that it reads. */
export function loadedBy({ outputs }: Chunks, name: string, when: 'start' | 'ever'): readonly string[] {
  const loaded = new Set([name]);
  for (const file of loaded) {
    for (const { kind, path, external } of outputs.get(file)?.imports ?? []) {
      if (!external && (when === 'ever' || kind === 'import-statement')) loaded.add(basename(path));
    }
  }
  return [...loaded];
}

const startModules = './start-modules';
const namespace = 'chunk';

/** Whether a source in a source map is a chunk itself: code that comes from no file. */
export const isChunk = (source: string): boolean => source.startsWith(`${namespace}:`);

/**
 * Reads the chunks of an entry point. Every one of them imports all that the start loads: that loads nothing more, and gives all of the
 * start the same set of entry points, which is what esbuild makes files of. For the same reason each file with providers, of which most
 * functions load one, imports whole groups of what families of providers share.
 */
export function oneStartFile(chunks: Chunks, entry: string): Plugin {
  const atStart = loadedBy(chunks, entry, 'start').filter((name) => name !== entry);
  const providers = loadedBy(chunks, entry, 'ever').filter((name) => /(family|hosts)-/.test(name));
  const groups: Readonly<Record<string, readonly string[]>> = {
    [startModules]: atStart,
    ...familyGroups(
      providers
        .filter((name) => name.includes('family-'))
        .map((name) => ({ name, loads: loadedBy(chunks, name, 'start') })),
    ),
  };
  /** All that a file with providers loads of them. */
  const groupsOf = (name: string) => {
    const loads = loadedBy(chunks, name, 'start');
    return Object.keys(groups).filter((group) => groups[group]?.some((shared) => loads.includes(shared)));
  };
  return {
    name: 'one-start-file',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.\// }, ({ path }) => ({ path, namespace }));
      onLoad({ filter: /^/, namespace }, ({ path }) => {
        const group = groups[path];
        if (group) return { contents: importAll(group.map((name) => `./${name}`)) };
        const name = basename(path);
        const imported = [
          ...(atStart.includes(name) ? [] : [startModules]),
          ...(providers.includes(name) ? groupsOf(name) : []),
        ];
        return { contents: `${textOf(chunks, name)}${importAll(imported)}${sourceMapOf(chunks, name)}` };
      });
    },
  };
}

interface Family {
  /** Its file. */
  readonly name: string;
  readonly loads: readonly string[];
}

/**
 * What families share, in three groups: what OpenAI's own has with one other, with several, and what it has not. So most functions
 * load little that is of other providers, and a family is three or four files.
 */
function familyGroups(families: readonly Family[]): Readonly<Record<string, readonly string[]>> {
  const grouped = Object.groupBy(new Set(families.flatMap(({ loads }) => loads)), (file) => {
    const sharing = families.filter(({ loads }) => loads.includes(file));
    if (sharing.length < 2) return 'alone';
    if (!sharing.some(({ name }) => name.startsWith('openai-'))) return './of-others';
    return sharing.length === 2 ? './of-openai-and-one' : './of-families';
  });
  const { alone: _, ...shared } = grouped;
  return shared;
}

const importAll = (paths: readonly string[]): string =>
  paths.map((path) => `import ${JSON.stringify(path)};`).join('');

const textOf = ({ files }: Chunks, name: string): string => files.get(name)?.text ?? '';

const sourceMapOf = ({ files }: Chunks, name: string): string => {
  const map = files.get(`${name}.map`);
  if (map === undefined) return '';
  return `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map.contents).toString('base64')}`;
};
