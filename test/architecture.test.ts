/** The house keeps its shape: which room may use which, and who may touch the outer world. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** What each room may import, beside itself and packages. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  'lib/async': [],
  'lib/core': ['lib/async'],
  'lib/normalization': ['lib/core'],
  'lib/protocols': ['lib/core'],
  'lib/transport': ['lib/async', 'lib/core'],
  'lib/stores': ['lib/async', 'lib/core'],
  'lib/routing': ['lib/async', 'lib/core'],
  'lib/http': ['lib/async', 'lib/core'],
  'lib/metering': ['lib/async', 'lib/core'],
  'lib/providers': ['lib/core', 'lib/protocols', 'lib/normalization', 'lib/transport'],
  'lib/pipeline': [
    'lib/async',
    'lib/core',
    'lib/protocols',
    'lib/normalization',
    'lib/transport',
    'lib/routing',
    'lib/providers',
    'lib/metering',
  ],
  'lib/operations': [
    'lib/async',
    'lib/core',
    'lib/routing',
    'lib/normalization',
    'lib/providers',
    'lib/metering',
    'lib/pipeline',
  ],
  'lib/runtime': [
    'lib/async',
    'lib/core',
    'lib/protocols',
    'lib/normalization',
    'lib/transport',
    'lib/stores',
    'lib/routing',
    'lib/metering',
    'lib/providers',
    'lib/pipeline',
  ],
  // Of the docs, the one that is served.
  functions: ['docs', 'lib/core', 'lib/http', 'lib/operations', 'lib/runtime'],
};

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
}

function sourcesBelow(folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
      return { path, room: roomOf(path), text: readFileSync(join(root, path), 'utf8') };
    });
}

function roomOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'lib' ? `lib/${second}` : top;
}

function importsOf({ path, text }: SourceFile): readonly string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g);
  return Array.from(found, ([, target = '']) => join(dirname(path), target).split(sep).join('/'));
}

const sources = [...sourcesBelow('lib'), ...sourcesBelow('functions')];

describe('the rooms', () => {
  test('are all known', () => {
    expect([...new Set(sources.map(({ room }) => room))].filter((room) => !(room in arrows))).toEqual([]);
  });

  test('import only what the arrows allow', () => {
    const wrong = sources.flatMap((source) =>
      importsOf(source)
        .filter((target) => roomOf(target) !== source.room)
        .filter((target) => !(arrows[source.room] ?? []).includes(roomOf(target)))
        .map((target) => `${source.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('have no import cycle', () => {
    const graph = new Map(sources.map((source) => [source.path, importsOf(source)]));
    expect(findCycle(graph)).toBeUndefined();
  });
});

describe('the outer world', () => {
  const users = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

  test('the environment is read in one place', () => {
    expect(users(/process\.env/)).toEqual(['lib/runtime/foundation.ts']);
  });

  test('only transport opens connections', () => {
    const rooms = users(/from 'undici|from 'node:(https?|net|tls|dns)|\bfetch\(/).map(roomOf);
    expect([...new Set(rooms)]).toEqual(['lib/transport']);
  });

  test('only the HTTP room knows Lambda and middy', () => {
    const rooms = users(/from '(aws-lambda|@middy\/)/).map(roomOf);
    expect([...new Set(rooms)]).toEqual(['lib/http']);
  });

  test('only stores know DynamoDB', () => {
    const rooms = users(/DynamoDB_2012/).map(roomOf);
    expect([...new Set(rooms)]).toEqual(['lib/stores']);
  });
});

function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return undefined;
}
