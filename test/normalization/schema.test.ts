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

describe.each([openaiStrict, claudeOutput, geminiOutput])('%#', (dialect) => {
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
