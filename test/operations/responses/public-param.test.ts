/** Errors and records name the fields that the caller sent. */
import { describe, expect, test } from 'vitest';
import type { ConversationItem } from '../../../lib/operations/responses/read/item.ts';
import { converse } from './reading.ts';

const image = { type: 'input_image', image_url: 'https://example.org/a.png' };
const file = { type: 'input_file', file_url: 'https://example.org/a.pdf' };
const text = { type: 'input_text', text: 'Look.' };

const input = [
  { role: 'user', content: [text, image, file] },
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
  {
    role: 'assistant',
    content: [
      { type: 'output_text', text: 'One.' },
      { type: 'output_text', text: 'Two.' },
    ],
  },
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } },
  { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
  { type: 'function_call', call_id: 'b', name: 'f', arguments: '{}' },
  { type: 'function_call_output', call_id: 'b', output: [text, image] },
  { type: 'function_call_output', call_id: 'a', output: 'ok' },
  { role: 'assistant', content: 'Three.' },
  { role: 'user', content: 'Four.' },
];
const flat = { type: 'function', name: 'f' };
const nested = { type: 'function', function: { name: 'g' } };

const items: readonly [string, string][] = [
  ['messages', 'input'],
  ['messages.0', 'instructions'],
  ['messages.0.content', 'instructions'],
  ['messages.1', 'input.0'],
  ['messages.1.content', 'input.0.content'],
  ['messages.1.content.1.image_url.url', 'input.0.content.1.image_url'],
  ['messages.1.content.2.file.file_url', 'input.0.content.2.file_url'],
  ['messages.1.name', 'input.0.name'],
  ['messages.2', 'input.1'],
  ['messages.2.reasoning_details', 'input.1'],
  ['messages.2.reasoning_content', 'input.1'],
  ['messages.2.content', 'input.2.content'],
  ['messages.2.content.1', 'input.2.content.1'],
  ['messages.2.web_searches', 'input.3'],
  ['messages.2.tool_calls', 'input.4'],
  ['messages.2.tool_calls.1', 'input.5'],
  ['messages.2.tool_calls.1.id', 'input.5.call_id'],
  ['messages.2.tool_calls.1.function.arguments', 'input.5.arguments'],
  ['messages.2.tool_calls.0.function.name', 'input.4.name'],
  ['messages.3.content.1.image_url.url', 'input.6.output.1.image_url'],
  ['messages.3.tool_call_id', 'input.6.call_id'],
  ['messages.4.content.0', 'input.7.output'],
  ['messages.5.content.0', 'input.8.content'],
  ['messages.6.content.0', 'input.9.content'],
  ['messages.2.tool_calls.0.constructor', 'input.4'],
  ['messages.2.constructor', 'input.1'],
  ['messages.99', 'messages.99'],
];

describe('a field of the conversation', () => {
  const { messages, toPublicParam } = converse({ instructions: 'Be brief.', input });

  test.each(items)('%s is %s', (internal, expected) => {
    expect(messages).toHaveLength(7);
    expect(toPublicParam(internal)).toBe(expected);
  });

  test('of a plain text is the input', () => {
    const { toPublicParam } = converse({ input: 'Hi.' });
    expect(toPublicParam('messages.0')).toBe('input');
    expect(toPublicParam('messages.0.content.0')).toBe('input');
  });

  test('of stored items is the earlier response, and the caller’s own items are counted without them', () => {
    const earlier: readonly ConversationItem[] = [
      {
        type: 'message',
        status: 'completed',
        role: 'user',
        content: [{ type: 'input_image', image_url: 'https://example.org/a.png', detail: 'auto' }],
      },
      { type: 'function_call', status: 'completed', call_id: 'a', name: 'f', arguments: '{}' },
    ];
    const output = { type: 'function_call_output', call_id: 'a', output: [image] };
    const { toPublicParam } = converse({ input: [output] }, earlier);
    expect(toPublicParam('messages.0.content.0.image_url.url')).toBe('previous_response_id');
    expect(toPublicParam('messages.1.tool_calls.0')).toBe('previous_response_id');
    expect(toPublicParam('messages.2.content.0.image_url.url')).toBe('input.0.output.0.image_url');
  });
});

describe('a parameter', () => {
  const schema = { type: 'object' };
  const cases: readonly [string, object, string][] = [
    ['max_completion_tokens', {}, 'max_output_tokens'],
    ['max_tokens', {}, 'max_output_tokens'],
    ['reasoning_effort', {}, 'reasoning.effort'],
    ['reasoning_summary', {}, 'reasoning.summary'],
    ['reasoning_summary', { reasoning: { generate_summary: 'auto' } }, 'reasoning.generate_summary'],
    ['verbosity', {}, 'text.verbosity'],
    ['response_format', {}, 'text.format'],
    [
      'response_format.json_schema.schema.properties.a',
      { text: { format: { type: 'json_schema', name: 'a', schema } } },
      'text.format.schema.properties.a',
    ],
    [
      'response_format.json_schema.strict',
      { text: { format: { type: 'json_schema', json_schema: { name: 'a', schema } } } },
      'text.format.json_schema.strict',
    ],
    ['logprobs', { top_logprobs: 1 }, 'top_logprobs'],
    ['logprobs', { include: ['message.output_text.logprobs'] }, 'include'],
    [
      'tools.0.function.parameters.type',
      { tools: [{ type: 'web_search' }, flat] },
      'tools.1.parameters.type',
    ],
    ['tools.1.function.strict', { tools: [flat, { type: 'web_search' }, nested] }, 'tools.2.function.strict'],
    ['tools.0.function', { tools: [flat] }, 'tools.0'],
    ['tools.1.user_location', { tools: [flat, { type: 'web_search' }] }, 'tools.1.user_location'],
    ['tool_choice', { tools: [flat], tool_choice: 'required' }, 'tool_choice'],
    ['tool_choice.function.name', { tools: [flat], tool_choice: flat }, 'tool_choice.name'],
    ['tool_choice.function.name', { tools: [nested], tool_choice: nested }, 'tool_choice.function.name'],
    ['temperature', {}, 'temperature'],
    ['stop', {}, 'stop'],
    ['extra.fallbacks.1', {}, 'extra.fallbacks.1'],
    ['native_fields', {}, 'native_fields'],
    ['thinking.type', { native_fields: { thinking: {} } }, 'native_fields.thinking.type'],
    ['temperature', { temperature: 1, native_fields: { temperature: 2 } }, 'temperature'],
    ['messages[2].content[1]', {}, 'input'],
    ['input[2].content[1].image_url', {}, 'input'],
    ['tools[0].parameters', { tools: [flat] }, 'tools.0.parameters'],
    ['tools[1].parameters', { tools: [{ type: 'web_search' }, flat, nested] }, 'tools.1.parameters'],
    ['tools[2].name', { tools: [{ type: 'web_search' }, flat, nested] }, 'tools.2.function.name'],
    ['tools[0].function.parameters', { tools: [nested] }, 'tools.0.function.parameters'],
    ['tools[0].user_location', { tools: [{ type: 'web_search' }, flat] }, 'tools.0.user_location'],
    ['tools[0]', { tools: [flat, nested] }, 'tools.0'],
    ['tools[7].parameters', { tools: [flat] }, 'tools'],
    [
      'tools[0].parameters',
      { tools: [flat, nested], tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [nested] } },
      'tools.1.function.parameters',
    ],
    ['tools.7.function.name', {}, 'tools.7.function.name'],
    ['constructor', {}, 'constructor'],
  ];

  test.each(cases)('%s of %j is %s', (internal, body, expected) => {
    expect(converse(body).toPublicParam(internal)).toBe(expected);
  });
});
