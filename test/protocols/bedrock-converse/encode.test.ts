/** Encoding requests for Bedrock. */
import { describe, expect, test } from 'vitest';
import type { ReasoningTraits, Traits } from '../../../lib/core/catalog/model.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  ReasoningDetail,
} from '../../../lib/core/generation/request.ts';
import { bedrockConverse } from '../../../lib/protocols/bedrock-converse/protocol.ts';
import { testTarget } from '../../harness/matrix/model.ts';
import { errorOf } from '../answer.ts';
import { assistant, call, newRequest, newTarget, png, tool, user } from '../requests.ts';

const encode = (parts: Partial<GenerationRequest>, traits: Partial<Traits> = {}) =>
  bedrockConverse.encode(newRequest([user('Hello')], {}, parts), newTarget(traits));

const weather = { name: 'get_weather', description: '', parameters: { type: 'object', properties: {} } };
const weatherSpec = {
  toolSpec: { name: 'get_weather', inputSchema: { json: { type: 'object', properties: {} } } },
};

test('the path has the model, encoded, and depends on streaming', () => {
  const id = 'arn:aws:bedrock:x:1:inference-profile/us.claude-v1:0';
  expect(bedrockConverse.path(id, false)).toBe(
    '/model/arn%3Aaws%3Abedrock%3Ax%3A1%3Ainference-profile%2Fus.claude-v1%3A0/converse',
  );
  expect(bedrockConverse.path('m', true)).toBe('/model/m/converse-stream');
});

describe('parameters', () => {
  test('a small request has a small body, streamed or not', () => {
    const expected = { messages: [{ role: 'user', content: [{ text: 'Hello' }] }], inferenceConfig: {} };
    expect(encode({})).toStrictEqual(expected);
    expect(encode({ stream: true })).toStrictEqual(expected);
  });

  test('are translated', () => {
    const parameters: GenerationParameters = {
      max_completion_tokens: 50,
      temperature: 0,
      top_p: 0.9,
      stop: ['END'],
      service_tier: 'flex',
      metadata: { team: 'a' },
    };
    expect(encode({ parameters })).toStrictEqual({
      ...encode({}),
      inferenceConfig: { maxTokens: 50, temperature: 0, topP: 0.9, stopSequences: ['END'] },
      serviceTier: { type: 'flex' },
      requestMetadata: { team: 'a' },
    });
  });

  test.each<[string, GenerationParameters, object | undefined]>([
    ['amazon', { top_k: 5 }, { inferenceConfig: { topK: 5 } }],
    ['amazon', {}, undefined],
    ['anthropic', { top_k: 5 }, { top_k: 5 }],
    ['anthropic', { reasoning_max_tokens: 2000 }, { thinking: { type: 'enabled', budget_tokens: 2000 } }],
    ['anthropic', { reasoning_max_tokens: 0 }, { thinking: { type: 'disabled' } }],
  ])('to a model of %s are %j beside those of the protocol', (owner, parameters, expected) => {
    const body = bedrockConverse.encode(newRequest([user('Hello')], parameters), testTarget({ owner }));
    expect(body.additionalModelRequestFields).toStrictEqual(expected);
  });

  test('that the protocol does not have are sent to the model under their public names', () => {
    const parameters: GenerationParameters = {
      frequency_penalty: 0.5,
      presence_penalty: 0,
      seed: 7,
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      logit_bias: { '50256': -100 },
      store: true,
      user: 'u-1',
      parallel_tool_calls: false,
      reasoning_effort: 'high',
    };
    expect(encode({ parameters }).additionalModelRequestFields).toStrictEqual(parameters);
  });
});

describe('a conversation', () => {
  test('has its system messages separately, and tool results together before the user’s text', () => {
    const body = encode({
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        user('Weather?'),
        assistant('', { toolCalls: [call('a', 'get_weather', '{"city":"Rome"}'), call('b|1', 'now', '')] }),
        tool('a', 'Sunny'),
        user('And now?'),
        tool('b|1', ''),
      ],
      tools: [weather],
    });
    expect(body.system).toStrictEqual([{ text: 'Be brief.' }]);
    const id = expect.stringMatching(/^b_1_[0-9a-f]{16}$/);
    expect(body.messages).toStrictEqual([
      { role: 'user', content: [{ text: 'Weather?' }] },
      {
        role: 'assistant',
        content: [
          { toolUse: { toolUseId: 'a', name: 'get_weather', input: { city: 'Rome' } } },
          { toolUse: { toolUseId: id, name: 'now', input: {} } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'a', content: [{ text: 'Sunny' }], status: 'success' } },
          { toolResult: { toolUseId: id, content: [], status: 'success' } },
          { text: 'And now?' },
        ],
      },
    ]);
  });

  test('has Claude’s reasoning, from either protocol, and no other', () => {
    const format = 'anthropic-claude-v1';
    const reasoningDetails: ReasoningDetail[] = [
      { type: 'reasoning.text', text: 'Hm.', signature: 'c2ln', format, index: 0 },
      { type: 'reasoning.encrypted', data: 'ZGF0YQ==', format, index: 1 },
      { type: 'reasoning.text', text: 'open', format: 'bedrock-converse-v1', index: 2 },
    ];
    const messages = [user('Go'), assistant('', { reasoningDetails })];
    expect(encode({ messages }).messages).toMatchObject([
      {},
      {
        content: [
          { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
          { reasoningContent: { redactedContent: Buffer.from('ZGF0YQ==').toString('base64') } },
        ],
      },
    ]);
  });

  test('has a cache point after a marked message', () => {
    const cacheControl = { type: 'ephemeral', ttl: '600s' } as const;
    const messages = [{ ...user('One'), cacheControl }, user('Two')];
    expect(encode({ messages }).messages).toStrictEqual([
      {
        role: 'user',
        content: [{ text: 'One' }, { cachePoint: { type: 'default', ttl: '1h' } }, { text: 'Two' }],
      },
    ]);
  });

  test('has images as bytes, and rejects links', () => {
    const image = (url: string) => ({ role: 'user', content: [{ type: 'image', url }] }) as const;
    expect(encode({ messages: [image(`data:image/gif;base64,${png}`)] }).messages).toStrictEqual([
      { role: 'user', content: [{ image: { format: 'png', source: { bytes: png } } }] },
    ]);
    const link = errorOf(() => encode({ messages: [image('https://example.com/a.png')] }));
    expect(link).toMatchObject({ kind: 'invalid_request', param: 'messages.0.content.0.image_url.url' });
    const other = errorOf(() => encode({ messages: [image('data:image/png;base64,aGVsbG8=')] }));
    expect(other.param).toBe('messages.0.content.0.image_url.url');
  });
});

describe('tools', () => {
  test.each<[GenerationParameters, object | undefined]>([
    [{}, undefined],
    [{ tool_choice: 'auto' }, { auto: {} }],
    [{ tool_choice: 'required' }, { any: {} }],
    [{ tool_choice: { name: 'get_weather' } }, { tool: { name: 'get_weather' } }],
  ])('with tool choice %j', (parameters, toolChoice) => {
    const expected = { tools: [weatherSpec], ...(toolChoice && { toolChoice }) };
    expect(encode({ tools: [weather], parameters }).toolConfig).toStrictEqual(expected);
    // Without tools the choice is for the provider to reject.
    expect(encode({ parameters }).toolConfig).toStrictEqual(toolChoice && { tools: [], toolChoice });
  });

  const history = [user('Go'), assistant('', { toolCalls: [call('a', 'now', '')] }), tool('a', 'noon')];

  test('that must not be called are declared only if the conversation used some', () => {
    const parameters = { tool_choice: 'none' } as const;
    expect(encode({ tools: [weather], parameters })).not.toHaveProperty('toolConfig');
    expect(encode({ tools: [weather], parameters, messages: history }).toolConfig).toStrictEqual({
      tools: [weatherSpec],
    });
  });

  test('of earlier turns have some name where only their results are left', () => {
    expect(encode({ messages: [user('Go'), tool('a', 'noon')] }).toolConfig).toMatchObject({
      tools: [{ toolSpec: { name: 'former_tool' } }],
    });
  });

  test('of earlier turns are declared once each', () => {
    const again = [...history, assistant('', { toolCalls: [call('b', 'now', ''), call('c', 'get', '')] })];
    const { tools } = encode({ messages: again }).toolConfig as { tools: { toolSpec: { name: string } }[] };
    expect(tools.map(({ toolSpec }) => toolSpec.name)).toStrictEqual(['now', 'get']);
  });

  test('and their parts have cache points behind them', () => {
    const cacheControl = { type: 'ephemeral' } as const;
    const point = { cachePoint: { type: 'default' } };
    expect(encode({ tools: [{ ...weather, cacheControl }] }).toolConfig).toStrictEqual({
      tools: [weatherSpec, point],
    });
    const marked = [{ type: 'text', text: 'One', cacheControl } as const];
    const called = assistant('', { toolCalls: [{ ...call('a', 'now', ''), cacheControl }], content: marked });
    const messages = [
      { role: 'system', content: marked, cacheControl } as const,
      { ...called, cacheControl },
      { role: 'tool', toolCallId: 'a', content: marked } as const,
    ];
    expect(encode({ messages })).toMatchObject({
      system: [{ text: 'One' }, point],
      messages: [
        { content: [{ text: 'One' }, point, { toolUse: { name: 'now' } }, point] },
        { content: [{ toolResult: { content: [{ text: 'One' }] } }, point] },
      ],
    });
  });

  test('of earlier turns are declared if there are none now', () => {
    expect(encode({ messages: history }).toolConfig).toMatchObject({
      tools: [{ toolSpec: { name: 'now' } }],
    });
  });
});

describe('reasoning', () => {
  const traits = (parts: Partial<ReasoningTraits>): Partial<Traits> => ({
    reasoning: { style: 'adaptive', efforts: ['none', 'low', 'high'], defaultEffort: 'none', ...parts },
  });

  test.each<[string, Partial<ReasoningTraits>, GenerationParameters, object | undefined]>([
    ['no effort', {}, {}, undefined],
    [
      'adaptive',
      {},
      { reasoning_effort: 'high' },
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
    ],
    ['disabled', { off: 'disabled' }, { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['omitted', { off: 'omit' }, { reasoning_effort: 'none' }, undefined],
    [
      'a budget',
      { style: 'budget', budget: { min: 1024, max: 60_000 } },
      { reasoning_effort: 'high' },
      { thinking: { type: 'enabled', budget_tokens: 16_384 } },
    ],
    [
      "Nova's effort",
      { style: 'config' },
      { reasoning_effort: 'high' },
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } },
    ],
    ['a named effort', { style: 'effort' }, { reasoning_effort: 'high' }, { reasoning_effort: 'high' }],
  ])('%s', (_name, reasoning, parameters, expected) => {
    expect(encode({ parameters }, traits(reasoning)).additionalModelRequestFields).toStrictEqual(expected);
  });
});

describe('answers in JSON', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const parameters: GenerationParameters = {
    response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
  };

  test('use the model’s own mode', () => {
    expect(encode({ parameters }, { structuredOutput: 'schema' }).outputConfig).toStrictEqual({
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { name: 'place', schema: JSON.stringify(schema) } },
      },
    });
  });

  test('are forced by a tool if there is no mode', () => {
    expect(encode({ parameters }).toolConfig).toMatchObject({
      tools: [{ toolSpec: { name: 'json_response', inputSchema: { json: schema } } }],
      toolChoice: { tool: { name: 'json_response' } },
    });
  });

  test('are one of the tools where a call of any of them is forced', () => {
    const forced = { ...parameters, tool_choice: 'required' } as const;
    expect(encode({ parameters: forced, tools: [weather] }).toolConfig).toMatchObject({
      tools: [weatherSpec, { toolSpec: { name: 'json_response', inputSchema: { json: schema } } }],
      toolChoice: { any: {} },
    });
  });

  test('are left to the provider to reject if the caller has tools', () => {
    const body = encode({ parameters, tools: [weather] });
    expect(body.outputConfig).toMatchObject({ textFormat: { type: 'json_schema' } });
    expect(body.toolConfig).toStrictEqual({ tools: [weatherSpec] });
    const anyObject = { response_format: { type: 'json_object' } } as const;
    expect(encode({ parameters: anyObject, tools: [weather] }).additionalModelRequestFields).toStrictEqual(
      anyObject,
    );
  });
});
