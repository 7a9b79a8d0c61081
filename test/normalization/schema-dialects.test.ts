/** Each dialect of JSON Schema, keyword by keyword: what it strips, what it rewrites, and what turns strict mode off. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { SchemaDialect } from '../../lib/normalization/rule.ts';
import { adaptSchema, someNode } from '../../lib/normalization/schemas/schema.ts';
import {
  claudeOutput,
  claudeStrict,
  geminiOutput,
  openaiStrict,
} from '../../lib/normalization/schemas/schema-dialects.ts';

const adapt = (schema: JsonObject, dialect: SchemaDialect) => adaptSchema(schema, dialect, 'schema');
const exceeds = (schema: JsonObject, dialect: SchemaDialect) =>
  dialect.exceeds !== undefined && someNode(schema, dialect.exceeds);

const numbers = ['minimum', 'maximum'];
const exclusive = ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const lengths = ['minLength', 'maxLength'];
const arrays = ['uniqueItems', 'contains', 'minContains', 'maxContains'];
const maps = ['minProperties', 'maxProperties', 'propertyNames', 'patternProperties'];
const conditions = ['not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'];
const unevaluated = ['unevaluatedItems', 'unevaluatedProperties'];
const others = ['title', 'description', 'examples', 'format', 'enum', 'prefixItems', 'anyOf', 'deprecated'];
const all = [
  ...['minItems', 'maxItems', 'allOf', 'pattern', 'default'],
  ...[numbers, exclusive, lengths, arrays, maps, conditions, unevaluated, others].flat(),
];

const claude = [
  ...['maxItems', 'minItems'],
  ...[numbers, exclusive, lengths, arrays, maps, conditions, unevaluated].flat(),
];
const gemini = [
  ...['allOf', 'pattern'],
  ...[exclusive, lengths, arrays, maps, conditions, unevaluated].flat(),
];

describe.each<[string, SchemaDialect, readonly string[]]>([
  ['openaiStrict', openaiStrict, ['propertyNames', 'default']],
  ['claudeStrict', claudeStrict, claude],
  ['claudeOutput', claudeOutput, claude],
  ['geminiOutput', geminiOutput, gemini],
])('%s', (_, dialect, stripped) => {
  test.each(all)('%s', (keyword) => {
    // No schema, list or pattern, so that only the keyword itself can be at fault.
    const schema = { type: 'string', [keyword]: 7 };
    const { schema: adapted, changes } = adapt(schema, dialect);
    if (!stripped.includes(keyword)) {
      expect({ adapted, changes }).toEqual({ adapted: schema, changes: [] });
      return;
    }
    expect(adapted).toEqual({ type: 'string' });
    expect(changes).toEqual([
      { param: `schema.${keyword}`, action: 'strip', before: 7, after: null, reason: expect.any(String) },
    ]);
  });
});

test.each<[string, SchemaDialect, readonly string[]]>([
  ['openaiStrict', openaiStrict, ['allOf', 'patternProperties', ...conditions]],
  ['claudeStrict', claudeStrict, ['patternProperties', 'not', 'if']],
  ['claudeOutput', claudeOutput, []],
  ['geminiOutput', geminiOutput, []],
])('%s: these keywords turn strict mode off', (_, dialect, keywords) => {
  expect(all.filter((keyword) => exceeds({ [keyword]: {} }, dialect))).toEqual(
    all.filter((keyword) => keywords.includes(keyword)),
  );
});

test.each([
  [true, { additionalProperties: true }],
  [true, { additionalProperties: { type: 'string' } }],
  [true, { properties: { a: { additionalProperties: {} } } }],
  [false, { additionalProperties: false }],
  [false, { additionalProperties: 'yes' }],
  [false, { properties: { additionalProperties: { type: 'string' } } }],
  [false, { enum: [{ additionalProperties: true }] }],
  [false, {}],
])('strict mode is turned off: %s, for %j', (isOff, schema) => {
  expect(exceeds(schema, openaiStrict)).toBe(isOff);
  expect(exceeds(schema, claudeStrict)).toBe(isOff);
});

/** The cases of one dialect: a schema, and what it becomes; the same schema where it is accepted. */
type Case = readonly [before: JsonObject, after: JsonObject];
const same = (schema: JsonObject): Case => [schema, schema];

const references: readonly Case[] = [
  [{ $ref: '#/$defs/none' }, {}],
  [{ $ref: 'https://example.com/schema' }, {}],
  [{ $ref: '#name' }, {}],
  [{ $ref: 7 }, {}],
  [{ $ref: '#/$defs/toString', $defs: {} }, { $defs: {} }],
  [{ $ref: '#/enum/0', enum: ['a'] }, { enum: ['a'] }],
  same({ anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { type: 'string' } } }),
  same({ anyOf: [{ $ref: '#/$defs/a~1b~0c' }], $defs: { 'a/b~c': { type: 'string' } } }),
];
const unions: readonly Case[] = [
  [{ oneOf: [{ type: 'null' }] }, { anyOf: [{ type: 'null' }] }],
  [{ oneOf: [{ type: 'null' }], anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'string' }] }],
];
const closing: readonly Case[] = [
  [{ type: 'object' }, { type: 'object', additionalProperties: false }],
  [{ type: ['null', 'object'] }, { type: ['null', 'object'], additionalProperties: false }],
  [
    { additionalProperties: true, type: 'object' },
    { additionalProperties: false, type: 'object' },
  ],
  same({ type: ['null', 'string'] }),
  same({ type: 'objects' }),
  same({ properties: [] }),
];
const patterns: readonly Case[] = [
  ...['(?=a)', 'a(?!b)', '(?<=a)b', '(?<!a)b'].map((pattern): Case => [{ pattern }, {}]),
  ...['(?:a)', '(?<name>a)', '^[=!]$', '\\?=a', '<=('].map((pattern) => same({ pattern })),
  same({ pattern: 7 }),
];
const cycles: readonly Case[] = [
  [
    { properties: { a: { $ref: '#' } }, additionalProperties: false },
    { properties: { a: {} }, additionalProperties: false },
  ],
  [
    { $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } } },
    { $defs: { a: { items: {} }, b: { items: {} } } },
  ],
  same({ $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { type: 'string' } } }),
];
const claudeCases: readonly Case[] = [
  ...[references, unions, closing, patterns, cycles].flat(),
  ...[0, 1].map((minItems) => same({ minItems })),
  ...[-1, 2, '1'].map((minItems): Case => [{ minItems }, {}]),
];

describe.each<[string, SchemaDialect, readonly Case[]]>([
  [
    'openaiStrict',
    openaiStrict,
    [
      ...[references, unions, closing, patterns].flat(),
      [
        { properties: { a: {}, b: {} }, required: ['b', 'b'], additionalProperties: false },
        { properties: { a: {}, b: {} }, required: ['b', 'a'], additionalProperties: false },
      ],
      [
        { properties: { a: {} }, additionalProperties: false },
        { properties: { a: {} }, additionalProperties: false, required: ['a'] },
      ],
      [
        { properties: { a: {} }, required: 'a', additionalProperties: false },
        { properties: { a: {} }, required: ['a'], additionalProperties: false },
      ],
      same({ properties: { a: {} }, required: ['a', 'b'], additionalProperties: false }),
      same({ properties: {}, additionalProperties: false }),
      same({ $defs: { a: { items: { $ref: '#/$defs/a' } } } }),
    ],
  ],
  ['claudeStrict', claudeStrict, claudeCases],
  ['claudeOutput', claudeOutput, claudeCases],
  [
    'geminiOutput',
    geminiOutput,
    [
      ...references,
      ...unions,
      [{ const: 'a' }, { enum: ['a'] }],
      [{ const: 'a', enum: ['a', 'b'] }, { enum: ['a'] }],
      same({ enum: ['a', 'b'] }),
      same({
        type: 'object',
        properties: { a: { title: 'A', description: 'a', default: 1, examples: [1] } },
      }),
      ...['title', 'description', 'default', 'examples'].map(
        (keyword): Case => [
          { items: { $ref: '#/$defs/a', [keyword]: ['x'] }, $defs: { a: {} } },
          { items: { $ref: '#/$defs/a' }, $defs: { a: {} } },
        ],
      ),
    ],
  ],
])('%s', (_, dialect, cases) => {
  test.each(cases)('%j becomes %j', (before, after) => {
    const { schema, changes } = adapt(before, dialect);
    expect(schema).toEqual(after);
    expect(Object.keys(schema)).toEqual(Object.keys(after));
    if (before === after) expect(schema).toBe(before);
    expect(changes.length > 0).toBe(before !== after);
  });
});

describe('a schema inside a schema', () => {
  const inner = { minimum: 1 };
  const single = ['items', 'additionalItems', 'additionalProperties'];
  const listed = ['items', 'anyOf', 'prefixItems', 'allOf'];
  const named = ['properties', '$defs', 'definitions'];

  test.each<[string, JsonObject, JsonObject, string]>([
    ...single.map((name) => [name, { [name]: inner }, { [name]: {} }, name] as const),
    ...listed.map((name) => [name, { [name]: [7, inner] }, { [name]: [7, {}] }, `${name}.1`] as const),
    ...named.map(
      (name) => [name, { [name]: { a: 7, b: inner } }, { [name]: { a: 7, b: {} } }, `${name}.b`] as const,
    ),
  ] as [string, JsonObject, JsonObject, string][])('is adapted below %s', (_, before, after, path) => {
    const dialect: SchemaDialect = { edits: [{ keyword: 'minimum', reason: 'Test.' }] };
    const { schema, changes } = adapt(before, dialect);
    expect(schema).toEqual(after);
    expect(changes.map(({ param }) => param)).toEqual([`schema.${path}.minimum`]);
  });

  test.each(['enum', 'const', 'default', 'examples', 'required'])(
    '%s holds values, not schemas',
    (keyword) => {
      const dialect: SchemaDialect = { edits: [{ keyword: 'minimum', reason: 'Test.' }] };
      for (const schema of [{ [keyword]: [inner] }, { [keyword]: inner }, { [keyword]: { a: inner } }]) {
        expect(adapt(schema, dialect)).toEqual({ schema, changes: [] });
      }
    },
  );

  test('may be nested 200 levels deep, and no deeper', () => {
    const dialect: SchemaDialect = { edits: [] };
    const nested = (depth: number): JsonObject => {
      let schema: JsonObject = { type: 'string' };
      for (let level = 0; level < depth; level += 1) schema = { items: schema };
      return schema;
    };
    expect(adapt(nested(200), dialect).changes).toEqual([]);
    expect(() => adapt(nested(201), dialect)).toThrow(/200 levels/);
  });
});
