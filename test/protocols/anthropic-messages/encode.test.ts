/** Encoding requests for Anthropic. */
import { describe, expect, test } from 'vitest';
import type { ReasoningTraits, Traits } from '../../../lib/core/catalog/model.ts';
import type { GenerationParameters, GenerationRequest } from '../../../lib/core/generation/request.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { testTarget } from '../../harness/matrix/model.ts';
import { errorOf } from '../answer.ts';
import { newRequest, newTarget, user } from '../requests.ts';

const encode = (parts: Partial<GenerationRequest>, traits: Partial<Traits> = {}) =>
  anthropicMessages.encode(newRequest([user('Hello')], {}, parts), newTarget(traits));

const weather = {
  name: 'get_weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: {} },
};

describe('parameters', () => {
  test('a small request has a small body', () => {
    expect(encode({})).toStrictEqual({
      model: 'upstream-model',
      max_tokens: 64_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    });
  });

  test('are translated', () => {
    const parameters: GenerationParameters = {
      max_completion_tokens: 50,
      max_tokens: 40,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['END'],
      user: 'u-1',
      service_tier: 'default',
    };
    expect(encode({ parameters, stream: true })).toStrictEqual({
      ...encode({}),
      max_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      stop_sequences: ['END'],
      metadata: { user_id: 'u-1' },
      service_tier: 'standard_only',
      stream: true,
    });
  });

  test.each<[string, number | null, GenerationParameters, number]>([
    ['what the model has', 8000, {}, 8000],
    ['some', null, {}, 4096],
    ['some beside a budget', null, { reasoning_max_tokens: 2000 }, 6096],
    ['what is asked for', 8000, { max_tokens: 5 }, 5],
  ])('have a limit, which is %s', (_, output, parameters, expected) => {
    const target = testTarget({ limits: { context: 9000, input: null, output } });
    expect(anthropicMessages.encode(newRequest([user('Hi')], parameters), target).max_tokens).toBe(expected);
  });

  test.each<[number, object]>([
    [0, { type: 'disabled' }],
    [2000, { type: 'enabled', budget_tokens: 2000 }],
  ])('%i tokens of thinking are a budget', (tokens, thinking) => {
    expect(encode({ parameters: { reasoning_max_tokens: tokens } }).thinking).toStrictEqual(thinking);
  });

  test('have a limit on searches, and none on calls but for the provider to reject', () => {
    const webSearch = { position: 0, type: 'web_search' } as const;
    const parameters = { max_tool_calls: 3 };
    expect(encode({ parameters, webSearch })).not.toHaveProperty('max_tool_calls');
    expect(encode({ parameters })).toMatchObject({ max_tool_calls: 3 });
  });

  test('that the protocol does not have are sent under their public names', () => {
    const parameters: GenerationParameters = {
      frequency_penalty: 0.5,
      presence_penalty: 0,
      seed: 7,
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      logit_bias: { '50256': -100 },
      store: true,
      metadata: { team: 'a' },
      service_tier: 'flex',
      reasoning_effort: 'high',
    };
    expect(encode({ parameters })).toMatchObject(parameters);
  });
});

describe('tools', () => {
  test('have their cache markers', () => {
    const cacheControl = { type: 'ephemeral', ttl: '301s' } as const;
    expect(encode({ tools: [{ name: 'now', cacheControl }] }).tools).toMatchObject([
      { name: 'now', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]);
  });

  test('have their schema, or that of no arguments', () => {
    const body = encode({ tools: [{ ...weather, strict: true }, { name: 'now' }] });
    expect(body.tools).toStrictEqual([
      {
        name: 'get_weather',
        description: 'Tells the weather.',
        input_schema: { type: 'object', properties: {} },
        strict: true,
      },
      { name: 'now', input_schema: { type: 'object', properties: {} } },
    ]);
    expect(body).not.toHaveProperty('tool_choice');
  });

  test.each<[GenerationParameters, object | undefined]>([
    [{ tool_choice: 'none', parallel_tool_calls: false }, { type: 'none' }],
    [{ tool_choice: 'auto' }, { type: 'auto' }],
    [{ tool_choice: 'required' }, { type: 'any' }],
    [{ tool_choice: { name: 'get_weather' } }, { type: 'tool', name: 'get_weather' }],
    [{ parallel_tool_calls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [
      { tool_choice: 'required', parallel_tool_calls: true },
      { type: 'any', disable_parallel_tool_use: false },
    ],
  ])('with tool choice %j', (parameters, expected) => {
    expect(encode({ tools: [weather], parameters }).tool_choice).toStrictEqual(expected);
    // Without tools, the provider rejects the request.
    expect(encode({ parameters }).tool_choice).toStrictEqual(expected);
  });
});

describe('reasoning', () => {
  const adaptive: ReasoningTraits = {
    style: 'adaptive',
    efforts: ['none', 'low', 'high'],
    defaultEffort: 'none',
    off: 'disabled',
  };
  const budget: ReasoningTraits = {
    style: 'budget',
    efforts: ['none', 'minimal', 'low', 'medium', 'high'],
    defaultEffort: 'none',
    budget: { min: 1024, max: 12_000 },
    off: 'omit',
  };

  test.each<[string, ReasoningTraits, GenerationParameters, object]>([
    ['no effort', adaptive, {}, {}],
    [
      'adaptive',
      adaptive,
      { reasoning_effort: 'high' },
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
    ],
    ['disabled', adaptive, { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['a budget', budget, { reasoning_effort: 'low' }, { thinking: { type: 'enabled', budget_tokens: 2048 } }],
    [
      'the maximum budget',
      budget,
      { reasoning_effort: 'high' },
      { thinking: { type: 'enabled', budget_tokens: 12_000 } },
    ],
    [
      'a budget above the token limit, which a rule keeps it below, for the provider to reject',
      budget,
      { reasoning_effort: 'medium', max_tokens: 2000 },
      { thinking: { type: 'enabled', budget_tokens: 10_000 } },
    ],
    [
      'none for a model that always thinks, for the provider to reject',
      { ...adaptive, efforts: ['low', 'high'], off: 'omit' },
      { reasoning_effort: 'none' },
      { thinking: { type: 'disabled' } },
    ],
    [
      'the minimum budget',
      { ...budget, budget: { min: 5000, max: 12_000 } },
      { reasoning_effort: 'low' },
      { thinking: { type: 'enabled', budget_tokens: 5000 } },
    ],
    [
      'a budget of a model without a range',
      { style: 'budget', efforts: ['max'], defaultEffort: 'none' },
      { reasoning_effort: 'max' },
      { thinking: { type: 'enabled', budget_tokens: 65_536 } },
    ],
    ['omitted', budget, { reasoning_effort: 'none' }, {}],
  ])('%s', (_name, reasoning, parameters, expected) => {
    const { thinking, output_config } = encode({ parameters }, { reasoning });
    expect({ thinking, output_config }).toStrictEqual({
      thinking: undefined,
      output_config: undefined,
      ...expected,
    });
    expect(encode({ parameters }, { reasoning })).not.toHaveProperty('reasoning_effort');
  });
});

describe('answers in JSON', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const parameters: GenerationParameters = {
    response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
  };

  test('use the model’s own mode, together with its effort', () => {
    const reasoning: ReasoningTraits = { style: 'adaptive', efforts: ['low'], defaultEffort: 'low' };
    const traits = { structuredOutput: 'schema', reasoning } as const;
    const body = encode({ parameters: { ...parameters, reasoning_effort: 'low' } }, traits);
    expect(body.output_config).toStrictEqual({ effort: 'low', format: { type: 'json_schema', schema } });
    expect(body).not.toHaveProperty('tools');
  });

  test('are forced by a tool if there is no mode', () => {
    expect(encode({ parameters })).toMatchObject({
      tools: [{ name: 'json_response', input_schema: schema }],
      tool_choice: { type: 'tool', name: 'json_response' },
    });
  });

  test('are one of the tools where a call of any of them is forced', () => {
    const forced = { ...parameters, tool_choice: 'required' } as const;
    expect(encode({ parameters: forced, tools: [weather] })).toMatchObject({
      tools: [{ name: 'get_weather' }, { name: 'json_response', input_schema: schema }],
      tool_choice: { type: 'any' },
    });
  });

  test('of any form are forced the same way', () => {
    const body = encode({ parameters: { response_format: { type: 'json_object' } } });
    expect(body).toMatchObject({ tools: [{ name: 'json_response', input_schema: { type: 'object' } }] });
  });

  const thinking: ReasoningTraits = { style: 'budget', efforts: ['low'], defaultEffort: 'none' };
  test.each<[string, Partial<GenerationRequest>, Partial<Traits>]>([
    ['the caller has tools', { tools: [weather] }, {}],
    ['the model thinks', { parameters: { ...parameters, reasoning_effort: 'low' } }, { reasoning: thinking }],
    ['the model thinks by default', {}, { reasoning: { ...thinking, defaultEffort: 'low' } }],
    ['the model does not support forced calls', {}, { toolChoices: ['none', 'auto'] }],
  ])('are left to the provider to reject if %s', (_name, parts, traits) => {
    const body = encode({ parameters, ...parts }, traits);
    expect(body.output_config).toStrictEqual({ format: { type: 'json_schema', schema } });
    expect(body).not.toHaveProperty('tool_choice');
    expect(JSON.stringify(body.tools ?? [])).not.toContain('json_response');
    const any = { response_format: { type: 'json_object' } } as const;
    const { parameters: given = {} } = parts;
    expect(encode({ ...parts, parameters: { ...given, ...any } }, traits)).toMatchObject(any);
  });

  test('need the reserved name, which a tool of the caller must not have', () => {
    const tools = [weather, { name: 'json_response' }];
    expect(errorOf(() => encode({ tools }))).toMatchObject({ param: 'tools.1.function.name' });
  });
});
