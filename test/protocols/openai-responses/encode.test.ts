/** Encoding requests for hosts of the OpenAI Responses protocol. */
import { describe, expect, test } from 'vitest';
import type { Target } from '../../../lib/core/catalog/model.ts';
import type { GenerationRequest, Message, ReasoningDetail } from '../../../lib/core/generation/request.ts';
import { createOpenaiResponses } from '../../../lib/protocols/openai-responses/protocol.ts';
import { errorOf } from '../answer.ts';
import { assistant, everyParameter, newRequest, newTarget, tool, user, weatherTool } from '../requests.ts';
import { format, protocol } from './frames.ts';

const reasoner = newTarget(
  { reasoning: { style: 'effort', efforts: ['low'], defaultEffort: 'low' } },
  'model-1',
);
const plain = newTarget({}, 'model-1');

const encode = (parts: Partial<GenerationRequest>, to: Target = plain) =>
  JSON.parse(JSON.stringify(protocol.encode(newRequest([user('Hello')], {}, parts), to)));
const inputOf = (...messages: readonly Message[]) => encode({ messages }, reasoner).input;

const said = (...parts: readonly object[]) => ({ type: 'message', role: 'assistant', content: parts });
const output = (text: string) => ({ type: 'output_text', text, annotations: [] });
const system = (text: string): Message => ({ role: 'system', content: [{ type: 'text', text }] });

describe('a request', () => {
  test('is stateless and minimal', () => {
    expect(encode({})).toStrictEqual({
      model: 'model-1',
      input: [{ type: 'message', role: 'user', content: 'Hello' }],
      store: false,
    });
    expect(encode({ stream: true }).stream).toBe(true);
    expect(protocol.path('model-1', true)).toBe('/responses');
  });

  test('requests the encrypted reasoning of reasoning models', () => {
    expect(encode({}, reasoner).include).toStrictEqual(['reasoning.encrypted_content']);
  });

  test('has each parameter under the name of the protocol, or else under its public one', () => {
    const {
      max_completion_tokens,
      response_format,
      reasoning_effort,
      logprobs,
      store: _,
      ...same
    } = everyParameter;
    const parameters = {
      ...everyParameter,
      store: false,
      max_tokens: 7,
      reasoning_summary: 'auto',
      verbosity: 'high',
      max_tool_calls: 3,
      prompt_cache_key: 'key',
      safety_identifier: 'someone',
    } as const;
    expect(logprobs).toBe(true);
    expect(encode({ parameters }, reasoner)).toStrictEqual({
      model: 'model-1',
      input: [{ type: 'message', role: 'user', content: 'Hello' }],
      ...same,
      max_output_tokens: max_completion_tokens,
      reasoning: { effort: reasoning_effort, summary: 'auto' },
      text: { format: response_format, verbosity: 'high' },
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      max_tool_calls: 3,
      prompt_cache_key: 'key',
      safety_identifier: 'someone',
      store: false,
    });
    expect(encode({ parameters: { max_tokens: 7 } }).max_output_tokens).toBe(7);
  });

  test('has the schema of structured output in the flat form', () => {
    const json_schema = { name: 'city', schema: { type: 'object' }, strict: true };
    const { text } = encode({ parameters: { response_format: { type: 'json_schema', json_schema } } });
    expect(text).toStrictEqual({ format: { type: 'json_schema', ...json_schema } });
  });

  test('requests log probabilities by name if `include` does not support them', () => {
    const other = createOpenaiResponses({ reasoningFormat: 'x', includesReasoningOnly: true });
    const webSearch = { position: 0, type: 'web_search' };
    const parameters = { logprobs: true, top_logprobs: 2 };
    const body = other.encode(newRequest([user('Hello')], parameters, { webSearch }), plain);
    expect(body).toMatchObject({ logprobs: true, top_logprobs: 2 });
    expect(body).not.toHaveProperty('include');
  });
});

describe('tools', () => {
  test('are flat, and strict only if the caller said so', () => {
    const tools = [{ ...weatherTool, strict: true }, { name: 'now' }];
    expect(encode({ tools }).tools).toStrictEqual([
      { type: 'function', ...weatherTool, strict: true },
      { type: 'function', name: 'now', parameters: { type: 'object', properties: {} }, strict: false },
    ]);
  });

  const webSearch = {
    position: 1,
    type: 'web_search',
    contextSize: 'low',
    userLocation: { city: 'Rome', country: 'IT' },
    allowedDomains: ['one.example'],
  } as const;

  test('have the web search at the caller’s position, and its sources are requested', () => {
    const { tools, include } = encode({ tools: [{ name: 'a' }, { name: 'b' }], webSearch });
    expect(tools.map(({ name, type }: { name?: string; type: string }) => name ?? type)).toStrictEqual([
      'a',
      'web_search',
      'b',
    ]);
    expect(tools[1]).toStrictEqual({
      type: 'web_search',
      search_context_size: 'low',
      user_location: { type: 'approximate', city: 'Rome', country: 'IT' },
      filters: { allowed_domains: ['one.example'] },
    });
    expect(include).toStrictEqual(['web_search_call.action.sources']);
  });

  test.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ name: 'a' }, { type: 'function', name: 'a' }],
    ['web_search', { type: 'web_search_preview' }],
  ] as const)('with the choice %j have %j', (tool_choice, expected) => {
    const search = { position: 0, type: 'web_search_preview' };
    expect(encode({ webSearch: search, parameters: { tool_choice } }).tool_choice).toStrictEqual(expected);
  });

  test('have custom tools, namespaces and those of the host, in the caller’s order', () => {
    const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
    const inNamespace = { namespace: 'files', namespaceDescription: 'Reads files.' };
    const code = { type: 'code_interpreter', container: { type: 'auto' } };
    const { tools, tool_choice } = encode({
      tools: [
        {
          name: 'sql',
          kind: 'custom',
          description: 'Queries.',
          format: grammar,
          extras: { defer_loading: true },
        },
        { name: 'echo', kind: 'custom' },
        { name: 'read', ...inNamespace, strict: true, extras: { defer_loading: true } },
        { name: 'list', ...inNamespace },
      ],
      hostedTools: [{ position: 1, tool: code }],
      parameters: { tool_choice: { name: 'sql', kind: 'custom' } },
    });
    const parameters = { type: 'object', properties: {} };
    expect(tools).toStrictEqual([
      { type: 'custom', name: 'sql', description: 'Queries.', format: grammar, defer_loading: true },
      code,
      { type: 'custom', name: 'echo' },
      {
        type: 'namespace',
        name: 'files',
        description: 'Reads files.',
        tools: [
          { type: 'function', name: 'read', parameters, strict: true, defer_loading: true },
          { type: 'function', name: 'list', parameters, strict: false },
        ],
      },
    ]);
    expect(tool_choice).toStrictEqual({ type: 'custom', name: 'sql' });
  });

  test('are chosen as the host’s own tool where the caller chose it', () => {
    const tool = { type: 'code_interpreter' };
    const hostedTools = [
      { position: 0, tool: { type: 'mcp' } },
      { position: 1, tool, choice: tool },
    ];
    expect(encode({ hostedTools, parameters: { tool_choice: 'auto' } }).tool_choice).toStrictEqual(tool);
  });

  test('are left to a host that is strict by default', () => {
    const strict = createOpenaiResponses({ reasoningFormat: 'x', strictByDefault: true });
    const asked = newRequest(
      [user('Hello')],
      {},
      { tools: [weatherTool, { ...weatherTool, strict: false }] },
    );
    expect(strict.encode(asked, plain).tools).toStrictEqual([
      { type: 'function', ...weatherTool },
      { type: 'function', ...weatherTool, strict: false },
    ]);
  });

  test('have those of their results requested that the caller names', () => {
    const include = [
      'code_interpreter_call.outputs',
      'file_search_call.results',
      'message.input_image.image_url',
    ];
    expect(encode({ include }).include).toStrictEqual(include.slice(0, 2));
  });

  test('have the search of a caller who names the protocol’s newer fields', () => {
    const { tools } = encode({
      webSearch: { position: 0, type: 'web_search', externalAccess: false, contentTypes: ['text'] },
    });
    expect(tools).toStrictEqual([
      { type: 'web_search', external_web_access: false, search_content_types: ['text'] },
    ]);
  });

  test('have the host’s only name of the search', () => {
    const other = createOpenaiResponses({ reasoningFormat: 'x', searchType: 'web_search' });
    const search = { position: 0, type: 'web_search_preview' };
    const asked = newRequest([user('Hello')], { tool_choice: 'web_search' }, { webSearch: search });
    expect(other.encode(asked, plain)).toMatchObject({
      tools: [{ type: 'web_search' }],
      tool_choice: { type: 'web_search' },
    });
  });
});

describe('messages', () => {
  test('of the system stay in place, with the role that the model supports', () => {
    const messages = [system('Be brief.'), user('Hi'), system('Be kind.')];
    const rolesTo = (to: Target) => encode({ messages }, to).input.map(({ role }: { role: string }) => role);
    expect(rolesTo(reasoner)).toStrictEqual(['developer', 'user', 'developer']);
    expect(rolesTo(plain)).toStrictEqual(['system', 'user', 'system']);
  });

  test('have images and documents', () => {
    const pdf = 'data:application/pdf;base64,JVBERg==';
    const content = [
      { type: 'text', text: 'Look' },
      { type: 'image', url: 'https://one.example/a.png', detail: 'low' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
      { type: 'file', url: pdf, filename: 'a.pdf' },
      { type: 'file', url: pdf },
      { type: 'file', url: 'https://one.example/a.pdf', filename: 'a.pdf' },
    ] as const;
    const parts = [
      { type: 'input_text', text: 'Look' },
      { type: 'input_image', image_url: 'https://one.example/a.png', detail: 'low' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      { type: 'input_file', filename: 'a.pdf', file_data: pdf },
      { type: 'input_file', filename: 'document.pdf', file_data: pdf },
      { type: 'input_file', file_url: 'https://one.example/a.pdf' },
    ];
    const call = { id: 'call_1', name: 'a', arguments: '{}' };
    const items = inputOf({ role: 'user', content }, assistant('', { toolCalls: [call] }), {
      role: 'tool',
      toolCallId: 'call_1',
      content,
    });
    expect(items[0].content).toStrictEqual(parts);
    expect(items[2]).toStrictEqual({ type: 'function_call_output', call_id: 'call_1', output: parts });
  });

  test('have names, for the host to accept or reject', () => {
    const [item] = inputOf({ ...user('Hi'), name: 'ann' });
    expect(item).toStrictEqual({ type: 'message', role: 'user', content: 'Hi', name: 'ann' });
  });

  test('with calls have these after their text, without ids', () => {
    const toolCalls = [
      { id: 'call_1', name: 'a', arguments: '' },
      { id: 'an id: with signs', name: 'b', arguments: '{"x": 1}' },
    ];
    const [text, first, second, result, other] = inputOf(
      assistant('I look.', { toolCalls }),
      tool('call_1', 'Fine'),
      tool('an id: with signs', ''),
    );
    expect(text).toStrictEqual(said(output('I look.')));
    expect(first).toStrictEqual({ type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' });
    expect(second).toMatchObject({ name: 'b', arguments: '{"x": 1}' });
    expect(result).toStrictEqual({ type: 'function_call_output', call_id: 'call_1', output: 'Fine' });
    expect(other).toStrictEqual({ type: 'function_call_output', call_id: second.call_id, output: '' });
  });

  test('with calls of custom tools have these, and their results, in types of their own', () => {
    const toolCalls = [
      { id: 'call_1', kind: 'custom', name: 'sql', arguments: ' ' },
      { id: 'call_2', name: 'a', namespace: 'files', arguments: ' ' },
    ] as const;
    expect(inputOf(assistant('', { toolCalls }), tool('call_1', 'One'), tool('call_2', 'Two'))).toStrictEqual(
      [
        { type: 'custom_tool_call', call_id: 'call_1', name: 'sql', input: ' ' },
        { type: 'function_call', call_id: 'call_2', name: 'a', namespace: 'files', arguments: '{}' },
        { type: 'custom_tool_call_output', call_id: 'call_1', output: 'One' },
        { type: 'function_call_output', call_id: 'call_2', output: 'Two' },
      ],
    );
  });

  test('with a name have it in their text only', () => {
    const named = {
      ...assistant('Yes.', { toolCalls: [{ id: 'call_1', name: 'a', arguments: '' }] }),
      name: 'ann',
    };
    const [said, called, result] = inputOf(named, { ...tool('call_1', 'One'), name: 'bob' });
    expect([said.name, called.name, result.name]).toStrictEqual(['ann', 'a', 'bob']);
  });

  test('have a caller’s items of the protocol in their place', () => {
    const item = { type: 'mcp_list_tools', id: 'mcpl_1' };
    const message = assistant('', {
      content: [{ type: 'text', text: 'Done.', position: 1 }],
      items: [{ item, position: 0 }],
    });
    expect(inputOf(message)).toStrictEqual([item, said(output('Done.'))]);
  });

  test('with media that the protocol does not have are refused', () => {
    const content = [{ type: 'audio', url: 'data:audio/mp3;base64,AAAB' }] as const;
    expect(errorOf(() => inputOf({ role: 'user', content }))).toMatchObject({ code: 'unsupported_modality' });
  });

  test('without parts are an empty text', () => {
    expect(inputOf({ role: 'user', content: [] })[0].content).toBe('');
  });

  test('with a refusal have the refusal', () => {
    expect(inputOf(assistant('', { refusal: 'No.' }))).toStrictEqual([
      said({ type: 'refusal', refusal: 'No.' }),
    ]);
  });

  test('have their pieces in the original order', () => {
    const own = { format, index: 0 };
    const reasoningDetails: ReasoningDetail[] = [
      { type: 'reasoning.summary', summary: 'One', id: 'rs_1', position: 0, ...own },
      { type: 'reasoning.summary', summary: 'Two', id: 'rs_1', position: 0, ...own },
      { type: 'reasoning.encrypted', data: 'gAAA', id: 'rs_1', position: 0, ...own },
      { type: 'reasoning.encrypted', data: 'foreign', position: 2, format: 'another', index: 1 },
      { type: 'reasoning.encrypted', data: 'gBBB', id: 'rs_2', position: 3, ...own },
    ];
    const action = { type: 'search', query: 'q' };
    const items = inputOf(
      assistant('', {
        content: [
          { type: 'text', text: 'I look.', position: 1, phase: 'commentary' },
          { type: 'text', text: 'Found', position: 5, phase: 'final_answer' },
          { type: 'text', text: ' it.', position: 5, phase: 'final_answer' },
        ],
        reasoningDetails,
        webSearches: [{ id: 'ws_1', action, position: 2 }],
        toolCalls: [{ id: 'call_1', name: 'a', arguments: '{}', position: 4 }],
      }),
    );
    expect(items).toStrictEqual([
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'One' },
          { type: 'summary_text', text: 'Two' },
        ],
        encrypted_content: 'gAAA',
      },
      { ...said(output('I look.')), phase: 'commentary' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action },
      { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gBBB' },
      { type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' },
      { ...said(output('Found'), output(' it.')), phase: 'final_answer' },
    ]);
  });

  test('without positions have their reasoning where its index says', () => {
    const reasoningDetails: ReasoningDetail[] = [
      { type: 'reasoning.text', text: 'I think.', format, index: 0 },
      { type: 'reasoning.encrypted', data: 'gBBB', format, index: 2 },
    ];
    const toolCalls = [{ id: 'call_1', name: 'a', arguments: '{}' }];
    const types = inputOf(assistant('So.', { reasoningDetails, toolCalls })).map(
      ({ type }: { type: string }) => type,
    );
    expect(types).toStrictEqual(['reasoning', 'message', 'reasoning', 'function_call']);
  });
});
