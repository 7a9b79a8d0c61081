/** Errors and records name the fields that the caller of the Responses operation sent. */
import { describe, expect, test } from 'vitest';
import { callerPath } from '../../../lib/core/generation/caller-path.ts';
import { pathOf, source } from '../../../lib/core/generation/original/source.ts';
import type { GenerationRequest } from '../../../lib/core/generation/request.ts';
import type { ConversationItem } from '../../../lib/operations/responses/read/item.ts';
import { earlierSource } from '../../../lib/operations/responses/read/sources.ts';
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
  ['messages[1].content[1].image_url', 'input.0.content.1.image_url'],
  ['messages[2].tool_calls[1].function.arguments', 'input.5.arguments'],
  ['messages.99', 'input'],
];

/** The objects that an error or a record may point at. */
const objects: readonly [string, string, (request: GenerationRequest) => string][] = [
  [
    'searches',
    'input.3',
    ({ messages: [, , turn] }) => (turn?.role === 'assistant' ? pathOf(turn, 'webSearches') : ''),
  ],
  [
    'reasoning',
    'input.1',
    ({ messages: [, , turn] }) => (turn?.role === 'assistant' ? pathOf(turn, 'reasoning') : ''),
  ],
  [
    'a call',
    'input.5',
    ({ messages: [, , turn] }) =>
      turn?.role === 'assistant' && turn.toolCalls[1] ? pathOf(turn.toolCalls[1]) : '',
  ],
  [
    'a result',
    'input.6.call_id',
    ({ messages: [, , , result] }) => (result?.role === 'tool' ? pathOf(result, 'toolCallId') : ''),
  ],
];

describe('a field of the conversation', () => {
  const request = converse({ instructions: 'Be brief.', input });

  test.each(items)('%s is %s', (sent, path) => {
    expect(request.messages).toHaveLength(7);
    expect(callerPath(request, sent)).toBe(path);
  });

  test.each(objects)('%s is at %s', (_, path, find) => {
    expect(find(request)).toBe(path);
  });

  test('of a plain text is the input', () => {
    const plain = converse({ input: 'Hi.' });
    expect(callerPath(plain, 'messages.0')).toBe('input');
    expect(callerPath(plain, 'messages.0.content.0')).toBe('input');
  });

  test('of stored items is previous_response_id, and the caller’s own items are counted without them', () => {
    const earlier: readonly ConversationItem[] = [
      {
        type: 'message',
        status: 'completed',
        role: 'user',
        content: [{ type: 'input_image', image_url: 'https://example.org/a.png', detail: 'auto' }],
        [source]: earlierSource,
      },
      {
        type: 'function_call',
        status: 'completed',
        call_id: 'a',
        name: 'f',
        arguments: '{}',
        [source]: earlierSource,
      },
    ];
    const output = { type: 'function_call_output', call_id: 'a', output: [image] };
    const continued = converse({ input: [output] }, earlier);
    expect(callerPath(continued, 'messages.0.content.0.image_url.url')).toBe('previous_response_id');
    expect(callerPath(continued, 'messages.1.tool_calls.0')).toBe('previous_response_id');
    expect(callerPath(continued, 'messages.2.content.0.image_url.url')).toBe('input.0.output.0.image_url');
  });

  test('of a file is the one that the caller wrote', () => {
    const data = { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0=' };
    const { messages } = converse({ input: [{ role: 'user', content: [file, data] }] });
    expect(messages[0]?.content.map((part) => part.type === 'file' && pathOf(part, 'url'))).toEqual([
      'input.0.content.0.file_url',
      'input.0.content.1.file_data',
    ]);
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
    ['response_format.type', {}, 'text.format.type'],
    ['response_format.json_schema.schema', {}, 'text.format.schema'],
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
    ['logprobs', { include: ['message.output_text.logprobs'] }, 'include.0'],
    [
      'tools.1.function.parameters.type',
      { tools: [{ type: 'web_search' }, flat] },
      'tools.1.parameters.type',
    ],
    ['tools.2.function.strict', { tools: [flat, { type: 'web_search' }, nested] }, 'tools.2.function.strict'],
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
    ['tools.7.function.name', {}, 'tools'],
    ['constructor', {}, 'constructor'],
  ];

  test.each(cases)('%s of %j is %s', (sent, body, path) => {
    expect(callerPath(converse(body), sent)).toBe(path);
  });

  test('a function beside a search has the position that the caller gave it', () => {
    const { tools, webSearch } = converse({ tools: [{ type: 'web_search' }, flat, nested] });
    expect(tools.map((tool) => pathOf(tool, 'parameters'))).toEqual([
      'tools.1.parameters',
      'tools.2.function.parameters',
    ]);
    expect(webSearch && pathOf(webSearch, 'userLocation')).toBe('tools.0.user_location');
  });
});
