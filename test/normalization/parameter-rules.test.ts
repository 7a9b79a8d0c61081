/** Rules on parameters: how they are applied and recorded, and those that follow from a model's traits. */
import { describe, expect, test } from 'vitest';
import type { Model, Traits } from '../../lib/core/catalog/model.ts';
import type { GenerationParameters, GenerationRequest } from '../../lib/core/generation/request.ts';
import { summarize } from '../../lib/normalization/conversation/summarize.ts';
import { nearestEffort, willReason } from '../../lib/normalization/effort.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { applyParameterRules } from '../../lib/normalization/parameter-rules.ts';
import type { ParameterRule, Rule } from '../../lib/normalization/rule.ts';
import { atMostChoices, temperatureRules, traitRules, unsupported } from '../../lib/normalization/rules.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

interface Given {
  readonly a?: number;
  readonly b?: number;
}
type GivenRule = ParameterRule<Given, Given>;
const rule = (changes: Partial<GivenRule>): GivenRule => ({
  param: 'a',
  reason: 'Test.',
  applies: () => true,
  ...changes,
});
const apply = (given: Given, rules: readonly GivenRule[], paths?: Record<string, string>) =>
  applyParameterRules(given, rules, (parameters) => parameters, paths);

describe('a rule', () => {
  test.each<[string, Given, Partial<GivenRule>, Given, object[]]>([
    ['strips', { a: 1, b: 2 }, {}, { b: 2 }, [{ action: 'strip', before: 1, after: null }]],
    ['overrides', { a: 1 }, { value: () => 3 }, { a: 3 }, [{ action: 'override', before: 1, after: 3 }]],
    ['overrides zero', { a: 0 }, { value: () => 3 }, { a: 3 }, [{ action: 'override', before: 0, after: 3 }]],
    ['adds', {}, { adds: true, value: () => 3 }, { a: 3 }, [{ action: 'add', before: null, after: 3 }]],
    ['does not add unless it says so', { b: 1 }, { value: () => 3 }, { b: 1 }, []],
    ['does nothing where it does not apply', { a: 1 }, { applies: () => false }, { a: 1 }, []],
    ['adds nothing where it does not apply', {}, { adds: true, applies: () => false }, {}, []],
  ])('%s', (_, given, changes, parameters, recorded) => {
    const applied = apply(given, [rule(changes)]);
    expect(applied.parameters).toEqual(parameters);
    expect(applied.changes).toEqual(recorded.map((change) => ({ param: 'a', reason: 'Test.', ...change })));
  });

  test('sees what earlier rules left', () => {
    const double = rule({ value: ({ a = 0 }) => a * 2 });
    expect(apply({ a: 1 }, [double, double]).changes.map(({ after }) => after)).toEqual([2, 4]);
    expect(apply({ a: 1 }, [rule({}), double])).toMatchObject({ parameters: {}, changes: [{}] });
  });

  test('is recorded, and refuses, under the name that the caller used', () => {
    const paths = { a: 'outer.a' };
    const refuses = { message: ({ a }: Given) => `No ${a}.` };
    expect(apply({ a: 1 }, [rule({})], paths).changes[0]?.param).toBe('outer.a');
    expect(() => apply({ a: 1 }, [rule({ refuses })], paths)).toThrow(
      expect.objectContaining({ kind: 'invalid_request', message: 'No 1.', param: 'outer.a' }),
    );
    expect(() => apply({ a: 1 }, [rule({ refuses: { ...refuses, path: () => 'c' } })], paths)).toThrow(
      expect.objectContaining({ param: 'c' }),
    );
  });
});

const effort: Traits['reasoning'] = { style: 'effort', efforts: ['none', 'low'], defaultEffort: 'low' };
const traitsWith = (traits: Partial<Traits>): Partial<Model> => ({
  traits: { refuses: [], refusesWhileReasoning: [], ...traits },
});

function normalized(
  rules: readonly Rule[],
  parameters: GenerationParameters,
  model: Partial<Model> = {},
  parts: Partial<GenerationRequest> = {},
) {
  const request = testRequest(parameters, parts);
  return normalize(request, testTarget(model), { parameters: rules, messages: [] });
}

/** The parameters that an answer does not depend on, and a value for each. */
const strippable: GenerationParameters = {
  top_p: 0.5,
  frequency_penalty: 0.5,
  presence_penalty: 0.5,
  stop: ['x'],
  seed: 7,
  logprobs: true,
  logit_bias: { '1': 1 },
  parallel_tool_calls: false,
  service_tier: 'auto',
  store: true,
  metadata: { team: 'blue' },
  user: 'someone',
  verbosity: 'low',
  prompt_cache_key: 'key',
  safety_identifier: 'someone',
};
const names = Object.keys(strippable) as readonly (keyof GenerationParameters)[];
const tools = [{ name: 'f' }];

describe.each(names)("%s follows the model's traits", (name) => {
  const value = { [name]: strippable[name] };
  const run = (model: Partial<Model>, parameters: GenerationParameters = value) =>
    normalized(traitRules, parameters, model, { tools }).request.parameters;

  test('when the model refuses it', () => {
    expect(run(traitsWith({ refuses: [name] }))).toEqual({});
    expect(run(traitsWith({ refuses: ['max_tokens'] }))).toEqual(value);
  });

  test('when the model refuses it while it reasons', () => {
    const traits = traitsWith({ reasoning: effort, refusesWhileReasoning: [name] });
    expect(run(traits)).toEqual({});
    const without: GenerationParameters = { ...value, reasoning_effort: 'none' };
    expect(run(traits, without)).toEqual(without);
    expect(run(traitsWith({ refusesWhileReasoning: [name] }))).toEqual(value);
  });
});

test.each<[string, GenerationParameters, GenerationParameters, Partial<Model>]>([
  ['top_logprobs needs logprobs', { top_logprobs: 2 }, {}, {}],
  ['top_logprobs needs logprobs to be on', { logprobs: false, top_logprobs: 2 }, { logprobs: false }, {}],
  ['top_logprobs', { logprobs: true, top_logprobs: 2 }, { logprobs: true, top_logprobs: 2 }, {}],
  ['of two limits the newer', { max_tokens: 5, max_completion_tokens: 6 }, { max_completion_tokens: 6 }, {}],
  ['a limit at the maximum', { max_tokens: 4096 }, { max_tokens: 4096 }, {}],
  ['a limit above the maximum', { max_tokens: 4097 }, { max_tokens: 4096 }, {}],
  [
    'a limit without a maximum',
    { max_tokens: 9_000_000 },
    { max_tokens: 9_000_000 },
    { limits: { context: null, input: null, output: null } },
  ],
  [
    'a supported effort',
    { reasoning_effort: 'low' },
    { reasoning_effort: 'low' },
    traitsWith({ reasoning: effort }),
  ],
  [
    'another effort',
    { reasoning_effort: 'high' },
    { reasoning_effort: 'low' },
    traitsWith({ reasoning: effort }),
  ],
  ['no tools to choose', { tool_choice: 'auto', parallel_tool_calls: true }, {}, {}],
])('%s: %j becomes %j', (_, parameters, expected, model) => {
  const { request, changes } = normalized(traitRules, parameters, model);
  expect(request.parameters).toEqual(expected);
  const changed = Object.entries(parameters).filter(
    ([name, value]) => request.parameters[name as 'n'] !== value,
  );
  expect(changes).toHaveLength(changed.length);
});

describe('the temperature', () => {
  test.each<[string, number, number | undefined, Partial<Traits>]>([
    ['stays', 1.5, 1.5, {}],
    ['stays at the maximum', 1, 1, { temperature: { max: 1 } }],
    ['is lowered to the maximum', 1.1, 1, { temperature: { max: 1 } }],
    ['is stripped where refused', 0.5, undefined, { refuses: ['temperature'], temperature: { max: 1 } }],
  ])('%s', (_, temperature, expected, traits) => {
    const { request } = normalized(temperatureRules, { temperature }, traitsWith(traits));
    expect(request.parameters.temperature).toBe(expected);
  });
});

describe('the choice of a tool', () => {
  test.each<
    [Traits['toolChoices'], GenerationParameters['tool_choice'], GenerationParameters['tool_choice']]
  >([
    [undefined, 'required', 'required'],
    [['auto', 'none'], 'required', 'auto'],
    [['auto', 'none'], 'none', 'none'],
    [['auto', 'required'], 'required', 'required'],
    [['auto', 'required'], { name: 'f' }, 'auto'],
    [['auto', 'named'], { name: 'f' }, { name: 'f' }],
    [['auto', 'required'], 'web_search', 'auto'],
    [['auto', 'named'], 'web_search', 'web_search'],
  ])('of a model with %j: %j becomes %j', (toolChoices, tool_choice, expected) => {
    const model = traitsWith(toolChoices ? { toolChoices } : {});
    const { request } = normalized(traitRules, tool_choice ? { tool_choice } : {}, model, { tools });
    expect(request.parameters.tool_choice).toEqual(expected);
  });

  test('is not needed for tools', () => {
    const model = traitsWith({ toolChoices: ['auto'] });
    expect(normalized(traitRules, {}, model, { tools })).toMatchObject({ request: { tools }, changes: [] });
  });

  test('may be a search of the web without other tools', () => {
    const webSearch = { type: 'web_search', position: 0 } as const;
    const { request } = normalized(traitRules, { tool_choice: 'auto' }, {}, { webSearch });
    expect(request.parameters).toEqual({ tool_choice: 'auto' });
  });

  test('does not help a model that takes no tools', () => {
    const model = traitsWith({ toolChoices: [] });
    expect(() => normalized(traitRules, {}, model, { tools })).toThrow(
      expect.objectContaining({ kind: 'invalid_request', param: 'tools' }),
    );
    expect(normalized(traitRules, {}, model).changes).toEqual([]);
  });
});

describe('several choices', () => {
  test.each([
    [1, 1, undefined],
    [4, 4, 4],
    [4, 1, 1],
  ])('a provider of at most %i gets for n = %i: %s', (max, n, expected) => {
    expect(normalized(atMostChoices(max), { n }).request.parameters.n).toBe(expected);
  });

  test.each([
    [1, 2, 'at most 1 choice.'],
    [4, 5, 'at most 4 choices.'],
  ])('a provider of at most %i refuses n = %i', (max, n, message) => {
    expect(() => normalized(atMostChoices(max), { n })).toThrow(
      expect.objectContaining({ param: 'n', message: expect.stringContaining(message) }),
    );
  });
});

test('unsupported parameters are stripped, and no other', () => {
  const { request } = normalized(unsupported('seed', 'user'), { seed: 1, user: 'a', store: true });
  expect(request.parameters).toEqual({ store: true });
});

describe('reasoning', () => {
  test.each([
    ['is on by default', {}, effort, true],
    ['can be turned off', { reasoning_effort: 'none' }, effort, false],
    ['can be off by default', {}, { ...effort, defaultEffort: 'none' }, false],
    ['can be turned on', { reasoning_effort: 'low' }, { ...effort, defaultEffort: 'none' }, true],
    ['needs a model that reasons', { reasoning_effort: 'low' }, undefined, false],
  ] as const)('%s', (_, parameters, reasoning, expected) => {
    const model = traitsWith(reasoning ? { reasoning } : {});
    expect(willReason(parameters, testTarget(model))).toBe(expected);
  });

  test.each([
    ['high', ['none', 'minimal', 'low', 'max'], 'low'],
    ['medium', ['low', 'high'], 'low'],
    ['minimal', ['none', 'low'], 'low'],
    ['none', ['low', 'high'], 'low'],
    ['low', ['none', 'high', 'max'], 'high'],
    ['high', ['none'], 'high'],
    ['high', [], 'high'],
  ] as const)('%s of %j is %s', (asked, supported, expected) => {
    expect(nearestEffort(asked, supported)).toBe(expected);
  });
});

test.each<[unknown, unknown]>([
  [undefined, null],
  [null, null],
  [0, 0],
  [false, false],
  ['', ''],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(101), '101 characters'],
  [{}, '0 fields'],
  [{ a: 1 }, '1 field'],
  [{ a: 1, b: 2 }, '2 fields'],
  [[], []],
  [
    [1, null, 'x'.repeat(101)],
    [1, null, '101 characters'],
  ],
  [Array(20).fill(1), Array(20).fill(1)],
  [Array(21).fill(1), '21 items'],
  [[{}], '1 item'],
  [[1, []], '2 items'],
])('in a record, %j is %j', (value, summary) => {
  expect(summarize(value)).toEqual(summary);
});
