/** The direction of imports between folders, and which folders may use the network, the environment and AWS. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The folders that each folder may import, besides itself and packages. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'lib/async': [],
  'lib/core': ['lib/async'],
  'lib/normalization': ['lib/async', 'lib/core'],
  'lib/protocols': ['lib/core'],
  'lib/transport': ['lib/async', 'lib/core'],
  'lib/stores': ['lib/async', 'lib/core'],
  'lib/routing': ['lib/async', 'lib/core'],
  'lib/http': ['lib/async', 'lib/core'],
  'lib/metering': ['lib/async', 'lib/core'],
  'lib/telemetry': ['lib/async', 'lib/core'],
  'lib/webhooks': ['lib/core'],
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
  // The worker of batches.
  'lib/batches': ['lib/async', 'lib/core', 'lib/metering', 'lib/providers'],
  'lib/operations': [
    'lib/async',
    'lib/core',
    'lib/routing',
    'lib/normalization',
    'lib/providers',
    'lib/metering',
    'lib/pipeline',
  ],
  // Rules and answers of the dashboard, which work on the stores directly: they are not on the path of a request.
  'lib/admin': ['lib/async', 'lib/core', 'lib/stores', 'lib/metering', 'lib/routing', 'lib/providers'],
  'lib/runtime': [
    'lib/admin',
    'lib/async',
    'lib/batches',
    'lib/core',
    'lib/protocols',
    'lib/normalization',
    'lib/transport',
    'lib/stores',
    'lib/routing',
    'lib/metering',
    'lib/telemetry',
    'lib/providers',
    'lib/pipeline',
    'lib/webhooks',
  ],
  functions: [
    'lib/admin',
    'lib/async',
    'lib/batches',
    'lib/core',
    'lib/http',
    'lib/operations',
    'lib/runtime',
  ],
  server: ['functions', 'lib/async', 'lib/core', 'lib/http', 'lib/runtime'],
  infra: [
    'build',
    'lib/admin',
    'lib/async',
    'lib/core',
    'lib/http',
    'lib/metering',
    'lib/providers',
    'lib/runtime',
    'lib/stores',
    'lib/transport',
    'server',
  ],
  // The OpenAPI documents are made from the schemas of the operations.
  build: ['lib/admin', 'lib/core', 'lib/http', 'lib/metering', 'lib/operations', 'lib/pipeline', 'server'],
  sandbox: ['infra', 'lib/core', 'lib/providers', 'lib/stores'],
  local: [
    'build',
    'functions',
    'infra',
    'lib/core',
    'lib/http',
    'lib/providers',
    'lib/runtime',
    'lib/stores',
    'lib/transport',
    'sandbox',
    'server',
  ],
  // Commands work on a gateway from outside, or beside it on its tables.
  cli: [
    'build',
    'infra',
    'lib/admin',
    'lib/async',
    'lib/core',
    'lib/http',
    'lib/metering',
    'lib/normalization',
    'lib/operations',
    'lib/pipeline',
    'lib/protocols',
    'lib/providers',
    'lib/routing',
    'lib/runtime',
    'lib/stores',
    'lib/telemetry',
    'lib/transport',
    'local',
    'server',
  ],
  // The page shares types of the admin API and of core, and a few functions.
  dashboard: ['lib/admin', 'lib/core'],
};

interface SourceFile {
  readonly path: string;
  /** The top folder, or the second level below lib. */
  readonly folder: string;
  readonly text: string;
}

function sourcesIn(top: string): readonly SourceFile[] {
  return readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
      return { path, folder: folderOf(path), text: readFileSync(join(root, path), 'utf8') };
    });
}

function folderOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'lib' ? `lib/${second}` : top;
}

function importsOf({ path, text }: SourceFile): readonly string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g);
  return Array.from(found, ([, target = '']) => join(dirname(path), target).split(sep).join('/'));
}

const served = [...sourcesIn('lib'), ...sourcesIn('functions')];
const pages = sourcesIn('dashboard');
const rooms = ['server', 'infra', 'build', 'sandbox', 'local', 'cli'].flatMap(sourcesIn);
const sources = [...served, ...rooms, ...pages];

describe('folders', () => {
  test('are all listed', () => {
    expect(
      [...new Set(sources.map(({ folder }) => folder))].filter((folder) => !(folder in allowed)),
    ).toEqual([]);
  });

  test('import only what the list allows', () => {
    const wrong = sources.flatMap((source) =>
      importsOf(source)
        .filter((target) => folderOf(target) !== source.folder)
        .filter((target) => !(allowed[source.folder] ?? []).includes(folderOf(target)))
        .map((target) => `${source.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('have no import cycle', () => {
    const graph = new Map(sources.map((source) => [source.path, importsOf(source)]));
    expect(findCycle(graph)).toBeUndefined();
  });
});

/** What the dashboard's page runs of the gateway's own code, each without Node. It may know the types of the admin API, too. */
const shared = [
  'lib/core/errors/error-guide.ts',
  'lib/core/accounting/money.ts',
  'lib/core/errors/error-kinds.ts',
  'lib/core/catalog/model-endpoints.ts',
  'lib/core/formats/csv.ts',
  'lib/core/formats/json-object.ts',
  'lib/core/operations/operation.ts',
  'lib/core/time.ts',
  'lib/admin/sign-in/problems.ts',
  'lib/admin/catalog/later-prices.ts',
  'lib/admin/credentials/typed-settings.ts',
  'lib/admin/usage/margin.ts',
];

describe('the page of the dashboard', () => {
  const lines = (source: SourceFile) =>
    source.text.matchAll(/^(import|export) (type )?[^;]*?from '(\.[^']+)';$/gm);
  const outside = pages.flatMap((source) =>
    Array.from(lines(source), ([, , type, target = '']) => ({
      source: source.path,
      isType: type !== undefined,
      target: join(dirname(source.path), target).split(sep).join('/'),
    })).filter(({ target }) => folderOf(target) !== 'dashboard'),
  );

  test('imports types of the admin API and of core, and a few functions', () => {
    const wrong = outside.filter(
      ({ isType, target }) =>
        !shared.includes(target) && !(isType && ['lib/admin', 'lib/core'].includes(folderOf(target))),
    );
    expect(wrong).toEqual([]);
  });

  test('shares only functions that import nothing else', () => {
    const files = sources.filter(({ path }) => shared.includes(path));
    const imported = files.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/^import \{[^;]*? from '(\.[^']+)';$/gm), ([, target = '']) =>
        join(dirname(path), target),
      ),
    );
    expect(imported.filter((target) => !shared.includes(target))).toEqual([]);
  });

  test('writes no HTML and no inline style into the document', () => {
    const wrong = pages.filter(({ text }) =>
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|setAttribute\('style'/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe('access to the outside', () => {
  const users = (pattern: RegExp) => served.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

  test('the entry of a process gives the environment', () => {
    const below = sources.filter(({ text }) => /process\.env/.test(text)).map(({ path }) => path);
    expect(below.filter((path) => !/^(server|build|cli)\/|^local\/start|^infra\/app/.test(path))).toEqual([]);
  });

  test('only transport opens connections', () => {
    const folders = users(/from 'undici|from 'node:(https?|net|tls|dns)|\bfetch\(/).map(folderOf);
    expect([...new Set(folders)]).toEqual(['lib/transport']);
  });

  test('only lib/http uses Lambda and middy', () => {
    const folders = users(/from '(aws-lambda|@middy\/)/).map(folderOf);
    expect([...new Set(folders)]).toEqual(['lib/http']);
  });

  test('only lib/stores uses DynamoDB', () => {
    const folders = users(/DynamoDB_2012/).map(folderOf);
    expect([...new Set(folders)]).toEqual(['lib/stores']);
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
