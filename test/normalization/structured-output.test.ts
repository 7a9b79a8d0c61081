/** Structured outputs and strict tools: what a model without them refuses or loses, and where schemas are adapted. */
import { describe, expect, test } from 'vitest';
import type { Traits } from '../../lib/core/catalog/model.ts';
import type { GenerationParameters, GenerationRequest, Tool } from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import type { Rule, SchemaRules } from '../../lib/normalization/rule.ts';
import { adaptSchemas } from '../../lib/normalization/schemas/request-schemas.ts';
import { openaiStrict } from '../../lib/normalization/schemas/schema-dialects.ts';
import {
  jsonInWords,
  ownFormats,
  schemaBesideTools,
  strictToolsWhere,
} from '../../lib/normalization/schemas/structured-output.ts';
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
  const chosen = (tool_choice: NonNullable<GenerationParameters['tool_choice']>) => ({
    tools,
    parameters: { tool_choice },
  });

  /** `asks`: the format that stays, and the choice that it comes with; undefined: the format is put into words. */
  const rows: readonly [string, Format, Partial<Traits>, Partial<GenerationRequest>, string | undefined][] = [
    ['is possible', schemaFormat, {}, {}, 'json_schema'],
    ['is not needed for text', plain, {}, { tools }, 'text'],
    [
      'is not needed by a model with its own mode',
      schemaFormat,
      { structuredOutput: 'schema' },
      { tools },
      'json_schema',
    ],
    [
      'is one of several with tools',
      schemaFormat,
      { structuredOutput: 'object' },
      { tools },
      'json_schema, required',
    ],
    [
      'is one of several beside tools that are free',
      schemaFormat,
      {},
      chosen('auto'),
      'json_schema, required',
    ],
    ['gives way where tools are off', schemaFormat, {}, chosen('none'), undefined],
    ['gives way to a call that the caller forces', schemaFormat, {}, chosen('required'), undefined],
    ['gives way to a call of one tool', schemaFormat, {}, chosen({ name: 'f' }), undefined],
    ['is not beside tools without a schema', nameOnly, {}, { tools }, undefined],
    ['is not beside tools for JSON mode', json, {}, { tools }, undefined],
    ['excludes searches of the web', schemaFormat, {}, { webSearch }, undefined],
    ['needs a model that can be forced', schemaFormat, { toolChoices: ['auto', 'required'] }, {}, undefined],
    [
      'needs a model that can be forced beside tools',
      schemaFormat,
      { toolChoices: ['auto', 'named'] },
      { tools },
      undefined,
    ],
    ['is possible where one can be named', schemaFormat, { toolChoices: ['named'] }, {}, 'json_schema'],
    ['excludes thinking with a budget', schemaFormat, { reasoning }, {}, undefined],
    [
      'excludes adaptive thinking',
      schemaFormat,
      { reasoning: { ...reasoning, style: 'adaptive' } },
      { tools },
      undefined,
    ],
    [
      'is possible with reasoning of others',
      schemaFormat,
      { reasoning: { ...reasoning, style: 'effort' } },
      {},
      'json_schema',
    ],
    [
      'is possible without thinking',
      schemaFormat,
      { reasoning },
      { parameters: { reasoning_effort: 'none' } },
      'json_schema',
    ],
  ];

  test.each(rows)('%s', (_, format, traits, parts, asks) => {
    const request = testRequest(
      {},
      { ...parts, parameters: { ...parts.parameters, response_format: format } },
    );
    const rules = { parameters: [], messages: [], requests: [jsonInWords, schemaBesideTools] };
    const { request: sent, changes } = normalize(request, targetWith(traits), rules);
    const { response_format, tool_choice } = sent.parameters;
    const choice = asks?.split(', ')[1];
    if (asks) expect({ format: response_format, choice: tool_choice }).toEqual({ format, choice });
    else {
      expect(response_format).toBeUndefined();
      expect(sent.messages[0]).toMatchObject({ role: 'system' });
    }
    const before = parts.parameters?.tool_choice ?? null;
    const record = { param: 'tool_choice', action: before ? 'override' : 'add', before, after: 'required' };
    const expected = asks?.endsWith('required') ? [record] : [{ param: 'response_format', action: 'strip' }];
    expect(changes).toMatchObject(asks && choice !== 'required' ? [] : expected);
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
