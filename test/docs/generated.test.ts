/** The generated files of `docs/` match the sources and are complete: no field, operation, error or header is missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeRequest } from '../../build/openapi/components.ts';
import { examples } from '../../build/openapi/example-bodies.ts';
import { documentedPath } from '../../build/openapi/operation-reference.ts';
import { reference } from '../../build/openapi/reference.ts';
import { docsDirectory, generateDocs } from '../../cli/docs/generate.ts';
import { errorKinds } from '../../lib/core/errors/error-kinds.ts';
import { type OperationName, operations } from '../../lib/core/operations.ts';
import { document, problems, schemasIn } from './document.ts';

const root = join(import.meta.dirname, '../..');
const names = operations.map(({ name }) => name);

test.each(Object.entries(generateDocs()))(
  'docs/%s is up to date: if not, run `npm run docs`',
  (name, text) => {
    expect(readFileSync(join(docsDirectory, name), 'utf8')).toBe(text);
  },
);

describe('descriptions', () => {
  test.each(names)('%s: no description is of a field that does not exist', (name) => {
    const { used } = describeRequest(name);
    const { fields, components = {} } = reference[name];
    const known = new Set(used);
    expect(Object.keys({ ...fields, ...components }).filter((path) => !known.has(path))).toEqual([]);
  });

  test('every field of every schema has one', () => {
    const { schemas } = document.components;
    const bare = Object.entries(schemas).flatMap(([id, schema]) =>
      [...schemasIn(schema, id)].flatMap(([path, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, field]) => (field.description ?? refDescription(field.$ref)) === undefined)
          .map(([field]) => `${path}.${field}`),
      ),
    );
    expect(bare).toEqual([]);
  });

  const refDescription = (ref = '') => document.components.schemas[ref.split('/').at(-1) ?? '']?.description;
});

describe('the document', () => {
  test('has every operation of the route table, and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${method.toUpperCase()} /v1${path} ${operationId}`,
      ),
    );
    const served = operations.map((one) => `${one.method} ${documentedPath(one)} ${one.name}`);
    expect(documented.sort()).toEqual(served.sort());
  });

  test.each(operations)(
    'asks for a key exactly where $name does',
    ({ name, authenticated, path, method }) => {
      const operation = document.paths[documentedPath({ path }).slice('/v1'.length)]?.[method.toLowerCase()];
      expect([operation?.operationId, operation?.security.length === 3]).toEqual([name, authenticated]);
    },
  );

  test('refers to nothing that it does not have, and has nothing that is not referred to', () => {
    const text = JSON.stringify(document);
    const referred = new Set(Array.from(text.matchAll(/"#\/components\/([\w/-]+)"/g), ([, path]) => path));
    const { schemas, headers, parameters, responses } = document.components;
    const had = Object.entries({ schemas, headers, parameters, responses }).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `${kind}/${name}`),
    );
    // An answer to a method that a path does not accept belongs to no operation.
    expect([...referred].sort()).toEqual(had.filter((path) => path !== 'headers/Allow').sort());
  });

  test.each(Object.keys(examples) as (keyof typeof examples)[])('has valid examples of %s', (name) => {
    const { request, answer, event } = reference[name as OperationName];
    const example = examples[name];
    expect(request ? problems(request, example.request) : []).toEqual([]);
    expect(answer ? problems(answer, example.answer) : []).toEqual([]);
    for (const one of example.events ?? []) expect(problems(event ?? '', one)).toEqual([]);
  });

  test('finds what is wrong with a body', () => {
    const message = { role: 'user', content: 'Hello.' };
    expect(problems('ChatCompletionRequest', { model: 'a/b', messages: [message] })).toEqual([]);
    expect(problems('ChatCompletionRequest', { messages: [message] })).not.toEqual([]);
    expect(problems('ChatCompletionRequest', { model: 'a/b', messages: [message], nonsense: 1 })).not.toEqual(
      [],
    );
    expect(
      problems('ResponseRequest', { model: 'a/b', input: [{ ...message, type: 'nonsense' }] }),
    ).not.toEqual([]);
    expect(problems('Error', { error: { message: '', type: '', param: null } })).not.toEqual([]);
    const deleted = { id: 'resp_1', object: 'response', deleted: true };
    expect(problems('DeletedResponse', deleted)).toEqual([]);
    expect(problems('DeletedResponse', { ...deleted, undocumented: 1 })).not.toEqual([]);
  });
});

describe('docs/reference/errors.md', () => {
  const errors = generateDocs()['reference/errors.md'] ?? '';

  test('has every type and code of the error table', () => {
    const known = Object.values(errorKinds).flatMap(({ type, code }) => [type, code ?? type]);
    expect(known.filter((name) => !errors.includes(`\`${name}\``))).toEqual([]);
  });

  test('or docs/reference/api.md has every header that an answer may have', () => {
    const pages = Object.values(generateDocs()).join('').toLowerCase();
    const headers = sources('lib').flatMap((text) =>
      Array.from(
        text.matchAll(/['`](x-(?:gateway|ratelimit|request)[\w-]*|www-authenticate|retry-after)/g),
        ([, name]) => name,
      ),
    );
    expect(headers.length).toBeGreaterThan(8);
    expect([...new Set(headers)].filter((name) => !pages.includes(`\`${name}`))).toEqual([]);
  });

  function sources(folder: string): readonly string[] {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8'));
  }
});

describe('docs/reference/limits.md', () => {
  const page = readFileSync(join(docsDirectory, 'reference/limits.md'), 'utf8');
  const rows = Array.from(
    page.matchAll(/^\| .* \| ([\d,]+) ?(\w*) \| .* \| `(\w+)`, `([^`]+)` \|$/gm),
    ([, number = '', unit = '', name = '', file = '']) => ({ number, unit, name, file }),
  );
  /** What a number in a unit can be in the code, which counts time in seconds or milliseconds. */
  const factors: Readonly<Record<string, readonly number[]>> = {
    KB: [1_024],
    MB: [1_048_576],
    ms: [1],
    s: [1, 1_000],
    min: [60, 60_000],
    h: [3_600, 3_600_000],
    d: [86_400, 86_400_000],
  };

  test('has a row for each limit, of a known form', () => {
    expect(rows.length).toBe(page.match(/^\| .*`, `.*` \|$/gm)?.length);
  });

  test.each(rows)('$name of $file is $number $unit', ({ number, unit, name, file }) => {
    const text = readFileSync(join(root, file), 'utf8');
    const [, value = ''] = new RegExp(`\\b${name}(?: =|:) ([^;,\\n]+)`).exec(text) ?? [];
    const product = value
      .replaceAll('dayMs', '86400000')
      .replaceAll('_', '')
      .replace(/2 \*\* 20|megabyte/, '1048576')
      .split('*');
    const stated = Number(number.replaceAll(',', ''));
    expect((factors[unit] ?? [1]).map((factor) => stated * factor)).toContain(
      product.reduce((all, one) => all * Number(one), 1),
    );
  });
});
