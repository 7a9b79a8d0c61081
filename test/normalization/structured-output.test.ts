/** Structured outputs and strict tools: what a model without them refuses or loses, and where schemas are adapted. */
import { describe, expect, test } from 'vitest';
import type { GenerationParameters, GenerationRequest, Tool } from '../../lib/core/generation/request.ts';
import type { Traits } from '../../lib/core/model.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import type { Rule, SchemaRules } from '../../lib/normalization/rule.ts';
import { adaptSchemas } from '../../lib/normalization/schemas/request-schemas.ts';
import { openaiStrict } from '../../lib/normalization/schemas/schema-dialects.ts';
import { strictToolsWhere } from '../../lib/normalization/schemas/strict-tools.ts';
import { formatByTool, ownFormats } from '../../lib/normalization/schemas/structured-output.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

const targetWith = (traits: Partial<Traits>) =>
  testTarget({ traits: { refuses: [], refusesWhileReasoning: [], ...traits } });

type Format = NonNullable<GenerationParameters['response_format']>;
const open = { type: 'object', properties: { a: { default: 1 } }, required: ['a'] };
const closed = { ...open, properties: { a: {} }, additionalProperties: false };
const schemaFormat: Format = { type: 'json_schema', json_schema: { name: 'a', schema: open } };
const nameOnly: Format = { type: 'json_schema', json_schema: { name: 'a' } };
const json: Format = { type: 'json_object' };
const plain: Format = { type: 'text' };

function isRefused(
  rules: readonly Rule[],
  format: Format | undefined,
  traits: Partial<Traits>,
  parts: Partial<GenerationRequest> = {},
): boolean {
  const { parameters = {} } = parts;
  const given = { ...parameters, ...(format && { response_format: format }) };
  const request = testRequest({}, { ...parts, parameters: given });
  try {
    normalize(request, targetWith(traits), { parameters: rules, messages: [] });
    return false;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'invalid_request', param: 'response_format' });
    expect(error).toMatchObject({
      message: expect.stringMatching(/^The model 'acme\/one' supports? |does not/),
    });
    return true;
  }
}

test.each<[Format | undefined, Traits['structuredOutput'], boolean]>([
  [schemaFormat, undefined, true],
  [schemaFormat, 'object', true],
  [schemaFormat, 'schema', false],
  [json, undefined, true],
  [json, 'object', false],
  [json, 'schema', false],
  [plain, undefined, false],
  [undefined, undefined, false],
])(
  'a model with its own formats is asked for %j; it has %s; refused: %s',
  (format, structuredOutput, refused) => {
    expect(isRefused(ownFormats, format, structuredOutput ? { structuredOutput } : {})).toBe(refused);
  },
);

describe('a schema through a forced call', () => {
  const tools: readonly Tool[] = [{ name: 'f' }];
  const reasoning = { style: 'budget', efforts: ['none', 'low'], defaultEffort: 'low' } as const;
  const webSearch = { type: 'web_search', position: 0 } as const;
  const off: Partial<GenerationRequest> = { parameters: { reasoning_effort: 'none' } };

  test.each<[string, boolean, Format, Partial<Traits>, Partial<GenerationRequest>]>([
    ['is possible', false, schemaFormat, {}, {}],
    ['is not needed without a schema', false, nameOnly, {}, { tools }],
    ['is not needed for JSON mode', false, json, {}, { tools }],
    ['is not needed for text', false, plain, {}, { tools }],
    [
      'is not needed by a model with its own mode',
      false,
      schemaFormat,
      { structuredOutput: 'schema' },
      { tools },
    ],
    ['is needed by a model with JSON mode', true, schemaFormat, { structuredOutput: 'object' }, { tools }],
    ['excludes tools', true, schemaFormat, {}, { tools }],
    ['excludes searches of the web', true, schemaFormat, {}, { webSearch }],
    ['needs a model that can be forced', true, schemaFormat, { toolChoices: ['auto', 'required'] }, {}],
    ['is possible where one can be named', false, schemaFormat, { toolChoices: ['named'] }, {}],
    ['excludes thinking with a budget', true, schemaFormat, { reasoning }, {}],
    [
      'excludes adaptive thinking',
      true,
      schemaFormat,
      { reasoning: { ...reasoning, style: 'adaptive' } },
      {},
    ],
    [
      'is possible with reasoning of others',
      false,
      schemaFormat,
      { reasoning: { ...reasoning, style: 'effort' } },
      {},
    ],
    ['is possible without thinking', false, schemaFormat, { reasoning }, off],
  ])('%s', (_, refused, format, traits, parts) => {
    expect(isRefused([formatByTool], format, traits, parts)).toBe(refused);
  });
});

describe('strict tools', () => {
  const tools: readonly Tool[] = [{ name: 'a', strict: true }, { name: 'b', strict: false }, { name: 'c' }];
  const run = (given: readonly Tool[], supported: boolean) =>
    strictToolsWhere(() => supported)(testRequest({}, { tools: given }), testTarget());

  test('are not strict for a model without them, on record', () => {
    const result = run(tools, false);
    expect(structuredClone(result?.request.tools)).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    expect(result?.changes).toEqual([
      {
        param: 'tools.0.function.strict',
        action: 'strip',
        before: true,
        after: null,
        reason: 'The model does not support strict tools.',
      },
    ]);
  });

  test('stay for a model that has them', () => {
    expect(run(tools, true)).toBeUndefined();
    expect(run(tools.slice(1), false)).toBeUndefined();
    expect(run([], false)).toBeUndefined();
  });
});

describe('the schema of an answer', () => {
  const output = { dialect: openaiStrict, hasLooseMode: true };
  const always = { dialect: openaiStrict, hasLooseMode: false };
  const formatOf = (strict?: boolean, schema: object | undefined = open): Format => ({
    type: 'json_schema',
    json_schema: {
      name: 'a',
      ...(schema && { schema: { ...schema } }),
      ...(strict !== undefined && { strict }),
    },
  });
  const map = { type: 'object', additionalProperties: true };
  const edits = ['additionalProperties', 'properties.a.default'];

  function run(format: Format, rules: SchemaRules, structuredOutput: Traits['structuredOutput'] = 'schema') {
    const target = targetWith(structuredOutput ? { structuredOutput } : {});
    const paths = { 'response_format.json_schema': 'text.format' };
    const request = testRequest({ response_format: format }, { parameterPaths: paths });
    const adapted = adaptSchemas(request, target, rules);
    return {
      format: adapted.request.parameters.response_format,
      params: adapted.changes.map(({ param }) => param),
    };
  }

  test.each<[string, Format, SchemaRules, Format, readonly string[]]>([
    ['strict', formatOf(true), { output }, formatOf(true, closed), edits.map((edit) => `schema.${edit}`)],
    ['a hint', formatOf(false), { output }, formatOf(false), []],
    ['a hint by default', formatOf(), { output }, formatOf(), []],
    [
      'strict in any case',
      formatOf(false),
      { output: always },
      formatOf(false, closed),
      edits.map((edit) => `schema.${edit}`),
    ],
    [
      'strict without saying so',
      formatOf(),
      { output: always },
      formatOf(undefined, closed),
      edits.map((edit) => `schema.${edit}`),
    ],
    ['too open to be strict', formatOf(true, map), { output }, formatOf(false, map), ['strict']],
    [
      'closed where there is no other mode',
      formatOf(true, map),
      { output: always },
      formatOf(true, { ...map, additionalProperties: false }),
      ['schema.additionalProperties'],
    ],
    ['absent', nameOnly, { output: always }, nameOnly, []],
    ['not adapted without rules', formatOf(true), {}, formatOf(true), []],
    ['not adapted in JSON mode', json, { output: always }, json, []],
  ])('is %s', (_, format, rules, expected, params) => {
    expect(run(format, rules)).toEqual({
      format: expected,
      params: params.map((param) => `text.format.${param}`),
    });
  });

  test('is not adapted for a model without response schemas', () => {
    expect(run(formatOf(true), { output }, 'object')).toEqual({ format: formatOf(true), params: [] });
  });

  test('is not added to a request without one', () => {
    const { request, changes } = adaptSchemas(testRequest(), targetWith({ structuredOutput: 'schema' }), {
      output,
    });
    expect({ parameters: request.parameters, changes }).toEqual({ parameters: {}, changes: [] });
  });
});

test.each<[string, Tool, SchemaRules, Tool]>([
  [
    'a strict tool',
    { name: 'f', strict: true, parameters: open },
    { strictTools: openaiStrict },
    { name: 'f', strict: true, parameters: closed },
  ],
  [
    'a tool that is not strict',
    { name: 'f', parameters: open },
    { strictTools: openaiStrict },
    { name: 'f', parameters: open },
  ],
  [
    'a strict tool without parameters',
    { name: 'f', strict: true },
    { strictTools: openaiStrict },
    { name: 'f', strict: true },
  ],
  [
    'a strict tool without rules',
    { name: 'f', strict: true, parameters: open },
    {},
    { name: 'f', strict: true, parameters: open },
  ],
])('%s is sent in its form', (_, tool, rules, expected) => {
  const { request } = adaptSchemas(testRequest({}, { tools: [tool] }), testTarget(), rules);
  expect(structuredClone(request.tools)).toEqual([expected]);
});
