/** Encoding conversations for Anthropic. */
import { describe, expect, test } from 'vitest';
import type { GenerationRequest, ReasoningDetail } from '../../../lib/core/generation/request.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { assistant, call, newRequest, newTarget, png, tool, user } from '../requests.ts';

const encode = (parts: Partial<GenerationRequest>) =>
  anthropicMessages.encode(newRequest([user('Hello')], {}, parts), newTarget());

describe('a conversation', () => {
  const system = (text: string) => ({ role: 'system', content: [{ type: 'text', text }] }) as const;

  test('has its first system messages in the system field, in order', () => {
    const body = encode({ messages: [system('One.'), system('Two.'), user('Hi')] });
    expect(body.system).toStrictEqual([
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.' },
    ]);
    expect(body.messages).toStrictEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]);
  });

  test('has later system messages in place, so that earlier messages do not change', () => {
    const body = encode({
      messages: [system('One.'), user('Hi'), assistant('Yes?'), system('Two.')],
    });
    expect(body.system).toStrictEqual([{ type: 'text', text: 'One.' }]);
    expect(Object(body.messages).at(-1)).toStrictEqual({
      role: 'user',
      content: [{ type: 'text', text: '<system>\nTwo.\n</system>' }],
    });
  });

  test('has all tool results of a turn together, before the user’s text', () => {
    const body = encode({
      messages: [
        user('Weather?'),
        assistant('', { toolCalls: [call('a', 'get_weather', '{"city":"Rome"}'), call('b', 'now', '')] }),
        tool('a', 'Sunny'),
        user('And now?'),
        tool('b', ''),
      ],
    });
    expect(body.messages).toStrictEqual([
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'get_weather', input: { city: 'Rome' } },
          { type: 'tool_use', id: 'b', name: 'now', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'Sunny' }] },
          { type: 'tool_result', tool_use_id: 'b' },
          { type: 'text', text: 'And now?' },
        ],
      },
    ]);
  });

  test('has the same id for call and result if the id must be replaced', () => {
    const ids = ['call:1|x', `${'long'.repeat(20)}`, 'call:1.x'].map((id) => {
      const messages = [user('Go'), assistant('', { toolCalls: [call(id, 'f', '{}')] }), tool(id, 'ok')];
      const text = JSON.stringify(encode({ messages }).messages);
      const [, used = ''] = /"id":"([^"]*)"/.exec(text) ?? [];
      expect(used).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(text).toContain(`"tool_use_id":"${used}"`);
      expect(JSON.stringify(encode({ messages }).messages)).toBe(text);
      return used;
    });
    expect(new Set(ids).size).toBe(3);
  });

  test('with arguments that are not an object has them as they are, for the provider to reject', () => {
    const messages = [
      user('Go'),
      assistant('', { toolCalls: [call('a', 'f', '{}'), call('b', 'f', '{"a":')] }),
    ];
    expect(encode({ messages }).messages).toMatchObject([
      {},
      { content: [{ input: {} }, { input: '{"a":' }] },
    ]);
  });

  test('omits blank texts and joins adjacent messages of one role', () => {
    const body = encode({ messages: [user('One'), user('  '), user('Two'), assistant(''), user('Three')] });
    const text = (value: string) => ({ type: 'text', text: value });
    expect(body.messages).toStrictEqual([{ role: 'user', content: ['One', 'Two', 'Three'].map(text) }]);
  });

  test('has reasoning byte for byte, before everything else, and only Claude’s', () => {
    const format = 'anthropic-claude-v1';
    const reasoningDetails: ReasoningDetail[] = [
      { type: 'reasoning.text', text: '', signature: 'c2ln', format, index: 0 },
      { type: 'reasoning.encrypted', data: 'ZGF0YQ==', format, index: 1 },
      { type: 'reasoning.text', text: 'unsigned', format, index: 2 },
      { type: 'reasoning.encrypted', data: 'other', format: 'openai-responses-v1', index: 3 },
    ];
    const turn = assistant('', {
      content: [{ type: 'text', text: 'Let me see.' }],
      toolCalls: [call('a', 'f', '')],
      reasoningDetails,
      reasoning: 'readable',
    });
    expect(encode({ messages: [user('Go'), turn, tool('a', 'ok')] }).messages).toMatchObject([
      {},
      {
        content: [
          { type: 'thinking', thinking: '', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'ZGF0YQ==' },
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use' },
        ],
      },
      {},
    ]);
  });

  test.each([
    ['300s', { type: 'ephemeral', ttl: '5m' }],
    ['3600s', { type: 'ephemeral', ttl: '1h' }],
    ['1h', { type: 'ephemeral', ttl: '1h' }],
    [undefined, { type: 'ephemeral' }],
    ['forever', { type: 'ephemeral', ttl: 'forever' }],
  ])('has a cache marker of %s on the last block of its message', (ttl, cache_control) => {
    const cacheControl = { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } as const;
    const content = [
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two' },
    ] as const;
    const body = encode({
      messages: [
        { role: 'system', content, cacheControl },
        { role: 'user', content, cacheControl },
        user('Three'),
      ],
    });
    const [one, two] = [
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two', cache_control },
    ];
    expect(body.system).toStrictEqual([one, two]);
    expect(body.messages).toStrictEqual([
      { role: 'user', content: [one, two, { type: 'text', text: 'Three' }] },
    ]);
  });

  test('keeps markers of parts, and sets none on thinking or inside a result', () => {
    const cacheControl = { type: 'ephemeral' } as const;
    const cache_control = cacheControl;
    const marked = { type: 'text', text: 'One', cacheControl: { ...cacheControl, ttl: '1h' } } as const;
    const detail = {
      type: 'reasoning.text',
      text: 'Hm.',
      signature: 'c2ln',
      format: 'anthropic-claude-v1',
      index: 1,
    } as const;
    const image = { type: 'image', url: 'https://example.com/a.jpg', cacheControl } as const;
    const messages = [
      { role: 'user', content: [marked], cacheControl } as const,
      { ...assistant('Two', { reasoningDetails: [detail] }), cacheControl },
      { role: 'tool', toolCallId: 'a', content: [marked, image, { type: 'text', text: 'Last' }] } as const,
    ];
    expect(encode({ messages }).messages).toStrictEqual([
      {
        role: 'user',
        content: [{ type: 'text', text: 'One', cache_control: { ...cache_control, ttl: '1h' } }],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Two', cache_control },
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [
              { type: 'text', text: 'One' },
              { type: 'image', source: { type: 'url', url: image.url } },
              { type: 'text', text: 'Last' },
            ],
            cache_control,
          },
        ],
      },
    ]);
  });

  test('has its pieces in their places, where these are known', () => {
    const format = 'anthropic-claude-v1';
    const thought = (data: string, position: number) =>
      ({ type: 'reasoning.encrypted', data, format, index: 0, position }) as const;
    const turn = assistant('', {
      content: [
        { type: 'text', text: 'B', position: 1 },
        { type: 'text', text: 'D' },
      ],
      refusal: 'E',
      toolCalls: [{ ...call('c', 'f', '{}'), position: 2 }],
      reasoningDetails: [thought('A', 0)],
    });
    const [{ content }] = encode({ messages: [turn] }).messages as [{ content: object[] }];
    expect(content).toMatchObject([{ data: 'A' }, { text: 'B' }, { id: 'c' }, { text: 'D' }, { text: 'E' }]);
  });

  test('has thinking among its pieces where it was, without places', () => {
    const format = 'anthropic-claude-v1';
    const thought = (data: string, index: number) =>
      ({ type: 'reasoning.encrypted', data, format, index }) as const;
    const turn = assistant('', {
      content: [
        { type: 'text', text: 'B' },
        { type: 'text', text: 'C' },
      ],
      toolCalls: [call('d', 'f', '{}'), call('f', 'f', '{}')],
      reasoningDetails: [thought('A', 0), thought('E', 3), thought('G', 99)],
    });
    const [{ content }] = encode({ messages: [turn] }).messages as [{ content: object[] }];
    expect(content).toMatchObject([
      { data: 'A' },
      { text: 'B' },
      { text: 'C' },
      { id: 'd' },
      { data: 'E' },
      { id: 'f' },
      { data: 'G' },
    ]);
  });

  test('has a turn for each participant, also in the system field', () => {
    const named = (value: string, name: string) => ({ ...user(value), name });
    const rules = { role: 'system', content: [{ type: 'text', text: 'Be kind.' }], name: 'rules' } as const;
    const messages = [rules, named('A', 'ann'), user('B'), named('C', 'ann'), named('D', 'bob'), user('E')];
    const body = encode({ messages });
    expect(body.system).toStrictEqual([{ type: 'text', text: 'Be kind.', name: 'rules' }]);
    expect(
      (body.messages as { name?: string; content: { text: string }[] }[]).map(({ name, content }) => [
        name,
        content.map(({ text }) => text).join(''),
      ]),
    ).toStrictEqual([
      ['ann', 'ABC'],
      ['bob', 'DE'],
    ]);
  });

  test('has participant names, for the provider to reject', () => {
    expect(encode({ messages: [{ ...user('Hi'), name: 'Ann' }] }).messages).toMatchObject([{ name: 'Ann' }]);
  });
});

describe('images', () => {
  const image = (url: string) => ({ role: 'user', content: [{ type: 'image', url }] }) as const;

  test('are sent as links, or as bytes with their actual type', () => {
    const messages = [image('https://example.com/a.jpg'), image(`data:image/jpeg;base64,${png}`)];
    expect(encode({ messages }).messages).toMatchObject([
      {
        content: [
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.jpg' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        ],
      },
    ]);
  });
});
