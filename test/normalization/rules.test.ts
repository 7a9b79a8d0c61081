/** How a request is changed for a target that does not support it, and how the changes are recorded. */
import { describe, expect, test } from 'vitest';
import type { Traits } from '../../lib/core/catalog/model.ts';
import type {
  AssistantMessage,
  GenerationParameters,
  Message,
  ReasoningDetail,
} from '../../lib/core/generation/request.ts';
import { nearestEffort } from '../../lib/normalization/effort.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { anthropic } from '../../lib/providers/anthropic/provider.ts';
import { bedrock } from '../../lib/providers/bedrock/provider.ts';
import { google } from '../../lib/providers/google/provider.ts';
import { openai } from '../../lib/providers/openai/provider.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

const plain: Traits = { refuses: [], refusesWhileReasoning: [] };
const reasoning: Traits = {
  reasoning: { style: 'effort', efforts: ['none', 'low', 'medium', 'high'], defaultEffort: 'medium' },
  refuses: ['logit_bias', 'max_tokens'],
  refusesWhileReasoning: ['temperature', 'top_p'],
};

function run(
  provider: Provider,
  traits: Traits,
  parameters: GenerationParameters,
  request = testRequest(parameters),
  owner = 'acme',
) {
  const rules = provider.generation?.rules;
  if (!rules) throw new Error('The provider does not generate.');
  const result = normalize(request, testTarget({ traits, owner }), rules);
  const changes = result.changes.map(({ param, action, before, after }) => ({
    param,
    action,
    before,
    after,
  }));
  return { parameters: result.request.parameters, messages: result.request.messages, changes };
}

describe('a request that its target takes', () => {
  test('goes through unchanged, without a record', () => {
    const parameters: GenerationParameters = {
      temperature: 0.5,
      max_completion_tokens: 10,
      stop: ['x'],
      user: 'u',
    };
    for (const provider of [openai, anthropic]) {
      expect(run(provider, plain, parameters)).toMatchObject({ parameters, changes: [] });
    }
  });
});

describe("OpenAI's reasoning models", () => {
  test('get temperature 1, and not what they refuse', () => {
    const { parameters, changes } = run(openai, reasoning, {
      temperature: 0.5,
      top_p: 0.9,
      logit_bias: { 1: 1 },
    });
    expect(parameters).toEqual({ temperature: 1 });
    expect(changes).toEqual([
      { param: 'top_p', action: 'strip', before: 0.9, after: null },
      { param: 'logit_bias', action: 'strip', before: { 1: 1 }, after: null },
      { param: 'temperature', action: 'override', before: 0.5, after: 1 },
    ]);
  });

  test('keep sampling parameters when reasoning is disabled', () => {
    const parameters: GenerationParameters = { temperature: 0.5, top_p: 0.9, reasoning_effort: 'none' };
    expect(run(openai, reasoning, parameters)).toMatchObject({ parameters, changes: [] });
  });

  test('stop reasoning for tools and choices that they would not take otherwise', () => {
    const request = testRequest({ temperature: 0.5, n: 2 }, { tools: [{ name: 'f' }] });
    const { parameters, changes } = run(openai, { ...reasoning, toolsWhileReasoning: false }, {}, request);
    expect(parameters).toEqual({ temperature: 0.5, n: 2, reasoning_effort: 'none' });
    expect(changes).toEqual([{ param: 'reasoning_effort', action: 'add', before: null, after: 'none' }]);
  });

  test('get max_tokens under its new name', () => {
    const { parameters, changes } = run(openai, reasoning, { max_tokens: 5 });
    expect(parameters).toEqual({ max_completion_tokens: 5 });
    expect(changes).toEqual([
      { param: 'max_completion_tokens', action: 'add', before: null, after: 5 },
      { param: 'max_tokens', action: 'strip', before: 5, after: null },
    ]);
  });
});

describe('reasoning effort', () => {
  test.each([
    ['low', ['low', 'high'], 'low'],
    ['medium', ['low', 'high'], 'low'],
    ['minimal', ['low', 'high'], 'low'],
    ['none', ['low', 'high'], 'low'],
    ['minimal', ['none', 'low'], 'low'],
    ['xhigh', ['none', 'low', 'high', 'max'], 'high'],
  ] as const)('%s of %j is %s', (asked, supported, expected) => {
    expect(nearestEffort(asked, supported)).toBe(expected);
  });

  test('is left out for a model that does not reason', () => {
    const { parameters, changes } = run(openai, plain, { reasoning_effort: 'high' });
    expect(parameters).toEqual({});
    expect(changes).toEqual([{ param: 'reasoning_effort', action: 'strip', before: 'high', after: null }]);
  });
});

describe('a protocol without a parameter', () => {
  test.each([
    [
      anthropic,
      { frequency_penalty: 1, seed: 1, logprobs: true, metadata: { a: 'b' }, service_tier: 'flex' },
    ],
    [google, { user: 'u', store: true, logit_bias: { 1: 1 } }],
    [bedrock, { seed: 1, presence_penalty: 1, user: 'u', n: 1 }],
  ] as const)('does not get it, and every loss is reported', (provider, parameters) => {
    const result = run(provider, plain, parameters);
    expect(result.parameters).toEqual({});
    expect(result.changes.map(({ param }) => param).sort()).toEqual(Object.keys(parameters).sort());
  });

  test.each([anthropic, bedrock])('cannot give several choices: $name refuses', (provider) => {
    expect(() => run(provider, plain, { n: 2 })).toThrow(
      expect.objectContaining({ kind: 'invalid_request', param: 'n' }),
    );
  });

  test('gets the highest temperature it takes', () => {
    const result = run(anthropic, { ...plain, temperature: { max: 1 } }, { temperature: 1.7 });
    expect(result.changes).toEqual([{ param: 'temperature', action: 'override', before: 1.7, after: 1 }]);
  });
});

describe('tools', () => {
  const tools = [{ name: 'f' }];

  test('a model that cannot be forced to call is asked to', () => {
    const request = testRequest({ tool_choice: 'required' }, { tools });
    const result = run(anthropic, { ...plain, toolChoices: ['auto', 'none'] }, {}, request);
    expect(result.parameters.tool_choice).toBe('auto');
    expect(result.changes).toContainEqual({
      param: 'tool_choice',
      action: 'override',
      before: 'required',
      after: 'auto',
    });
  });

  test('a choice among no tools is left out', () => {
    expect(run(openai, plain, { tool_choice: 'auto' }).changes).toMatchObject([{ action: 'strip' }]);
  });
});

describe('reasoning of an earlier answer', () => {
  const detail = (format: string): ReasoningDetail =>
    format === 'google-gemini-v1'
      ? { type: 'reasoning.encrypted', data: 's', format, index: 0 }
      : { type: 'reasoning.text', text: 't', signature: 's', format, index: 0 };
  const assistant = (format: string): AssistantMessage => ({
    role: 'assistant',
    content: [],
    toolCalls: [],
    reasoningDetails: [detail(format)],
  });

  test.each([
    [anthropic, 'anthropic-claude-v1'],
    [bedrock, 'anthropic-claude-v1'],
    [google, 'google-gemini-v1'],
  ])('goes back to its own family only', (provider, own) => {
    const question: Message = { role: 'user', content: [{ type: 'text', text: 'Well?' }] };
    const messages = [question, assistant(own), assistant('another-family')];
    const result = run(provider, plain, {}, testRequest({}, { messages }), 'anthropic');
    expect(result.messages.slice(1)).toMatchObject([
      { reasoningDetails: [detail(own)] },
      { reasoningDetails: [] },
    ]);
    expect(result.changes.map(({ param }) => param)).toEqual(['messages.2.reasoning_details']);
  });
});

describe('what cannot be met is refused, naming the field', () => {
  const tools = [{ name: 'f' }];
  const bySchema: GenerationParameters = {
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
  };
  const asJson: GenerationParameters = { response_format: { type: 'json_object' } };

  test.each([
    ['tools', openai, { ...plain, toolChoices: [] }, {}, tools],
    ['response_format', openai, { ...plain, structuredOutput: 'object' }, bySchema, []],
    ['response_format', openai, plain, asJson, []],
    ['n', google, plain, { n: 9 }, []],
  ] as const)('%s', (param, provider, traits, parameters, given) => {
    const request = testRequest(parameters, { tools: given });
    expect(() => run(provider, traits, {}, request)).toThrow(
      expect.objectContaining({ kind: 'invalid_request', status: 400, param }),
    );
  });

  test('an answer by a schema through a forced tool is not', () => {
    expect(run(bedrock, plain, bySchema)).toMatchObject({ parameters: bySchema, changes: [] });
  });
});

describe("Claude's own limits", () => {
  const thinking: Traits = {
    reasoning: {
      style: 'budget',
      efforts: ['none', 'minimal', 'low', 'medium', 'high'],
      defaultEffort: 'none',
      budget: { min: 1024, max: 63_999 },
    },
    refuses: [],
    refusesWhileReasoning: ['temperature', 'top_p'],
  };

  test.each([anthropic, bedrock])('$name: thinking leaves tokens for the answer', (provider) => {
    const effortFor = (max_completion_tokens: number) =>
      run(provider, thinking, { reasoning_effort: 'high', max_completion_tokens }).parameters
        .reasoning_effort;
    expect(effortFor(4000)).toBe('low');
    expect(effortFor(2048)).toBe('minimal');
    expect(effortFor(1024)).toBe('none');
  });

  test('temperature without top_p', () => {
    const result = run(anthropic, thinking, { temperature: 0.5, top_p: 0.9 });
    expect(result.parameters).toEqual({ temperature: 0.5 });
  });

  test('no forced call while it thinks', () => {
    const request = testRequest(
      { tool_choice: { name: 'f' }, reasoning_effort: 'low' },
      { tools: [{ name: 'f' }] },
    );
    expect(run(anthropic, thinking, {}, request).parameters.tool_choice).toBe('auto');
  });

  test('no stop sequence of white space', () => {
    expect(run(anthropic, plain, { stop: ['END', '\n'] }).parameters).toEqual({ stop: ['END'] });
    expect(run(bedrock, plain, { stop: [' '] }).changes).toMatchObject([{ param: 'stop', action: 'strip' }]);
  });

  test('no beginning of the answer from the newest models', () => {
    const adaptive: Traits = {
      ...plain,
      reasoning: { style: 'adaptive', efforts: ['none', 'low'], defaultEffort: 'none' },
    };
    const user: Message = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
    const begun: Message = {
      role: 'assistant',
      content: [{ type: 'text', text: 'Well, ' }],
      toolCalls: [],
      reasoningDetails: [],
    };
    const request = testRequest({}, { messages: [user, begun] });
    const result = run(anthropic, adaptive, {}, request);
    expect(result.messages).toHaveLength(1);
    expect(result.changes).toContainEqual({
      param: 'messages.1',
      action: 'strip',
      before: { role: 'assistant' },
      after: null,
    });
    expect(run(anthropic, thinking, {}, request).messages).toHaveLength(2);
    expect(run(openai, plain, {}, request).messages).toHaveLength(2);
  });
});

describe('limits', () => {
  test('a limit above what the model writes is lowered to it', () => {
    expect(run(openai, plain, { max_completion_tokens: 5000 }).changes).toEqual([
      { param: 'max_completion_tokens', action: 'override', before: 5000, after: 4096 },
    ]);
  });
});

test('a record of a message names what was left out, without its content', () => {
  const secret = 'x'.repeat(500);
  const messages: readonly Message[] = [
    { role: 'user', name: 'Ann', content: [{ type: 'text', text: secret }] },
    {
      role: 'assistant',
      content: [],
      toolCalls: [],
      reasoningDetails: [{ type: 'reasoning.encrypted', data: secret, format: 'another', index: 0 }],
    },
    { role: 'assistant', content: [], toolCalls: [], reasoningDetails: [], reasoning: secret },
    { role: 'user', content: [{ type: 'text', text: secret }] },
  ];
  const { changes } = run(bedrock, plain, {}, testRequest({}, { messages }));
  expect(changes).toEqual([
    { param: 'messages.0.name', action: 'strip', before: 'Ann', after: null },
    {
      param: 'messages.1.reasoning_details',
      action: 'strip',
      before: ['reasoning.encrypted (another)'],
      after: null,
    },
    { param: 'messages.2.reasoning_content', action: 'strip', before: '500 characters', after: null },
  ]);
});

test('a record names a message by its index in the list of the caller', () => {
  const user: Message = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
  const calling: AssistantMessage = {
    role: 'assistant',
    content: [],
    toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }],
    reasoningDetails: [],
  };
  const messages: readonly Message[] = [
    user,
    calling,
    { ...user, cacheControl: { type: 'ephemeral' } },
    { role: 'tool', toolCallId: 'a', content: [{ type: 'text', text: '1' }] },
  ];
  const { changes } = run(openai, plain, {}, testRequest({}, { messages }));
  expect(changes.map(({ param }) => param)).toEqual(['messages.3', 'messages.2.cache_control']);
});
