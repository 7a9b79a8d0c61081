/** Encoding requests for Gemini. */
import { describe, expect, test } from 'vitest';
import type { ReasoningTraits } from '../../../lib/core/catalog/model.ts';
import type {
  GenerationParameters,
  JsonObject,
  Message,
  ReasoningDetail,
  Tool,
} from '../../../lib/core/generation/request.ts';
import { googleGenerateContent } from '../../../lib/protocols/google-generate-content/protocol.ts';
import { errorOf } from '../answer.ts';
import {
  assistant,
  everyParameter,
  newRequest,
  newTarget,
  text,
  tool,
  user,
  weatherTool,
} from '../requests.ts';

const levels: ReasoningTraits = { style: 'level', efforts: ['low', 'high'], defaultEffort: 'high' };
const budget: ReasoningTraits = {
  style: 'budget',
  efforts: ['none', 'low', 'high'],
  defaultEffort: 'high',
  budget: { min: 512, max: 24_576 },
};
const alwaysOn: ReasoningTraits = { ...budget, efforts: ['low', 'high'], budget: { min: 128, max: 32_768 } };

const encode = (
  messages: readonly Message[],
  parameters: GenerationParameters = {},
  others: { tools?: readonly Tool[] } = {},
) => googleGenerateContent.encode(newRequest(messages, parameters, others), newTarget());
const configOf = (parameters: GenerationParameters, reasoning?: ReasoningTraits) =>
  googleGenerateContent.encode(newRequest([], parameters), newTarget(reasoning && { reasoning }))
    .generationConfig;

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const call = (id: string, name = 'f', args = '{"x":1}') => ({ id, name, arguments: args });
const signature = (data: string, index: number, id?: string): ReasoningDetail => ({
  type: 'reasoning.encrypted',
  data,
  format: 'google-gemini-v1',
  index,
  ...(id !== undefined && { id }),
});

describe('Gemini requests', () => {
  test('have the path of the model', () => {
    expect(googleGenerateContent.path('gemini-x', false)).toBe('/models/gemini-x:generateContent');
    expect(googleGenerateContent.path('gemini-x', true)).toBe(
      '/models/gemini-x:streamGenerateContent?alt=sse',
    );
  });

  test('have system texts separately from the turns', () => {
    const system = { role: 'system', content: [...text('Be kind.'), ...text('Be brief.')] } as const;
    expect(encode([system, user('Hi'), assistant('Hello'), user('Bye')])).toStrictEqual({
      systemInstruction: { parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hello' }] },
        { role: 'user', parts: [{ text: 'Bye' }] },
      ],
    });
  });

  test('have every parameter: translated, or under its public name', () => {
    const { toolConfig, generationConfig, serviceTier } = encode([], everyParameter);
    expect(serviceTier).toBe('flex');
    expect(toolConfig).toStrictEqual({ functionCallingConfig: { mode: 'AUTO' } });
    expect(generationConfig).toStrictEqual({
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 100,
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      stopSequences: ['END'],
      seed: 7,
      candidateCount: 2,
      responseLogprobs: true,
      logprobs: 2,
      responseMimeType: 'application/json',
      logit_bias: { '50256': -100 },
      parallel_tool_calls: false,
      reasoning_effort: 'low',
      user: 'someone',
      store: true,
      metadata: { team: 'blue' },
    });
  });

  test('use the older length limit if it is the only one', () => {
    expect(configOf({ max_tokens: 5 })).toStrictEqual({ maxOutputTokens: 5 });
    expect(configOf({ max_tokens: 5, max_completion_tokens: 6 })).toStrictEqual({ maxOutputTokens: 6 });
  });

  test('have a JSON schema', () => {
    const schema = { type: 'object', properties: {} };
    const format = { type: 'json_schema', json_schema: { name: 'answer', schema } } as const;
    expect(configOf({ response_format: format })).toStrictEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
  });

  test.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [{ name: 'f' }, { mode: 'ANY', allowedFunctionNames: ['f'] }],
  ] as const)('tool choice %j', (choice, mode) => {
    const body = encode([user('Hi')], { tool_choice: choice }, { tools: [weatherTool, { name: 'now' }] });
    expect(body.toolConfig).toStrictEqual({ functionCallingConfig: mode });
    const { parameters, ...declaration } = weatherTool;
    expect(body.tools).toStrictEqual([
      { functionDeclarations: [{ ...declaration, parametersJsonSchema: parameters }, { name: 'now' }] },
    ]);
  });

  test.each([
    [levels, 'low', { thinkingLevel: 'low', includeThoughts: true }],
    [levels, undefined, { includeThoughts: true }],
    [budget, 'none', { thinkingBudget: 0, includeThoughts: false }],
    [alwaysOn, 'none', { thinkingBudget: 0, includeThoughts: false }],
    [budget, 'low', { thinkingBudget: 1024, includeThoughts: true }],
    [budget, 'medium', { thinkingBudget: 8192, includeThoughts: true }],
    [budget, 'high', { thinkingBudget: 24_576, includeThoughts: true }],
    [alwaysOn, 'xhigh', { thinkingBudget: 32_768, includeThoughts: true }],
    [budget, undefined, { includeThoughts: true }],
  ] as const)('have thinking for %j at effort %s', (traits, effort, expected) => {
    const parameters = effort === undefined ? {} : { reasoning_effort: effort };
    expect(configOf(parameters, traits)).toStrictEqual({ thinkingConfig: expected });
  });
});

describe('images for Gemini', () => {
  const withImage = (url: string) =>
    encode([{ role: 'user', content: [...text('See'), { type: 'image', url }] }]);

  test('are sent inline with their actual type, whatever the URL says', () => {
    expect(withImage(`data:image/jpeg;base64,${png}`).contents).toStrictEqual([
      { role: 'user', parts: [{ text: 'See' }, { inlineData: { mimeType: 'image/png', data: png } }] },
    ]);
  });

  test('that are URLs are sent as URLs', () => {
    expect(withImage('https://example.com/a.png').contents).toStrictEqual([
      { role: 'user', parts: [{ text: 'See' }, { fileData: { fileUri: 'https://example.com/a.png' } }] },
    ]);
  });
});

describe('tool results for Gemini', () => {
  const asked = assistant('', { toolCalls: [call('a', 'f'), call('b', 'g', '')] });

  test('are sent in one turn, in the order of the calls, with their names', () => {
    const body = encode([user('Hi'), asked, tool('b', 'plain'), tool('a', '{"deep":{"er":1}}'), user('So?')]);
    expect(body.contents).toStrictEqual([
      { role: 'user', parts: [{ text: 'Hi' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'f', args: { x: 1 } } }, { functionCall: { name: 'g', args: {} } }],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { deep: { er: 1 } } } },
          { functionResponse: { name: 'g', response: { result: 'plain' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'So?' }] },
    ]);
  });

  test.each(['[1]', '5', 'null', '', '{'])('that are not an object are wrapped: %s', (result) => {
    const { contents } = encode([asked, tool('a', result)]);
    expect((contents as JsonObject[])[1]).toStrictEqual({
      role: 'user',
      parts: [{ functionResponse: { name: 'f', response: { result } } }],
    });
  });

  test('without a call are rejected with their path', () => {
    expect(errorOf(() => encode([asked, tool('z', 'late')]))).toMatchObject({
      kind: 'invalid_request',
      param: 'messages.1.tool_call_id',
    });
  });

  test('calls with invalid arguments have them as they are, for Google to reject', () => {
    const broken = assistant('', { toolCalls: [call('a', 'f', '{"x"')] });
    expect(encode([user('Hi'), broken]).contents).toMatchObject([
      {},
      { parts: [{ functionCall: { args: '{"x"' } }] },
    ]);
  });
});

test.each([
  ['a model with thinking levels', levels, true, { functionCallingConfig: { mode: 'VALIDATED' } }],
  ['a model with thinking levels', levels, false, undefined],
  ['a model with a thinking budget', budget, true, undefined],
])(
  'calls are checked against their schema by %s if a tool is strict (%#)',
  (_, reasoning, strict, expected) => {
    const request = newRequest([user('Hi')], {}, { tools: [{ ...weatherTool, strict }] });
    expect(googleGenerateContent.encode(request, newTarget({ reasoning })).toolConfig).toStrictEqual(
      expected,
    );
  },
);

test('steps of a search go back in their place, whether or not the client kept positions', () => {
  const step = (toolName: string) => ({
    [toolName]: { toolType: 'GOOGLE_SEARCH_WEB', id: 's' },
    thoughtSignature: 'c2ln',
  });
  const steps = [step('toolCall'), step('toolResponse')];
  const detail = { type: 'reasoning.encrypted', format: 'google-gemini-step-v1' } as const;
  const signature = { type: 'reasoning.encrypted', format: 'google-gemini-v1', data: 'c2lnbmVk' } as const;
  const details = steps.map((part, index) => ({ ...detail, data: JSON.stringify(part), index }));
  const called = assistant('', {
    toolCalls: [call('c', 'f', '{}')],
    reasoningDetails: [...details, { ...signature, id: 'c', index: 3 }],
  });
  const answered = assistant('Found.', { reasoningDetails: [...details, { ...signature, index: 3 }] });
  const [, first, result, second] = encode([user('Hi'), called, tool('c', 'ok'), answered]).contents as {
    parts: object[];
  }[];
  expect(first?.parts).toStrictEqual([
    ...steps,
    { functionCall: { id: 'c', name: 'f', args: {} }, thoughtSignature: 'c2lnbmVk' },
  ]);
  expect(result?.parts).toMatchObject([{ functionResponse: { id: 'c' } }]);
  expect(second?.parts).toStrictEqual([...steps, { text: 'Found.', thoughtSignature: 'c2lnbmVk' }]);
});

describe('what is no step', () => {
  const step = JSON.stringify({ toolCall: { id: 's' } });
  const own = { type: 'reasoning.encrypted', format: 'google-gemini-step-v1', index: 0 } as const;

  test.each<[string, ReasoningDetail]>([
    ['no JSON', { ...own, data: '{"toolCall"' }],
    ['no object', { ...own, data: '[1]' }],
    ['an object of another kind', { ...own, data: '{"text":"Hi"}' }],
    ['a signature', { ...own, data: step, format: 'google-gemini-v1', id: 'other' }],
    ['a text', { type: 'reasoning.text', text: step, format: own.format, index: 0 }],
  ])('%s is left out, and gives no call an id', (_, detail) => {
    const message = assistant('', { toolCalls: [call('a')], reasoningDetails: [detail] });
    expect(encode([message]).contents).toStrictEqual([
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { x: 1 } } }] },
    ]);
  });

  test('is no more of a part than the step', () => {
    const detail = {
      ...own,
      data: JSON.stringify({ toolResponse: { id: 's' }, text: 'Hi', thoughtSignature: 'c2ln' }),
    };
    expect(encode([assistant('', { reasoningDetails: [detail] })]).contents).toStrictEqual([
      { role: 'model', parts: [{ toolResponse: { id: 's' }, thoughtSignature: 'c2ln' }] },
    ]);
  });
});

test('a first call has the placeholder only where no call of its turn is signed', () => {
  const message = assistant('', {
    toolCalls: [call('a'), call('b')],
    reasoningDetails: [signature('c2ln', 0, 'b')],
  });
  const request = newRequest([message]);
  const { contents } = googleGenerateContent.encode(request, newTarget({ reasoning: levels }));
  expect((contents as JsonObject[])[0]?.parts).toStrictEqual([
    { functionCall: { name: 'f', args: { x: 1 } } },
    { functionCall: { name: 'f', args: { x: 1 } }, thoughtSignature: 'c2ln' },
  ]);
});

test('a message of nothing but blanks is an empty text, and an answer of nothing is left out', () => {
  expect(
    encode([{ role: 'system', content: text(' ') }, user(' \n'), assistant(''), user('Hi')]),
  ).toStrictEqual({
    contents: [
      { role: 'user', parts: [{ text: '' }] },
      { role: 'user', parts: [{ text: 'Hi' }] },
    ],
  });
});

test('a system message within the conversation is the user’s, and a refusal a text of the model', () => {
  const later = { role: 'system', content: [...text('Be kind.'), ...text(' ')] } as const;
  expect(encode([user('Hi'), assistant('', { refusal: 'No.' }), later]).contents).toStrictEqual([
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ text: 'No.' }] },
    { role: 'user', parts: [{ text: '<system>\nBe kind.\n</system>' }] },
  ]);
});

test('images of a tool result stand beside its text', () => {
  const url = `data:image/png;base64,${png}`;
  const result = {
    role: 'tool',
    toolCallId: 'a',
    content: [...text('Seen.'), { type: 'image', url }],
  } as const;
  const [, turn] = encode([assistant('', { toolCalls: [call('a')] }), result]).contents as {
    parts: object[];
  }[];
  expect(turn?.parts).toStrictEqual([
    {
      functionResponse: {
        name: 'f',
        response: { result: 'Seen.' },
        parts: [{ inlineData: { mimeType: 'image/png', data: png } }],
      },
    },
  ]);
});

test.each([
  [{ reasoning_max_tokens: 2000 }, { thinkingBudget: 2000, includeThoughts: true }],
  [{ reasoning_max_tokens: 0 }, { thinkingBudget: 0, includeThoughts: false }],
])('a number of thinking tokens is sent as it is: %j', (parameters, expected) => {
  expect(configOf(parameters)).toStrictEqual({ thinkingConfig: expected });
});

test('a budget of thinking is within the range of the model', () => {
  const narrow: ReasoningTraits = { ...budget, budget: { min: 2000, max: 5000 } };
  const unknown: ReasoningTraits = { style: 'budget', efforts: ['low'], defaultEffort: 'low' };
  const budgetAt = (effort: 'low' | 'high' | 'max', traits: ReasoningTraits) =>
    configOf({ reasoning_effort: effort }, traits);
  const thinkingConfig = (thinkingBudget: number) => ({
    thinkingConfig: { thinkingBudget, includeThoughts: true },
  });
  expect(budgetAt('low', narrow)).toStrictEqual(thinkingConfig(2000));
  expect(budgetAt('high', narrow)).toStrictEqual(thinkingConfig(5000));
  expect(budgetAt('max', narrow)).toStrictEqual(thinkingConfig(5000));
  expect(budgetAt('max', unknown)).toStrictEqual(thinkingConfig(32_768));
});

test('the default tier has Google’s name', () => {
  expect([encode([], { service_tier: 'default' }), encode([], { service_tier: 'priority' })]).toMatchObject([
    { serviceTier: 'standard' },
    { serviceTier: 'priority' },
  ]);
});

test('an empty text beside a call is no part, and moves no step', () => {
  const step = { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB' }, thoughtSignature: 'c2ln' };
  const detail = {
    type: 'reasoning.encrypted',
    format: 'google-gemini-step-v1',
    data: JSON.stringify(step),
    index: 1,
  } as const;
  const message = {
    ...assistant('', { toolCalls: [call('a'), call('b')], reasoningDetails: [detail] }),
    content: [{ type: 'text', text: '' } as const],
  };
  const { contents } = googleGenerateContent.encode(newRequest([message]), newTarget());
  const [turn] = contents as { readonly parts: object[] }[];
  expect(turn?.parts).toMatchObject([{ functionCall: { id: 'a' } }, step, { functionCall: { id: 'b' } }]);
});

describe('thought signatures', () => {
  const partsOf = (message: ReturnType<typeof assistant>, traits?: ReasoningTraits) => {
    const { contents } = googleGenerateContent.encode(
      newRequest([message]),
      newTarget(traits && { reasoning: traits }),
    );
    return (contents as JsonObject[])[0]?.parts;
  };

  test('are sent back on the call they came with', () => {
    const reasoningDetails = [signature('c2ln+/=', 0, 'a'), signature('dGV4dA', 1)];
    const message = assistant('Now', { toolCalls: [call('a'), call('b')], reasoningDetails });
    expect(partsOf(message, levels)).toStrictEqual([
      { text: 'Now', thoughtSignature: 'dGV4dA' },
      { functionCall: { name: 'f', args: { x: 1 } }, thoughtSignature: 'c2ln+/=' },
      { functionCall: { name: 'f', args: { x: 1 } } },
    ]);
  });

  test('never share a part', () => {
    const message = assistant('Now', { reasoningDetails: [signature('one', 0), signature('two', 1)] });
    expect(partsOf(message, levels)).toStrictEqual([
      { text: '', thoughtSignature: 'one' },
      { text: 'Now', thoughtSignature: 'two' },
    ]);
  });

  test('a call of another model gets the documented placeholder, only if one is needed', () => {
    const foreign = { type: 'reasoning.encrypted', data: 'x', format: 'other', index: 0, id: 'a' } as const;
    const message = assistant('', { toolCalls: [call('a'), call('b')], reasoningDetails: [foreign] });
    expect(partsOf(message, levels)).toStrictEqual([
      { functionCall: { name: 'f', args: { x: 1 } }, thoughtSignature: 'skip_thought_signature_validator' },
      { functionCall: { name: 'f', args: { x: 1 } } },
    ]);
    expect(JSON.stringify(partsOf(message, budget))).not.toContain('thoughtSignature');
  });

  test('survive a round trip byte for byte', () => {
    const part = {
      functionCall: { name: 'f', args: { x: 1 } },
      thoughtSignature: 'CiMB+/jz1rX25KieIB4d4A==',
    };
    const events = googleGenerateContent.decodeBody({
      candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }],
    });
    const made = events.find((event) => event.type === 'tool-call');
    const detail = events.find((event) => event.type === 'reasoning-detail')?.detail;
    const message = assistant('', {
      toolCalls: [call(made?.id ?? '')],
      reasoningDetails: detail === undefined ? [] : [detail],
    });
    expect(partsOf(message, levels)).toStrictEqual([part]);
  });
});
