/** How much of each declaration in the sources ran, from what V8 reports of built files. */
import { readFile } from 'node:fs/promises';
import type { SourceMap } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectDirectory } from '../../../build/build.ts';
import { type Declaration, declarationsOf } from '../../../build/eager/declarations.ts';

/** What V8 writes into the directory `NODE_V8_COVERAGE`. A function comes before those in it. */
export interface Coverage {
  readonly result: readonly Script[];
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Characters of its functions, and of those that ran. */
interface Share {
  readonly all: number;
  readonly ran: number;
}

interface RunShares {
  /** `maps`: of the bundle, by the names of its files. */
  add(script: Script, maps: ReadonlyMap<string, SourceMap>): Promise<void>;
  /** By paths in the project: the declarations of whose functions at least half ran. */
  mostlyRun(): readonly (readonly [path: string, names: readonly string[]])[];
}

export function createRunShares(): RunShares {
  const sources = new Map<string, Source>();

  async function sourceOf(path: string): Promise<Source> {
    const source = sources.get(path) ?? (await readSource(path));
    sources.set(path, source);
    return source;
  }

  return {
    async add({ url, functions }, maps) {
      const path = fileURLToPath(url);
      const originOf = originsIn(await readFile(path, 'utf8'), maps.get(basename(path)));
      let around: { readonly declaration: Declaration; readonly end: number } | undefined;
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges.slice(0, 1))) {
        // The module itself.
        if (startOffset === 0) continue;
        const origin = originOf(startOffset);
        if (!('fileName' in origin)) continue;
        const { declarations, lines, shares } = await sourceOf(origin.fileName);
        const position = (lines[origin.lineNumber - 1] ?? 0) + origin.columnNumber - 1;
        const declaration = declarations.find(({ start, end }) => start <= position && position < end);
        const isInner = declaration === around?.declaration && startOffset < (around?.end ?? 0);
        if (!declaration || isInner) continue;
        around = { declaration, end: endOffset };
        const { all, ran } = shares.get(declaration.name) ?? { all: 0, ran: 0 };
        const characters = endOffset - startOffset;
        shares.set(declaration.name, { all: all + characters, ran: ran + (count > 0 ? characters : 0) });
      }
    },
    mostlyRun: () =>
      [...sources]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([path, { shares }]) => {
          const names = [...shares].filter(([, { all, ran }]) => ran * 2 >= all).map(([name]) => name);
          return names.length > 0 ? [[path, names.toSorted()] as const] : [];
        }),
  };
}

interface Source {
  readonly declarations: readonly Declaration[];
  readonly lines: readonly number[];
  readonly shares: Map<string, Share>;
}

async function readSource(path: string): Promise<Source> {
  const text = await readFile(join(projectDirectory, path), 'utf8');
  return { declarations: declarationsOf(path, text), lines: lineStarts(text), shares: new Map() };
}

function originsIn(text: string, map: SourceMap | undefined) {
  const lines = lineStarts(text);
  return (offset: number): ReturnType<SourceMap['findOrigin']> => {
    const line = lines.findLastIndex((start) => start <= offset);
    return map?.findOrigin(line + 1, offset - (lines[line] ?? 0) + 1) ?? {};
  };
}

/** The position of each line in a text. */
const lineStarts = (text: string): readonly number[] => [
  0,
  ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1),
];
