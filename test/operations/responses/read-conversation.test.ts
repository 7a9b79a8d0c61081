/** The conversion of items to the conversation that the model gets. */
import { describe, expect, test } from 'vitest';
import type { ReasoningDetail } from '../../../lib/core/generation/request.ts';
import {
  decodeReasoning,
  encodeReasoning,
} from '../../../lib/operations/responses/write/encrypted-content.ts';
import { converse, messagesOf, turnOf } from './reading.ts';

const claude: readonly ReasoningDetail[] = [
  { type: 'reasoning.text', text: '', signature: 'EqQBCgIYAhIM/+=', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'redacted==', format: 'anthropic-claude-v1', index: 1 },
];
const gemini: readonly ReasoningDetail[] = [
  { type: 'reasoning.encrypted', data: 'CuwB', format: 'google-gemini-v1', index: 3, id: 'call_1' },
];

const reasoning = (details?: readonly ReasoningDetail[], summary: readonly string[] = []) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: summary.map((text) => ({ type: 'summary_text', text })),
  ...(details && { encrypted_content: encodeReasoning(details) }),
});
const answer = (text: string, phase?: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
  ...(phase && { phase }),
});
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: ' {"a": 1}' });
const search = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search', query: 'q' },
};

describe('a conversation', () => {
  test('starts with the instructions, and system messages stay in place', () => {
    const { messages } = converse({
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'One.' },
        { role: 'system', content: 'Be kind.' },
        { role: 'developer', content: [{ type: 'input_text', text: 'Be wise.' }] },
      ],
    });
    expect(
      messages.map(({ role, content }) => [role, content[0]?.type === 'text' && content[0].text]),
    ).toEqual([
      ['system', 'Be brief.'],
      ['user', 'One.'],
      ['system', 'Be kind.'],
      ['system', 'Be wise.'],
    ]);
  });

  test('has one message for everything the model did in a turn, with the position of each piece', () => {
    const turn = turnOf(
      reasoning(claude),
      answer('Let me see.', 'commentary'),
      search,
      reasoning(gemini),
      call('call_1'),
      call('call_2'),
    );
    expect(turn).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Let me see.', position: 1, phase: 'commentary' }],
      webSearches: [{ id: 'ws_1', action: { type: 'search', query: 'q' }, position: 2 }],
      toolCalls: [
        { id: 'call_1', name: 'f', arguments: ' {"a": 1}', position: 4 },
        { id: 'call_2', name: 'f', arguments: ' {"a": 1}', position: 5 },
      ],
      reasoningDetails: [
        ...claude.map((detail) => ({ ...detail, position: 0 })),
        ...gemini.map((detail) => ({ ...detail, position: 3 })),
      ],
    });
  });

  test('has a new turn after every result and question', () => {
    const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' });
    const roles = messagesOf([
      { role: 'user', content: 'Go.' },
      call('a'),
      call('b'),
      result('a'),
      result('b'),
      call('c'),
      result('c'),
      answer('Done.'),
      { role: 'user', content: 'Thanks.' },
    ]).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'assistant', 'user']);
  });

  test('joins the last turn of the earlier response with further output of the same turn', () => {
    const { messages } = converse({ input: [answer('And more.')] }, [
      { type: 'message', status: 'completed', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
      { type: 'function_call', status: 'completed', call_id: 'a', name: 'f', arguments: '{}' },
    ]);
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({
      toolCalls: [{ id: 'a', position: 0 }],
      content: [{ text: 'And more.', position: 1 }],
    });
  });

  test('has an empty result for a result without parts', () => {
    const result = { type: 'function_call_output', call_id: 'a', output: [] };
    expect(messagesOf([call('a'), result])[1]).toMatchObject({
      role: 'tool',
      content: [{ type: 'text', text: '' }],
    });
  });

  test('includes a refusal', () => {
    const turn = turnOf({
      role: 'assistant',
      content: [{ type: 'refusal', refusal: 'I would rather not.' }],
    });
    expect(turn).toMatchObject({ refusal: 'I would rather not.', content: [] });
  });
});

describe('returned reasoning', () => {
  test.each([
    ['signed by Claude', claude],
    ['signed by Gemini', gemini],
    ['of an open model', [{ type: 'reasoning.text', text: 'Höm\n\u2028', format: 'deepseek', index: 0 }]],
    ['of nothing', []],
  ] as const)('%s is unchanged, byte for byte', (_, details) => {
    expect(decodeReasoning(encodeReasoning(details))).toEqual(details);
  });

  test('of unknown origin counts as OpenAI’s own, as a whole item', () => {
    const [one, two] = [
      { type: 'summary_text', text: 'I think.' },
      { type: 'summary_text', text: 'I am.' },
    ];
    const item = { type: 'reasoning', id: 'rs_68', summary: [one, two], encrypted_content: 'gAAAAABo=' };
    const base = { format: 'openai-responses-v1', id: 'rs_68', position: 0 };
    expect(turnOf(item)).toEqual({
      role: 'assistant',
      content: [],
      toolCalls: [],
      reasoningDetails: [
        { ...base, type: 'reasoning.summary', summary: 'I think.', index: 0 },
        { ...base, type: 'reasoning.summary', summary: 'I am.', index: 1 },
        { ...base, type: 'reasoning.encrypted', data: 'gAAAAABo=', index: 2 },
      ],
    });
  });

  test.each(['', 'gAAAAA', 'mgw1_', 'mgw1_%%%', `mgw1_${Buffer.from('{"type":1}').toString('base64url')}`])(
    'with a prefix of another origin is not decoded: %s',
    (text) => expect(decodeReasoning(text)).toBeUndefined(),
  );

  test('that is only readable text is sent as text, completely', () => {
    const open = { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Three.' }] };
    const turn = turnOf(reasoning(undefined, ['One.', 'Two.']), open, call('a'));
    expect(turn.reasoning).toBe('One.\n\nTwo.\n\nThree.');
    expect(turn.reasoningDetails).toEqual([]);
  });

  test('is not repeated as text if its details are present', () => {
    expect(turnOf(reasoning(claude, ['One.']), call('a')).reasoning).toBeUndefined();
  });
});
