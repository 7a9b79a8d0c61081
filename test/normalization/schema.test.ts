/** JSON Schemas as each strict mode takes them: only what it refuses is changed, and every change is reported. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GenerationParameters, JsonObject } from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import type { SchemaDialect } from '../../lib/normalization/rule.ts';
import { adaptSchema } from '../../lib/normalization/schemas/schema.ts';
import {
  claudeOutput,
  claudeStrict,
  geminiOutput,
  openaiStrict,
} from '../../lib/normalization/schemas/schema-dialects.ts';
import { anthropic } from '../../lib/providers/anthropic/provider.ts';
import { openai } from '../../lib/providers/openai/provider.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

const adapt = (schema: JsonObject, dialect: SchemaDialect) => adaptSchema(schema, dialect, 'schema');
const object = (properties: JsonObject, others: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...others,
});

/** What each dialect must never show, written apart from the dialects themselves. */
const forbidden: readonly (readonly [string, SchemaDialect, readonly string[]])[] = [
  ['openaiStrict', openaiStrict, ['oneOf', 'propertyNames', 'default']],
  [
    'claudeOutput',
    claudeOutput,
    ['oneOf', 'minimum', 'maximum', 'minLength', 'maxLength', 'multipleOf', 'maxItems', 'not', 'if'],
  ],
  ['geminiOutput', geminiOutput, ['oneOf', 'const', 'pattern', 'minLength', 'allOf', 'propertyNames', 'not']],
];

const names = ['minimum', 'oneOf', 'const', 'not', 'pattern', 'properties', 'plain'];
const leaf = fc.record(
  {
    type: fc.constantFrom('string', 'integer', 'array'),
    minimum: fc.integer(),
    maximum: fc.integer(),
    minLength: fc.nat(),
    maxItems: fc.nat(),
    minItems: fc.nat(3),
    multipleOf: fc.nat(),
    pattern: fc.constantFrom('^a', '^(?=a)', '(?<!b)a'),
    const: fc.constantFrom('x', 1),
    enum: fc.constant(['x', 'oneOf', 'minimum']),
    default: fc.constant({ oneOf: [], minimum: 1 }),
    description: fc.string(),
    $ref: fc.constantFrom('#/$defs/one', '#', '#/$defs/none', 'https://example.test/schema'),
  },
  { requiredKeys: [] },
);
const { schema: arbitrarySchema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record(
      {
        type: fc.constantFrom('object', ['object', 'null']),
        properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), { maxKeys: 3 }),
        required: fc.constant(['plain']),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        propertyNames: tie('schema'),
        not: tie('schema'),
        if: tie('schema'),
        $defs: fc.dictionary(fc.constantFrom('one', 'minimum'), tie('schema'), { maxKeys: 2 }),
        items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
        oneOf: fc.array(tie('schema'), { maxLength: 2 }),
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

describe.each(forbidden)('%s', (_, dialect, keywords) => {
  test('an adapted schema holds nothing that is refused', () => {
    fc.assert(
      fc.property(arbitrarySchema, (schema) => {
        const found = keywordsOf(adapt(schema, dialect).schema);
        expect(keywords.filter((keyword) => found.has(keyword))).toEqual([]);
      }),
    );
  });

  test('a second time changes nothing', () => {
    fc.assert(
      fc.property(arbitrarySchema, (schema) => {
        const once = adapt(schema, dialect).schema;
        const twice = adapt(once, dialect);
        expect(twice.changes).toEqual([]);
        expect(twice.schema).toBe(once);
      }),
    );
  });

  test('every difference is reported, and nothing else', () => {
    fc.assert(
      fc.property(arbitrarySchema, (schema) => {
        const { schema: adapted, changes } = adapt(schema, dialect);
        expect(changes.length === 0).toBe(adapted === schema);
        const params = changes.map(({ param }) => param);
        expect(new Set(params).size).toBe(params.length);
        for (const path of differences(schema, adapted, 'schema')) {
          expect(params.some((param) => param === path || path.startsWith(`${param}.`))).toBe(true);
        }
      }),
    );
  });
});

test.each([openaiStrict, claudeStrict, claudeOutput, geminiOutput])(
  'a schema that is fine is not touched',
  (dialect) => {
    const schema = object(
      {
        city: { type: 'string', enum: ['Oslo'] },
        minimum: { type: 'integer' },
        list: { type: 'array', items: { $ref: '#/$defs/one' } },
      },
      { $defs: { one: object({ oneOf: { type: 'string' } }) } },
    );
    expect(adapt(schema, dialect)).toEqual({ schema, changes: [] });
    expect(adapt(schema, dialect).schema).toBe(schema);
  },
);

test('a change is reported under the path of the caller', () => {
  const schema = object({ x: { oneOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] } });
  const { schema: adapted, changes } = adapt(schema, claudeOutput);
  expect(adapted.properties).toEqual({ x: { anyOf: [{ type: 'integer' }, { type: 'null' }] } });
  expect(changes).toMatchObject([
    { param: 'schema.properties.x.oneOf', action: 'override', before: 'oneOf', after: 'anyOf' },
    { param: 'schema.properties.x.oneOf.0.minimum', action: 'strip', before: 1, after: null },
  ]);
});

test('a definition that holds itself keeps its use and loses the way back', () => {
  const tree = object({ children: { type: 'array', items: { $ref: '#/$defs/tree' } } });
  const schema = object({ root: { $ref: '#/$defs/tree' } }, { $defs: { tree } });
  const { schema: adapted, changes } = adapt(schema, claudeOutput);
  expect(adapted.properties).toEqual({ root: { $ref: '#/$defs/tree' } });
  expect(changes.map(({ param }) => param)).toEqual(['schema.$defs.tree.properties.children.items.$ref']);
});

describe('nesting', () => {
  const nested = (depth: number): JsonObject => {
    let schema: JsonObject = { type: 'string' };
    for (let level = 0; level < depth; level += 1) schema = object({ inner: schema });
    return schema;
  };

  test.each(forbidden)('%s: a very deep schema is refused, not a crash', (_, dialect) => {
    expect(adapt(nested(90), dialect).changes).toEqual([]);
    expect(() => adapt(nested(100_000), dialect)).toThrow(
      expect.objectContaining({ kind: 'invalid_request', param: 'schema' }),
    );
  });
});

describe('a strict tool', () => {
  const parameters = (schema: JsonObject) => ({ tools: [{ name: 'f', strict: true, parameters: schema }] });
  const target = testTarget();
  const { rules } = openai.generation;

  test('closes its objects and requires their properties', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['b'],
    };
    const { request, changes } = normalize(testRequest({}, parameters(schema)), target, rules);
    expect(request.tools[0]?.parameters).toEqual({
      ...schema,
      additionalProperties: false,
      required: ['b', 'a'],
    });
    const path = 'tools.0.function.parameters';
    expect(changes).toMatchObject([
      { param: `${path}.additionalProperties`, action: 'add', before: null, after: false },
      { param: `${path}.required`, action: 'override', before: ['b'], after: ['b', 'a'] },
    ]);
  });

  test.each([openai, anthropic])(
    'with an open map is not strict any more, and keeps its map',
    ({ generation }) => {
      const schema = { type: 'object', additionalProperties: { type: 'string' } };
      const { request, changes } = normalize(testRequest({}, parameters(schema)), target, generation.rules);
      expect(request.tools).toMatchObject([{ name: 'f', strict: false, parameters: schema }]);
      expect(changes).toContainEqual(
        expect.objectContaining({
          param: 'tools.0.function.strict',
          action: 'override',
          before: true,
          after: false,
        }),
      );
    },
  );

  test('one that is not strict is sent unchanged', () => {
    const tools = [{ name: 'f', parameters: { oneOf: [{ minimum: 1 }] } }];
    expect(normalize(testRequest({}, { tools }), target, rules)).toMatchObject({
      request: { tools },
      changes: [],
    });
  });
});

describe("an answer's schema", () => {
  const schema = { type: 'object', properties: { age: { type: 'integer', minimum: 0 } } };
  const format = (strict: boolean): GenerationParameters => ({
    response_format: { type: 'json_schema', json_schema: { name: 'a', strict, schema } },
  });
  const target = testTarget({
    traits: { refuses: [], refusesWhileReasoning: [], structuredOutput: 'schema' },
  });

  test('is adapted for Claude, strict or not', () => {
    const { changes } = normalize(testRequest(format(false)), target, anthropic.generation.rules);
    expect(changes.map(({ param }) => param)).toEqual([
      'response_format.json_schema.schema.additionalProperties',
      'response_format.json_schema.schema.properties.age.minimum',
    ]);
  });

  test('is a hint for OpenAI, unless it is strict', () => {
    const loose = normalize(testRequest(format(false)), target, openai.generation.rules);
    expect(loose).toMatchObject({ request: { parameters: format(false) }, changes: [] });
    const strict = normalize(testRequest(format(true)), target, openai.generation.rules);
    expect(strict.changes).toHaveLength(2);
  });
});

const listed = ['items', 'anyOf', 'oneOf', 'allOf'];
const single = ['items', 'additionalProperties', 'propertyNames', 'not', 'if'];
const named = ['properties', '$defs'];

/** The schemas directly inside a schema, with their paths. */
function inner(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  const isSchema = (value: unknown): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.entries(schema).flatMap(([keyword, value]): (readonly [string, JsonObject])[] => {
    if (Array.isArray(value) && listed.includes(keyword)) {
      return value.flatMap((item, index) => (isSchema(item) ? [[`${keyword}.${index}`, item] as const] : []));
    }
    if (!isSchema(value)) return [];
    if (single.includes(keyword)) return [[keyword, value]];
    if (!named.includes(keyword)) return [];
    return Object.entries(value).flatMap(([name, one]) =>
      isSchema(one) ? [[`${keyword}.${name}`, one] as const] : [],
    );
  });
}

function keywordsOf(schema: JsonObject): ReadonlySet<string> {
  return new Set([...Object.keys(schema), ...inner(schema).flatMap(([, one]) => [...keywordsOf(one)])]);
}

/** Where two schemas differ: keywords that are in one only, or whose own values differ. */
function differences(before: JsonObject, after: JsonObject, path: string): readonly string[] {
  const paths = (schema: JsonObject) => new Map(inner(schema));
  const [old, fresh] = [paths(before), paths(after)];
  const holders = new Set([...old.keys(), ...fresh.keys()].map((key) => key.split('.')[0]));
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  const own = [...keywords].filter((keyword) => {
    if (keyword === 'anyOf' && !(keyword in before)) return false;
    if (keyword === 'enum' && 'const' in before) return false;
    if (keyword in before !== keyword in after) return true;
    return !holders.has(keyword) && JSON.stringify(before[keyword]) !== JSON.stringify(after[keyword]);
  });
  const deeper = [...old].flatMap(([key, one]) => {
    const twin = fresh.get(key) ?? fresh.get(key.replace(/^oneOf/, 'anyOf'));
    return twin ? differences(one, twin, `${path}.${key}`) : [`${path}.${key}`];
  });
  return [...own.map((keyword) => `${path}.${keyword}`), ...deeper];
}
