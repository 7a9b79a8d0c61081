/** Encoding requests for Cohere. */
import { describe, expect, test } from 'vitest';
import type { GenerationParameters, Tool } from '../../../lib/core/generation/request.ts';
import { encode } from '../../../lib/protocols/cohere-chat/encode.ts';
import { assistant, newRequest, newTarget, text, tool, user, weatherTool } from '../requests.ts';

const thinker = newTarget({
  reasoning: {
    style: 'budget',
    efforts: ['none', 'low', 'medium', 'high'],
    defaultEffort: 'high',
    budget: { min: 1, max: 32_000 },
  },
});
const plain = newTarget();
const asked = (parameters: GenerationParameters, tools: readonly Tool[] = []) =>
  encode(newRequest([user('Hello')], parameters, { tools }), plain);

describe('parameters', () => {
  test('have their names in this protocol', () => {
    const body = asked({ top_p: 0.5, stop: ['END'], max_completion_tokens: 7, seed: 3, temperature: 0.2 });
    expect(body).toStrictEqual({
      model: 'upstream-model',
      messages: [{ role: 'user', content: 'Hello' }],
      p: 0.5,
      stop_sequences: ['END'],
      max_tokens: 7,
      seed: 3,
      temperature: 0.2,
      stream: false,
    });
  });

  test('that the protocol does not have are sent under their own name, for Cohere to reject', () => {
    const body = asked({ n: 2, user: 'someone', logit_bias: { 1: 2 }, reasoning_effort: 'low' });
    expect(body).toMatchObject({ n: 2, user: 'someone', logit_bias: { 1: 2 }, reasoning_effort: 'low' });
  });

  test('of two limits, the newer name is used', () => {
    expect(asked({ max_tokens: 9 }).max_tokens).toBe(9);
    expect(asked({ max_tokens: 9, max_completion_tokens: 5 }).max_tokens).toBe(5);
  });

  test.each([
    ['none', { type: 'disabled' }],
    ['low', { type: 'enabled', token_budget: 2048 }],
    ['high', { type: 'enabled' }],
  ] as const)('effort %s is thinking', (effort, thinking) => {
    const body = encode(newRequest([user('Hello')], { reasoning_effort: effort }), thinker);
    expect(body.thinking).toStrictEqual(thinking);
    expect(body).not.toHaveProperty('reasoning_effort');
  });
});

test('thinking may be a number of tokens', () => {
  const thinking = (tokens: number) =>
    encode(newRequest([user('Hello')], { reasoning_max_tokens: tokens }), thinker).thinking;
  expect(thinking(0)).toStrictEqual({ type: 'disabled' });
  expect(thinking(2000)).toStrictEqual({ type: 'enabled', token_budget: 2000 });
});

describe('tools', () => {
  const other = { name: 'other', description: 'Another' };

  test('always have the schema of an object', () => {
    expect(asked({}, [weatherTool, other]).tools).toStrictEqual([
      { type: 'function', function: weatherTool },
      { type: 'function', function: { ...other, parameters: { type: 'object', properties: {} } } },
    ]);
  });

  test.each([
    ['auto', undefined],
    ['none', 'NONE'],
    ['required', 'REQUIRED'],
  ] as const)('may be called: %s', (choice, word) => {
    expect(asked({ tool_choice: choice }, [weatherTool]).tool_choice).toBe(word);
  });

  test('a named tool choice is sent unchanged, for Cohere to reject', () => {
    const body = asked({ tool_choice: { name: 'other' } }, [weatherTool, other]);
    expect(body.tool_choice).toStrictEqual({ type: 'function', function: { name: 'other' } });
  });

  test('are strict if all of them are', () => {
    const strict = { ...weatherTool, strict: true };
    expect(asked({}, [strict])).toMatchObject({ strict_tools: true });
    expect(asked({}, [strict, other])).not.toHaveProperty('strict_tools');
  });
});

describe('the response format', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema } } as const;

  test('is JSON mode with its schema', () => {
    expect(asked({ response_format: format }).response_format).toStrictEqual({
      type: 'json_object',
      json_schema: schema,
    });
    expect(asked({ response_format: { type: 'text' } }).response_format).toStrictEqual({ type: 'text' });
    const object = asked({ response_format: { type: 'json_object' } });
    expect(object.response_format).toStrictEqual({ type: 'json_object' });
  });
});

describe('a conversation', () => {
  const call = { id: 'weather_1', name: 'get_weather', arguments: '{"city":"Oslo"}' };
  const encodedCall = {
    id: 'weather_1',
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  };

  const plan = {
    type: 'reasoning.summary',
    summary: 'I will look.',
    format: 'cohere-v2',
    index: 0,
  } as const;

  test('has calls, their plan and their results', () => {
    const messages = [
      user('Weather?'),
      assistant('', { toolCalls: [call], reasoningDetails: [plan] }),
      tool('weather_1', 'Drizzle'),
    ];
    expect(encode(newRequest(messages), plain).messages).toStrictEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', tool_calls: [encodedCall], tool_plan: 'I will look.' },
      { role: 'tool', tool_call_id: 'weather_1', content: 'Drizzle' },
    ]);
  });

  test('has empty messages of the user and results, but none of the system, and no blank text beside others', () => {
    const system = (...texts: readonly string[]) =>
      ({ role: 'system', content: texts.flatMap(text) }) as const;
    const nothing = { role: 'user', content: [] } as const;
    const texts = {
      role: 'user',
      content: [...text(' '), ...text('Hi'), ...text('!')],
    } as const;
    const messages = [system(' '), system(' ', 'Be kind.'), user(' '), nothing, texts, tool('a', '')];
    expect(encode(newRequest(messages), plain).messages).toStrictEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
      { role: 'user', content: ' ' },
      { role: 'user', content: '' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'text', text: '!' },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '' },
    ]);
  });

  test('has names, refusals and documents, for Cohere to take or reject', () => {
    const file = { type: 'file', url: 'https://example.com/a.pdf' } as const;
    const messages = [
      { ...user('Hi'), name: 'ann' },
      assistant('', { refusal: 'No.' }),
      assistant('Yes.', { refusal: 'No.', toolCalls: [call] }),
      { role: 'user', content: [file] } as const,
    ];
    expect(encode(newRequest(messages), plain).messages).toStrictEqual([
      { role: 'user', content: 'Hi', name: 'ann' },
      { role: 'assistant', content: 'No.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Yes.' },
          { type: 'text', text: 'No.' },
        ],
        tool_calls: [encodedCall],
      },
      { role: 'user', content: [{ type: 'file', file: { file_data: file.url } }] },
    ]);
  });

  test('omits an answer that has only a plan, without its calls', () => {
    const messages = [user('Weather?'), assistant('', { reasoningDetails: [plan] }), user('Well?')];
    expect(encode(newRequest(messages), plain).messages).toStrictEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'user', content: 'Well?' },
    ]);
  });

  test('has its own thinking before the text, and none of another model family', () => {
    const own = { type: 'reasoning.text', text: 'Hm.', format: 'cohere-v2', index: 0 } as const;
    const other = { ...own, text: 'Foreign', format: 'anthropic-claude-v1' };
    const messages = [user('One'), assistant('Two', { reasoningDetails: [own, other] }), user('Three')];
    expect(encode(newRequest(messages), plain).messages).toContainEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Two' },
      ],
    });
  });

  test('has empty arguments for a call without arguments', () => {
    const messages = [user('Time?'), assistant('', { toolCalls: [{ ...call, arguments: '' }] })];
    const body = encode(newRequest(messages), plain);
    expect(JSON.stringify(body.messages)).toContain('"arguments":"{}"');
  });

  test('has images as URLs, or as data with their actual type', () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]).toString('base64');
    const content = [
      { type: 'text', text: 'Look' },
      { type: 'image', url: 'https://example.com/a.png', detail: 'low' },
      { type: 'image', url: `data:image/jpeg;base64,${png}` },
    ] as const;
    expect(encode(newRequest([{ role: 'user', content }]), plain).messages).toStrictEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        ],
      },
    ]);
  });
});
