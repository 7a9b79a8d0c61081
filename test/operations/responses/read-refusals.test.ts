/** Errors of a request are a 400 that names the field as the caller sent it. */
import { describe, expect, test } from 'vitest';
import { refusalOf } from './reading.ts';

const user = (part: object) => ({ input: [{ role: 'user', content: [part] }] });
const flat = { type: 'function', name: 'f' };
const nested = { type: 'function', function: { name: 'f' } };

const refused: readonly [string, object, string][] = [
  ['an unknown field', { frequency_penalty: 1 }, 'frequency_penalty'],
  ['a field of chat', { messages: [] }, 'messages'],
  ['an extension of chat alone', { extra: { normalize: false } }, 'extra.normalize'],
  ['no input', { input: [] }, 'input'],
  ['an empty input', { input: '' }, 'input'],
  ['an input of another kind', { input: 3 }, 'input'],
  ['too hot', { temperature: 3 }, 'temperature'],
  ['no tokens for an answer', { max_output_tokens: 0 }, 'max_output_tokens'],
  ['too many stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
  ['a stop that is no list', { stop: 'a' }, 'stop'],
  ['an unknown addition', { include: ['x'] }, 'include.0'],
  ['an unknown effort', { reasoning: { effort: 'huge' } }, 'reasoning.effort'],
  ['an unknown summary', { reasoning: { summary: 'long' } }, 'reasoning.summary'],
  ['a mode of reasoning', { reasoning: { mode: 'pro' } }, 'reasoning.mode'],
  ['an unknown verbosity', { text: { verbosity: 'huge' } }, 'text.verbosity'],
  ['an unknown format', { text: { format: { type: 'xml' } } }, 'text.format.type'],
  ['a flat schema without a name', { text: { format: { type: 'json_schema' } } }, 'text.format.name'],
  [
    'a nested schema without a name',
    { text: { format: { type: 'json_schema', json_schema: {} } } },
    'text.format.json_schema.name',
  ],
  ['an unknown truncation', { truncation: 'middle' }, 'truncation'],
  ['an unknown tier', { service_tier: 'ultra' }, 'service_tier'],
  ['work in the background that is not stored', { background: true, store: false }, 'store'],
  ['a conversation', { conversation: 'conv_1' }, 'conversation'],
  [
    'other management of the context',
    { context_management: [{ type: 'trim' }] },
    'context_management.0.type',
  ],
  ['a stored prompt', { prompt: { id: 'p' } }, 'prompt'],
  ['options of a stream without one', { stream_options: { include_obfuscation: true } }, 'stream_options'],
  [
    'stream options of chat',
    { stream: true, stream_options: { include_usage: true } },
    'stream_options.include_usage',
  ],
  ['metadata that is no text', { metadata: { a: 1 } }, 'metadata.a'],
  ['an identifier that is too long', { safety_identifier: 'a'.repeat(65) }, 'safety_identifier'],
  ['another tool', { tools: [flat, { type: 'telepathy' }] }, 'tools.1.type'],
  ['a tool without a name', { tools: [{ type: 'function' }] }, 'tools.0.name'],
  ['a nested tool without a name', { tools: [{ type: 'function', function: {} }] }, 'tools.0.function.name'],
  ['a flat name twice', { tools: [nested, flat] }, 'tools.1.name'],
  ['a nested name twice', { tools: [flat, nested] }, 'tools.1.function.name'],
  [
    'two web searches',
    { tools: [{ type: 'web_search' }, flat, { type: 'web_search_preview' }] },
    'tools.2.type',
  ],
  [
    'an unknown country',
    { tools: [{ type: 'web_search', user_location: { type: 'approximate', country: 'Germany' } }] },
    'tools.0.user_location.country',
  ],
  [
    'a namespace with a tool of the provider',
    { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'mcp' }] }] },
    'tools.0.tools.0.type',
  ],
  [
    'a name twice in one namespace',
    { tools: [{ type: 'namespace', name: 'n', tools: [flat, { type: 'custom', name: flat.name }] }] },
    'tools.0.tools.1.name',
  ],
  [
    'an odd format of a custom tool',
    { tools: [{ type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'ebnf', definition: 'x' } }] },
    'tools.0.format.syntax',
  ],
  [
    'the choice of another kind of tool',
    { tools: [flat], tool_choice: { type: 'custom', name: flat.name } },
    'tool_choice.name',
  ],
  [
    'the choice of a tool of the provider that is not offered',
    { tools: [flat], tool_choice: { type: 'mcp', server_label: 'x' } },
    'tool_choice.type',
  ],
  [
    'added tools of an odd form',
    { input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'custom' }] }] },
    'input.0.tools.0.name',
  ],
  [
    'a custom call without a text',
    { input: [{ type: 'custom_tool_call', call_id: 'c', name: 'n' }] },
    'input.0.input',
  ],
  ['a call by force without tools', { tool_choice: 'required' }, 'tool_choice'],
  [
    'a flat tool choice without a tool',
    { tools: [flat], tool_choice: { type: 'function', name: 'g' } },
    'tool_choice.name',
  ],
  [
    'a nested tool choice without a tool',
    { tools: [flat], tool_choice: { type: 'function', function: { name: 'g' } } },
    'tool_choice.function.name',
  ],
  [
    'a forced web search that is not offered',
    { tools: [flat], tool_choice: { type: 'web_search' } },
    'tool_choice.type',
  ],
  ['another choice', { tools: [flat], tool_choice: { type: 'mcp' } }, 'tool_choice.type'],
  [
    'an unknown allowed tool',
    {
      tools: [flat],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [flat, { type: 'function', name: 'g' }] },
    },
    'tool_choice.tools.1.name',
  ],
  ['a native field that changes the model', { native_fields: { model: 'x' } }, 'native_fields.model'],
  ['one in camel case', { native_fields: { previousResponseId: 'x' } }, 'native_fields.previousResponseId'],
  ['one in another case', { native_fields: { Model: 'x' } }, 'native_fields.Model'],
  ['one with dashes', { native_fields: { 'candidate-count': 2 } }, 'native_fields.candidate-count'],
  ['one that changes the conversation', { native_fields: { contents: [] } }, 'native_fields.contents'],
  ['one that changes the stream', { native_fields: { a: 1, stream: true } }, 'native_fields.stream'],
  ['one that asks for several answers', { native_fields: { n: 2 } }, 'native_fields.n'],
  ['invalid native fields', { native_fields: 'x' }, 'native_fields'],
  ['another item', { input: [{ type: 'telepathy_call', id: 'x' }] }, 'input.0.type'],
  ['an invalid item', { input: ['x'] }, 'input.0'],
  ['another role', { input: [{ role: 'tool', content: 'x' }] }, 'input.0.role'],
  ['a message without content', { input: [{ role: 'user' }] }, 'input.0.content'],
  ['a message of no parts', { input: [{ role: 'user', content: [] }] }, 'input.0.content'],
  ['an unknown part', user({ type: 'input_audio' }), 'input.0.content.0.type'],
  ['a part of chat', user({ type: 'text', text: 'x' }), 'input.0.content.0.type'],
  ['an image of a file', user({ type: 'input_image', file_id: 'file_1' }), 'input.0.content.0.file_id'],
  [
    'an image without a source',
    user({ type: 'input_image', image_url: 'ftp://a' }),
    'input.0.content.0.image_url',
  ],
  [
    'an image in the format of chat',
    user({ type: 'input_image', image_url: { url: 'https://example.org' } }),
    'input.0.content.0.image_url',
  ],
  ['a stored file', user({ type: 'input_file', file_id: 'file_1' }), 'input.0.content.0.file_id'],
  ['a file without data', user({ type: 'input_file', filename: 'a.pdf' }), 'input.0.content.0'],
  [
    'a file of a type that no provider takes',
    user({ type: 'input_file', file_data: 'data:application/zip;base64,YQ==' }),
    'input.0.content.0.file_data',
  ],
  [
    'base64 of an unknown type',
    user({ type: 'input_file', file_data: 'YWJj', filename: 'a.bin' }),
    'input.0.content.0.file_data',
  ],
  [
    'an image in a system message',
    { input: [{ role: 'system', content: [{ type: 'input_image' }] }] },
    'input.0.content.0.type',
  ],
  [
    'a call without an id',
    { input: [{ type: 'function_call', name: 'f', arguments: '' }] },
    'input.0.call_id',
  ],
  [
    'arguments that are not text',
    { input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: {} }] },
    'input.0.arguments',
  ],
  ['a result without output', { input: [{ type: 'function_call_output', call_id: 'c' }] }, 'input.0.output'],
];

describe('a rejected request', () => {
  test.each(refused)('%s', (_, body, param) => {
    const { param: named, message } = refusalOf(body);
    expect(named).toBe(param);
    expect(message).toContain(`'${param}'`);
  });

  test('lists the supported items, and what to send instead of a file', () => {
    expect(refusalOf({ input: [{ type: 'telepathy_call' }] }).message).toMatch(
      /'message', 'function_call', .*'reasoning'/,
    );
    const { message } = refusalOf(user({ type: 'input_file', file_id: 'file_1' }));
    expect(message).toMatch(/'file_data'.*'file_url'/);
  });
});
