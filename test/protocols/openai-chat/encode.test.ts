/** Encoding requests for OpenAI. */
import { describe, expect, test } from 'vitest';
import { openaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
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

const target = newTarget();
const reasoner = newTarget({
  reasoning: { style: 'effort', efforts: ['low', 'high'], defaultEffort: 'low' },
});

describe('OpenAI chat requests', () => {
  test('have the upstream model, and a single text as a plain string', () => {
    expect(openaiChat.encode(newRequest([user('hello')]), newTarget({}, 'gpt-x'))).toStrictEqual({
      model: 'gpt-x',
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect(openaiChat.path('gpt-x', true)).toBe('/chat/completions');
  });

  test('always request the usage of a stream', () => {
    expect(openaiChat.encode(newRequest([], {}, { stream: true }), target)).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test.each([
    ['system', target],
    ['developer', reasoner],
  ])('have the system role %s', (role, to) => {
    const request = newRequest([{ role: 'system', content: text('Be kind.'), name: 'rules' }]);
    expect(openaiChat.encode(request, to).messages).toStrictEqual([
      { role, content: 'Be kind.', name: 'rules' },
    ]);
  });

  test('have every parameter under its public name', () => {
    const parameters = { ...everyParameter, max_tokens: 50 };
    expect(openaiChat.encode(newRequest([], parameters), target)).toMatchObject(parameters);
  });

  test('have audio as its data and the format that its type names', () => {
    const spoken = { type: 'audio', url: 'data:audio/mp3;base64,AAAB' } as const;
    expect(
      openaiChat.encode(newRequest([{ role: 'user', content: [spoken] }]), target).messages,
    ).toStrictEqual([
      {
        role: 'user',
        content: [{ type: 'input_audio', input_audio: { data: 'AAAB', format: 'mp3' } }],
      },
    ]);
  });

  test('have images with their detail', () => {
    const request = newRequest([
      {
        role: 'user',
        content: [...text('What is it?'), { type: 'image', url: 'https://example.com/a.png', detail: 'low' }],
      },
    ]);
    expect(openaiChat.encode(request, target).messages).toStrictEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
        ],
      },
    ]);
  });

  test('have a tool round trip in the form of a recorded one', () => {
    const calls = [
      { id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
      { id: 'call_2', name: 'get_time', arguments: '' },
    ];
    const request = newRequest(
      [
        user('Weather?'),
        assistant('', { toolCalls: calls }),
        tool('call_1', 'Sunny'),
        tool('call_2', 'Noon'),
      ],
      { tool_choice: { name: 'get_weather' } },
      { tools: [{ ...weatherTool, strict: true }] },
    );
    expect(openaiChat.encode(request, target)).toStrictEqual({
      model: 'upstream-model',
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
            },
            { id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Noon' },
      ],
      tools: [{ type: 'function', function: { ...weatherTool, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    });
  });

  test('have custom tools with their text format, which is one level deeper', () => {
    const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
    const tools = [
      { name: 'sql', kind: 'custom', description: 'Queries.', format: grammar },
      { name: 'note', kind: 'custom', format: { type: 'text', max: 3 } },
      { name: 'echo', kind: 'custom' },
    ] as const;
    const { type, ...rules } = grammar;
    const called = assistant('', { toolCalls: [{ id: 'a', kind: 'custom', name: 'echo', arguments: ' ' }] });
    const choice = { tool_choice: { name: 'sql', kind: 'custom' } } as const;
    expect(openaiChat.encode(newRequest([called], choice, { tools }), target)).toMatchObject({
      messages: [{ tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'echo', input: ' ' } }] }],
      tools: [
        {
          type: 'custom',
          custom: { name: 'sql', description: 'Queries.', format: { type, grammar: rules } },
        },
        { type: 'custom', custom: { name: 'note', format: { type: 'text' } } },
        { type: 'custom', custom: { name: 'echo' } },
      ],
      tool_choice: { type: 'custom', custom: { name: 'sql' } },
    });
  });

  test('have names, several texts as a list, and a video as its link', () => {
    const content = [...text('One.'), ...text('Two.')];
    const video = { type: 'video', url: 'https://a.example/v.mp4' } as const;
    const named = { name: 'ann' };
    const messages = [
      { role: 'user', content, ...named },
      { ...assistant('Yes.'), ...named },
      { ...tool('a', 'One'), ...named },
      { role: 'user', content: [video] },
    ] as const;
    expect(openaiChat.encode(newRequest(messages), target).messages).toStrictEqual([
      { role: 'user', content, ...named },
      { role: 'assistant', content: 'Yes.', ...named },
      { role: 'tool', tool_call_id: 'a', content: 'One', ...named },
      { role: 'user', content: [{ type: 'video_url', video_url: { url: video.url } }] },
    ]);
  });

  test('omit reasoning and keep a refusal', () => {
    const detail = { type: 'reasoning.text', text: 'hm', format: 'other', index: 0 } as const;
    const spoken = assistant('Yes', { reasoning: 'hm', reasoningDetails: [detail] });
    const refused = assistant('', { refusal: 'No.' });
    expect(openaiChat.encode(newRequest([spoken, refused]), target).messages).toStrictEqual([
      { role: 'assistant', content: 'Yes' },
      { role: 'assistant', content: null, refusal: 'No.' },
    ]);
  });
});
