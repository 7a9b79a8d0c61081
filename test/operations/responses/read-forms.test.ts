/** Different ways to write the same request are read as the same request. */
import { describe, expect, test } from 'vitest';
import { messagesOf, readPlain } from './reading.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const weather = { name: 'weather', description: 'Returns the weather.', parameters: schema, strict: true };

describe('two equivalent forms', () => {
  const same: readonly [string, object, object][] = [
    [
      'a function, nested and flat',
      { tools: [{ type: 'function', function: weather }] },
      { tools: [{ type: 'function', ...weather }] },
    ],
    [
      'the choice of a function, nested and flat',
      {
        tools: [{ type: 'function', ...weather }],
        tool_choice: { type: 'function', function: { name: 'weather' } },
      },
      { tools: [{ type: 'function', ...weather }], tool_choice: { type: 'function', name: 'weather' } },
    ],
    [
      'the schema of the answer, nested and flat',
      { text: { format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } } } },
      { text: { format: { type: 'json_schema', name: 'a', schema, strict: true } } },
    ],
    [
      'the summary by its old and new name',
      { reasoning: { generate_summary: 'concise' } },
      { reasoning: { summary: 'concise' } },
    ],
    [
      'the standard mode of reasoning and none',
      { reasoning: { effort: 'low', mode: 'standard' } },
      { reasoning: { effort: 'low' } },
    ],
    [
      'null and absent fields',
      {
        temperature: null,
        top_p: null,
        max_output_tokens: null,
        stop: null,
        stream: null,
        store: null,
        metadata: null,
        reasoning: null,
        include: null,
        truncation: null,
        parallel_tool_calls: null,
        previous_response_id: null,
        instructions: null,
        background: null,
        conversation: null,
        prompt: null,
        native_fields: null,
        prompt_cache_retention: null,
        service_tier: null,
      },
      {},
    ],
    [
      'empty and absent fields',
      { background: false, stream: false, truncation: 'disabled', client_metadata: { a: 'b' } },
      {},
    ],
    [
      'a string and a user message',
      { input: 'Hi.' },
      { input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] }] },
    ],
    [
      'a message with and without its type',
      { input: [{ type: 'message', role: 'developer', content: 'Be brief.' }] },
      { input: [{ role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] }] },
    ],
    [
      'an answer as a text and as a part',
      { input: [{ role: 'assistant', content: 'Hello.' }] },
      { input: [{ role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] }] },
    ],
    [
      'a PDF as a data URL and as plain base64',
      {
        input: [
          { role: 'user', content: [{ type: 'input_file', file_data: 'JVBERi0=', filename: 'a.pdf' }] },
        ],
      },
      {
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' },
            ],
          },
        ],
      },
    ],
    ['a reference with and without its type', { input: [{ type: null, id: 'x' }] }, { input: [{ id: 'x' }] }],
  ];

  test.each(same)('%s', (_, one, other) => {
    const { deprecations: __, ...right } = readPlain(other);
    expect(one).not.toEqual(other);
    expect(readPlain(one)).toMatchObject(right);
  });
});

describe('a request', () => {
  test('has its parameters under the names that all operations use', () => {
    const { request } = readPlain({
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 100,
      stop: ['a', 'b'],
      reasoning: { effort: 'high', summary: 'auto' },
      text: { verbosity: 'low', format: { type: 'json_object' } },
      tools: [{ type: 'function', name: 'f' }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      max_tool_calls: 3,
      service_tier: 'flex',
      user: 'u',
      prompt_cache_key: 'k',
      safety_identifier: 's',
      top_logprobs: 2,
      native_fields: { thinking_config: { include_thoughts: true } },
      stream: true,
    });
    expect(request).toEqual({
      tools: [{ name: 'f' }],
      parameters: {
        temperature: 0.5,
        top_p: 0.9,
        max_completion_tokens: 100,
        stop: ['a', 'b'],
        reasoning_effort: 'high',
        reasoning_summary: 'auto',
        verbosity: 'low',
        response_format: { type: 'json_object' },
        tool_choice: 'required',
        parallel_tool_calls: false,
        max_tool_calls: 3,
        service_tier: 'flex',
        user: 'u',
        prompt_cache_key: 'k',
        safety_identifier: 's',
        logprobs: true,
        top_logprobs: 2,
      },
      nativeFields: { thinking_config: { include_thoughts: true } },
      stream: true,
    });
  });

  test('does not send gateway fields to the model', () => {
    const { request, store, echo } = readPlain({ store: false, metadata: { a: 'b' }, truncation: 'auto' });
    expect(request).toEqual({ tools: [], parameters: {}, stream: false });
    expect(store).toBe(false);
    expect(echo.metadata).toEqual({ a: 'b' });
  });

  test('gets a deprecation for an old name', () => {
    expect(readPlain({ reasoning: { generate_summary: 'auto' } }).deprecations).toMatchObject([
      { param: 'reasoning.generate_summary' },
    ]);
    expect(readPlain({}).deprecations).toEqual([]);
  });

  test('names what the answer includes besides', () => {
    const include = [
      'reasoning.encrypted_content',
      'web_search_call.action.sources',
      'file_search_call.results',
    ];
    expect(readPlain({ include })).toMatchObject({ include });
    expect(readPlain({})).toMatchObject({ include: [] });
    expect(readPlain({ include: ['message.output_text.logprobs'] }).request.parameters).toEqual({
      logprobs: true,
    });
  });

  test('ignores the obfuscation of a stream', () => {
    expect(readPlain({ stream: true, stream_options: { include_obfuscation: false } }).request.stream).toBe(
      true,
    );
  });
});

describe('a web search', () => {
  const types = [
    'web_search',
    'web_search_preview',
    'web_search_2025_08_26',
    'web_search_preview_2025_03_11',
  ];
  const f = { type: 'function', name: 'f' };

  test.each(types)('%s is offered and may be forced', (type) => {
    const { request, echo } = readPlain({
      tools: [
        f,
        {
          type,
          search_context_size: 'low',
          user_location: { type: 'approximate', country: 'DE', city: null },
          filters: { allowed_domains: ['example.org'] },
        },
      ],
      tool_choice: { type },
    });
    expect(request).toMatchObject({
      tools: [{ name: 'f' }],
      webSearch: {
        position: 1,
        type,
        contextSize: 'low',
        userLocation: { country: 'DE' },
        allowedDomains: ['example.org'],
      },
      parameters: { tool_choice: 'web_search' },
    });
    expect(echo.tool_choice).toEqual({ type });
  });

  test('without options has no options', () => {
    const tool = { type: 'web_search', user_location: null, filters: null, external_web_access: true };
    expect(readPlain({ tools: [tool] }).request.webSearch).toEqual({ position: 0, type: 'web_search' });
  });

  test('is removed if only other tools are allowed', () => {
    const tools = [{ type: 'web_search' }, f, { type: 'function', function: { name: 'g' } }];
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'g' }] };
    const { request, echo } = readPlain({ tools, tool_choice: allowed });
    expect(request).toEqual({
      tools: [{ name: 'g' }],
      parameters: { tool_choice: 'required' },
      stream: false,
    });
    expect(echo.tools).toHaveLength(3);
    expect(echo.tool_choice).toEqual(allowed);
  });
});

describe('a message', () => {
  test('has text, images and files in their order', () => {
    const content = [
      { type: 'input_text', text: 'Look.' },
      { type: 'input_image', image_url: 'https://example.org/a.png', detail: 'high' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: null },
      { type: 'input_file', file_url: 'https://example.org/a.pdf' },
    ];
    const parts = [
      { type: 'text', text: 'Look.' },
      { type: 'image', url: 'https://example.org/a.png', detail: 'high' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
      { type: 'file', url: 'https://example.org/a.pdf', mediaType: 'application/pdf' },
    ];
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
    const messages = messagesOf([
      { role: 'user', content },
      call,
      { type: 'function_call_output', call_id: 'c', output: content, status: null },
    ]);
    expect(messages[0]).toEqual({ role: 'user', content: parts });
    expect(messages[2]).toEqual({ role: 'tool', toolCallId: 'c', content: parts });
  });
});

test('programs that call tools are left out on record, and tools stay', () => {
  const { request, leftOut } = readPlain({
    tools: [
      { type: 'function', name: 'f', allowed_callers: ['direct', 'programmatic'] },
      {
        type: 'namespace',
        name: 'n',
        tools: [{ type: 'custom', name: 'c', allowed_callers: ['programmatic'] }],
      },
      { type: 'programmatic_tool_calling' },
    ],
  });
  expect(request.tools).toMatchObject([
    { name: 'f', extras: { allowed_callers: ['direct'] } },
    { name: 'c' },
  ]);
  expect(request.tools[1]).not.toHaveProperty('extras');
  expect(request).not.toHaveProperty('hostedTools');
  expect(leftOut.map(({ param }) => param)).toEqual([
    'tools.0.allowed_callers',
    'tools.1.tools.0.allowed_callers',
    'tools.2',
  ]);
});
