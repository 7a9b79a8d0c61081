/** The conversation of a Messages request, as families other than Claude's get it. */
import { describe, expect, test } from 'vitest';
import { families, useFamilies } from './watched-families.ts';

const { answer } = useFamilies();

const tools = [{ name: 'read', input_schema: { type: 'object', properties: { path: { type: 'string' } } } }];
const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Roses.' };
const user = { role: 'user', content: 'Look into the garden.' };
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };

describe('system', () => {
  test('a text, and blocks in their order', async () => {
    const text = await answer(families.chat, { system: 'Be brief.' });
    expect(text.sent.messages[0]).toEqual({ role: expect.any(String), content: 'Be brief.' });
    const system = [
      { type: 'text', text: 'First.' },
      { type: 'text', text: 'Second.', cache_control: { type: 'ephemeral' } },
    ];
    const blocks = await answer(families.gemini, { system });
    expect(blocks.sent.systemInstruction.parts.map((part: { text: string }) => part.text)).toEqual([
      'First.',
      'Second.',
    ]);
  });

  test('messages of the system stay in their place', async () => {
    const { sent } = await answer(families.chat, {
      messages: [user, { role: 'system', content: 'The user is in a hurry.' }],
    });
    expect(sent.messages.map(({ content }: { content: unknown }) => content)).toEqual([
      'Look into the garden.',
      'The user is in a hurry.',
    ]);
  });
});

describe('tools', () => {
  const messages = [user, { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] }];

  test('a call and its result by the chat protocol', async () => {
    const after = { role: 'user', content: [result, { type: 'text', text: 'And now?' }] };
    const { sent } = await answer(families.chat, { tools, messages: [...messages, after] });
    expect(sent.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'toolu_1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'Roses.' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  test('pieces of a turn keep their order by the Responses protocol', async () => {
    const turn = [call, { type: 'text', text: 'I looked.' }];
    const { sent } = await answer(families.responses, {
      tools,
      messages: [user, { role: 'assistant', content: turn }, { role: 'user', content: [result] }],
    });
    expect(sent.input.map(({ type, role }: { type: string; role: string }) => role ?? type)).toEqual([
      'user',
      'function_call',
      'assistant',
      'function_call_output',
    ]);
  });

  test('a failure is a text, on record', async () => {
    const failed = { ...result, is_error: true };
    const { sent, about } = await answer(families.chat, {
      tools,
      messages: [...messages, { role: 'user', content: [failed] }],
    });
    expect(JSON.stringify(sent.messages.at(-1))).toContain('The tool failed:');
    expect(about('messages.2.content.0.is_error')).toHaveLength(1);
  });

  test('a result without content is an empty text, and two of one call are one', async () => {
    const empty = { type: 'tool_result', tool_use_id: 'toolu_1' };
    const { sent, about } = await answer(families.chat, {
      tools,
      messages: [...messages, { role: 'user', content: [empty, result] }],
    });
    const results = sent.messages.filter(({ role }: { role: string }) => role === 'tool');
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).toContain('Roses.');
    expect(about('messages.2.content.1')).toMatchObject([{ action: 'override' }]);
  });

  test.each([
    ['chat', 'image_url'],
    ['responses', 'input_image'],
    ['gemini', 'inlineData'],
  ] as const)('%s: an image in a result reaches the model', async (family, field) => {
    const shown = { ...result, content: [image] };
    const { sent } = await answer(families[family], {
      tools,
      messages: [...messages, { role: 'user', content: [shown] }],
    });
    expect(JSON.stringify(sent)).toContain(field);
    expect(JSON.stringify(sent)).toContain(png);
  });
});
