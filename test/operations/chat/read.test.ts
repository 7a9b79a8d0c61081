/** What a chat request is read into: messages, tools, reasoning and parameters; and rules that span several fields. */
import { describe, expect, test } from 'vitest';
import { pathOf, source } from '../../../lib/core/generation/original/source.ts';
import { readChat } from '../../../lib/operations/chat/read/read.ts';
import { chatSchema } from '../../../lib/operations/chat/read/schema.ts';

const hi = { role: 'user', content: 'Hi' };

const read = (body: object) => {
  const whole = { model: 'a/b', messages: [hi], ...body };
  const { success, data, error } = chatSchema.safeParse(whole);
  if (!success) throw error;
  // Without the sources in the body, which symbols name.
  return structuredClone(readChat(data, whole));
};

const messageOf = (message: object) => read({ messages: [hi, message] }).request.messages[1];

test('a short request has the defaults', () => {
  expect(read({})).toEqual({
    model: 'a/b',
    dryRun: false,
    resumable: false,
    fallbacks: [],
    normalize: true,
    repair: false,
    debug: [],
    hidesReasoning: false,
    truncate: false,
    includeUsage: false,
    includeCost: false,
    deprecations: [],
    leftOut: [],
    request: {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      tools: [],
      parameters: {},
      parameterPaths: { reasoning_summary: 'reasoning.summary' },
      stream: false,
    },
  });
});

test.each([
  [
    { stream: true, stream_options: { include_usage: true } },
    { includeUsage: true, includeCost: false },
  ],
  [{ usage: { include: true } }, { includeUsage: true, includeCost: true }],
  [
    { extra: { debug: ['cost'], normalize: false, repair: true } },
    { includeCost: true, normalize: false, repair: true, debug: ['cost'] },
  ],
  [{ transforms: ['middle-out'] }, { truncate: true }],
  [{ plugins: [{ id: 'context-compression' }] }, { truncate: true }],
  [{ plugins: [{ id: 'context-compression', enabled: false }] }, { truncate: false }],
  [
    { max_tokens: 5 },
    { deprecations: [{ param: 'max_tokens', message: 'Use max_completion_tokens instead.' }] },
  ],
  [{ reasoning: { exclude: true } }, { hidesReasoning: true }],
  [{ thinking: { type: 'enabled', display: 'omitted' } }, { hidesReasoning: true }],
  [{ thinking: { type: 'enabled', display: 'summarized' } }, { hidesReasoning: false }],
])('%j', (body, expected) => {
  expect(read(body)).toMatchObject(expected);
});

test('parameters keep their names', () => {
  const plain = {
    temperature: 0.5,
    top_p: 0.6,
    top_k: 7,
    min_p: 0.1,
    repetition_penalty: 1.1,
    max_tokens: 8,
    max_completion_tokens: 9,
    frequency_penalty: 1,
    presence_penalty: -1,
    seed: 3,
    logprobs: true,
    top_logprobs: 2,
    logit_bias: { 5: -100 },
    n: 2,
    parallel_tool_calls: false,
    user: 'ann',
    service_tier: 'flex',
    store: false,
    metadata: { a: 'b' },
    verbosity: 'low',
    prediction: { type: 'content', content: 'x' },
    prompt_cache_key: 'key',
    safety_identifier: 'hash',
  };
  expect(read({ ...plain, stop: 'end' }).request.parameters).toEqual({ ...plain, stop: ['end'] });
  expect(read({ stop: ['a', 'b'] }).request.parameters).toEqual({ stop: ['a', 'b'] });
  expect(read({ native_fields: { own: 1 } }).request).toMatchObject({ nativeFields: { own: 1 } });
});

test('a format of the answer keeps its shape', () => {
  const format = (given: object) => read({ response_format: given }).request.parameters.response_format;
  expect(format({ type: 'json_object' })).toEqual({ type: 'json_object' });
  const schema = { name: 'one', description: null, schema: { type: 'object' }, strict: true };
  expect(format({ type: 'json_schema', json_schema: schema })).toEqual({
    type: 'json_schema',
    json_schema: { name: 'one', schema: { type: 'object' }, strict: true },
  });
});

test.each([
  ['n', { stream: true, n: 2 }],
  ['stream_options', { stream_options: { include_usage: true } }],
  ['top_logprobs', { top_logprobs: 1 }],
  ['top_logprobs', { top_logprobs: 0, logprobs: false }],
  ['tool_choice', { tool_choice: 'required' }],
  ['reasoning.effort', { reasoning_effort: 'low', reasoning: { effort: 'high' } }],
  ['reasoning.enabled', { reasoning_effort: 'low', reasoning: { enabled: false } }],
  ['thinking.type', { reasoning: { effort: 'low' }, thinking: { type: 'disabled' } }],
  [
    'thinking.budget_tokens',
    { reasoning: { max_tokens: 5 }, thinking: { type: 'enabled', budget_tokens: 6 } },
  ],
  ['models', { models: ['a/c'], extra: { fallbacks: ['a/d'] } }],
  ['web_search_options', { web_search_options: {}, plugins: [{ id: 'web' }] }],
])('%s is refused of %j', (param, body) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ kind: 'invalid_request', param }));
});

test.each([
  { stream: true, n: 1 },
  { stream: false, n: 2 },
  { stream: true, stream_options: {} },
  { logprobs: true, top_logprobs: 0 },
  { web_search_options: {}, plugins: [{ id: 'web', enabled: false }] },
  { tool_choice: 'auto' },
])('%j is read', (body) => {
  expect(() => read(body)).not.toThrow();
});

describe('reasoning', () => {
  test.each([
    [{ reasoning_effort: 'low' }, { reasoning_effort: 'low' }, { reasoning_effort: 'reasoning_effort' }],
    [
      { reasoning: { effort: 'high' } },
      { reasoning_effort: 'high' },
      { reasoning_effort: 'reasoning.effort' },
    ],
    [
      { reasoning: { enabled: false } },
      { reasoning_effort: 'none' },
      { reasoning_effort: 'reasoning.enabled' },
    ],
    [
      { reasoning: { enabled: true } },
      { reasoning_effort: 'medium' },
      { reasoning_effort: 'reasoning.enabled' },
    ],
    [{ reasoning: {} }, {}, {}],
    [{ thinking: { type: 'disabled' } }, { reasoning_effort: 'none' }, { reasoning_effort: 'thinking.type' }],
    [
      { thinking: { type: 'adaptive' } },
      { reasoning_effort: 'medium' },
      { reasoning_effort: 'thinking.type' },
    ],
    [
      { thinking: { type: 'enabled', budget_tokens: 99 } },
      { reasoning_max_tokens: 99 },
      { reasoning_max_tokens: 'thinking.budget_tokens' },
    ],
    [
      { reasoning: { max_tokens: 99, enabled: true } },
      { reasoning_max_tokens: 99 },
      { reasoning_max_tokens: 'reasoning.max_tokens' },
    ],
    [
      { reasoning_effort: 'low', reasoning: { effort: 'low', max_tokens: 9, summary: 'auto' } },
      { reasoning_effort: 'low', reasoning_max_tokens: 9, reasoning_summary: 'auto' },
      { reasoning_effort: 'reasoning_effort', reasoning_max_tokens: 'reasoning.max_tokens' },
    ],
  ])('of %j', (body, parameters, paths) => {
    const { request } = read(body);
    expect(request.parameters).toEqual(parameters);
    expect(request.parameterPaths).toEqual({ ...paths, reasoning_summary: 'reasoning.summary' });
  });
});

describe('a message', () => {
  const marker = { type: 'ephemeral', ttl: '300s' };

  test.each([
    [
      { role: 'developer', content: 'Be.' },
      { role: 'system', content: [{ type: 'text', text: 'Be.' }] },
    ],
    [
      { role: 'system', content: [{ type: 'text', text: 'Be.', cache_control: { type: 'ephemeral' } }] },
      { role: 'system', content: [{ type: 'text', text: 'Be.', cacheControl: { type: 'ephemeral' } }] },
    ],
    [
      { role: 'user', content: 'Hi', name: 'ann', cache_control: marker },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }], name: 'ann', cacheControl: marker },
    ],
    [
      { role: 'tool', tool_call_id: 'call', content: 'Done' },
      { role: 'tool', toolCallId: 'call', content: [{ type: 'text', text: 'Done' }] },
    ],
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'https://a.example/i.png' }, cache_control: marker },
          { type: 'image_url', image_url: { url: 'https://a.example/i.png', detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
          { type: 'video_url', video_url: { url: 'https://a.example/v.mp4' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', url: 'https://a.example/i.png', cacheControl: marker },
          { type: 'image', url: 'https://a.example/i.png', detail: 'low' },
          { type: 'audio', url: 'data:audio/mp3;base64,AAAA' },
          { type: 'video', url: 'https://a.example/v.mp4' },
          {
            type: 'file',
            filename: 'a.pdf',
            mediaType: 'application/pdf',
            url: 'data:application/pdf;base64,AAAA',
          },
        ],
      },
    ],
  ])('%j', (given, expected) => {
    expect(messageOf(given)).toEqual(expected);
  });
});

describe('an answer that was sent back', () => {
  const empty = { role: 'assistant', content: [], toolCalls: [], reasoningDetails: [] };
  const signature = (data: string, index: number, id?: string) => ({
    type: 'reasoning.encrypted',
    data,
    format: 'google-gemini-v1',
    index,
    ...(id !== undefined && { id }),
  });
  const call = (id: string, more: object = {}) => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: '{}' },
    ...more,
  });
  const signed = (thought: string) => ({ extra_content: { google: { thought_signature: thought } } });

  test.each([
    [{}, {}],
    [{ content: null, refusal: null, tool_calls: null, reasoning: null }, {}],
    [{ content: 'Yes.' }, { content: [{ type: 'text', text: 'Yes.' }] }],
    [{ content: '' }, { content: [{ type: 'text', text: '' }] }],
    [
      {
        content: [
          { type: 'text', text: 'Yes.' },
          { type: 'refusal', refusal: 'No.' },
        ],
        refusal: 'Never. ',
      },
      { content: [{ type: 'text', text: 'Yes.' }], refusal: 'Never. No.' },
    ],
    [{ refusal: 'No.' }, { refusal: 'No.' }],
    [{ reasoning_content: 'Hm.', reasoning: 'Other.' }, { reasoning: 'Hm.' }],
    [{ reasoning: 'Hm.' }, { reasoning: 'Hm.' }],
    [{ reasoning_content: '' }, {}],
    [
      { tool_calls: [call('one', { cache_control: { type: 'ephemeral', ttl: null } })] },
      { toolCalls: [{ id: 'one', name: 'look', arguments: '{}', cacheControl: { type: 'ephemeral' } }] },
    ],
    [
      { tool_calls: [{ id: 'one', type: 'custom', custom: { name: 'draw', input: 'a line' } }] },
      { toolCalls: [{ id: 'one', kind: 'custom', name: 'draw', arguments: 'a line' }] },
    ],
    [
      {
        reasoning: 'Hm.',
        reasoning_details: [
          { type: 'reasoning.text', text: 'Hm.', signature: 's', format: 'f', index: 5, id: 'i' },
          { type: 'reasoning.text', text: 'Hm.', signature: null, id: null },
          { type: 'reasoning.summary', summary: 'So.' },
          { type: 'reasoning.encrypted', data: 'd' },
        ],
      },
      {
        reasoningDetails: [
          { type: 'reasoning.text', text: 'Hm.', signature: 's', format: 'f', index: 5, id: 'i' },
          { type: 'reasoning.text', text: 'Hm.', format: 'unknown', index: 1 },
          { type: 'reasoning.summary', summary: 'So.', format: 'unknown', index: 2 },
          { type: 'reasoning.encrypted', data: 'd', format: 'unknown', index: 3 },
        ],
      },
    ],
    [
      { provider_specific_fields: { reasoning_details: [{ type: 'reasoning.summary', summary: 'So.' }] } },
      { reasoningDetails: [{ type: 'reasoning.summary', summary: 'So.', format: 'unknown', index: 0 }] },
    ],
    [{ ...signed('own') }, { reasoningDetails: [signature('own', 0)] }],
    [{ provider_specific_fields: { thought_signature: 'own' } }, { reasoningDetails: [signature('own', 0)] }],
  ])('%j', (given, expected) => {
    expect(messageOf({ role: 'assistant', ...given })).toEqual({ ...empty, ...expected });
  });

  const detailsOf = (given: object) => {
    const message = messageOf({ role: 'assistant', ...given });
    return message?.role === 'assistant' ? message.reasoningDetails : undefined;
  };

  test('signatures of calls are details, once each', () => {
    const calls = [
      call('one', signed('first')),
      call('two'),
      call('three', { provider_specific_fields: { thought_signature: 'third' } }),
    ];
    expect(detailsOf({ tool_calls: calls })).toEqual([
      signature('first', 0, 'one'),
      signature('third', 1, 'three'),
    ]);
    const known = [signature('first', 0, 'one')];
    expect(detailsOf({ tool_calls: calls, reasoning_details: known })).toEqual([
      ...known,
      signature('third', 1, 'three'),
    ]);
    // The signature of another family says nothing of this call.
    const other = [{ ...signature('first', 0, 'one'), format: 'unknown' }];
    expect(detailsOf({ tool_calls: [call('one', signed('first'))], reasoning_details: other })).toEqual([
      ...other,
      signature('first', 1, 'one'),
    ]);
  });

  test('the signature of the message is its own, unless a call or a detail has it', () => {
    const calls = [call('one', signed('first'))];
    expect(detailsOf({ tool_calls: calls, ...signed('first') })).toEqual([signature('first', 0, 'one')]);
    expect(detailsOf({ tool_calls: calls, ...signed('own') })).toEqual([
      signature('first', 0, 'one'),
      signature('own', 1),
    ]);
    const details = [signature('own', 0)];
    expect(detailsOf({ reasoning_details: details, ...signed('own') })).toEqual(details);
  });
});

describe('tools', () => {
  const look = { type: 'function', function: { name: 'look' } };
  const draw = { type: 'custom', custom: { name: 'draw' } };

  test('keep what they have', () => {
    const { tools } = read({
      tools: [
        {
          type: 'function',
          function: { name: 'look', description: 'Looks.', parameters: { type: 'object' }, strict: false },
          cache_control: { type: 'ephemeral' },
        },
        {
          type: 'custom',
          custom: {
            name: 'draw',
            description: 'Draws.',
            format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } },
          },
        },
        { type: 'custom', custom: { name: 'write', format: { type: 'text' } } },
        { type: 'custom', custom: { name: 'plain' } },
      ],
    }).request;
    expect(tools).toEqual([
      {
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object' },
        strict: false,
        cacheControl: { type: 'ephemeral' },
      },
      {
        kind: 'custom',
        name: 'draw',
        description: 'Draws.',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
      },
      { kind: 'custom', name: 'write', format: { type: 'text' } },
      { kind: 'custom', name: 'plain' },
    ]);
  });

  test.each([
    ['required', 'required', ['look', 'draw']],
    ['none', 'none', ['look', 'draw']],
    [look, { name: 'look' }, ['look', 'draw']],
    [draw, { kind: 'custom', name: 'draw' }, ['look', 'draw']],
    [{ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [draw] } }, 'required', ['draw']],
  ])('the choice %j', (choice, expected, names) => {
    const { tools, parameters } = read({ tools: [look, draw], tool_choice: choice }).request;
    expect(parameters.tool_choice).toEqual(expected);
    expect(tools.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['tools.1.custom.name', { tools: [look, { type: 'custom', custom: { name: 'look' } }] }],
    [
      'tool_choice.function.name',
      { tools: [draw], tool_choice: { type: 'function', function: { name: 'draw' } } },
    ],
    ['tool_choice.custom.name', { tools: [look], tool_choice: draw }],
    [
      'tool_choice.allowed_tools.tools.1.custom.name',
      {
        tools: [look],
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [look, draw] } },
      },
    ],
  ])('%s is refused', (param, body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ param }));
  });

  test('a search stands behind them', () => {
    const approximate = { city: 'Bern', country: 'CH', region: null };
    const options = { search_context_size: 'low', user_location: { type: 'approximate', approximate } };
    expect(read({ tools: [look], web_search_options: options }).request.webSearch).toEqual({
      position: 1,
      type: 'web_search',
      contextSize: 'low',
      userLocation: { city: 'Bern', country: 'CH' },
    });
    expect(read({ web_search_options: { user_location: null } }).request.webSearch).toEqual({
      position: 0,
      type: 'web_search',
    });
    expect(read({ plugins: [{ id: 'web', include_domains: ['a.example'] }] }).request.webSearch).toEqual({
      position: 0,
      type: 'web_search',
      allowedDomains: ['a.example'],
    });
    expect(read({ plugins: [{ id: 'web', enabled: false }] }).request).not.toHaveProperty('webSearch');
  });
});

test('messages, parts, calls and tools name the fields of the body that they were read from', () => {
  const marker = { type: 'ephemeral' };
  const call = {
    id: 'one',
    type: 'function',
    function: { name: 'look', arguments: '{}' },
    cache_control: marker,
  };
  const drawing = { id: 'two', type: 'custom', custom: { name: 'draw', input: 'a' }, cache_control: marker };
  const file = { file_data: 'AAAA', filename: 'a.txt' };
  const format = { type: 'text' };
  const body = {
    model: 'a/b',
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be.', cache_control: marker }], name: 'op' },
      {
        role: 'user',
        content: [
          {
            type: 'image_url',
            image_url: { url: 'https://a.example/i', detail: 'low' },
            cache_control: marker,
          },
          { type: 'file', file },
          { type: 'file', file: { file_url: 'https://a.example/f.txt', filename: 'f.txt' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
          { type: 'video_url', video_url: { url: 'https://a.example/v' } },
        ],
        cache_control: marker,
      },
      {
        role: 'assistant',
        refusal: 'No.',
        reasoning: 'Hm.',
        tool_calls: [call, drawing],
        content: [{ type: 'text', text: 'a' }],
      },
      { role: 'assistant', reasoning_content: 'Hm.', content: [{ type: 'text', text: 'a' }] },
      {
        role: 'assistant',
        reasoning_details: [{ type: 'reasoning.summary', summary: 'So.' }],
        content: [{ type: 'text', text: 'a' }],
      },
      { role: 'tool', tool_call_id: 'one', content: [{ type: 'text', text: 'Done.' }] },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'look', description: 'Looks.', parameters: {}, strict: true },
        cache_control: marker,
      },
      { type: 'custom', custom: { name: 'draw', description: 'Draws.', format }, cache_control: marker },
    ],
  };
  const { messages, tools } = readChat(chatSchema.parse(body)).request;
  const found = [...messages, ...messages.flatMap(({ content }) => content), ...tools].flatMap((item) => [
    item,
    ...('toolCalls' in item ? item.toolCalls : []),
  ]);
  // What the gateway concludes stands in no field.
  const concluded = new Set(['mediaType']);
  const paths = found.flatMap((item) =>
    Object.entries(item)
      .filter(([name, value]) => !concluded.has(name) && !(Array.isArray(value) && value.length === 0))
      .map(([name]) => [name, item[source]?.path, pathOf(item, name as never)] as const),
  );
  expect(paths).toHaveLength(64);
  for (const [name, whole, path] of paths) {
    expect([name, path]).not.toEqual([name, whole]);
    const value = path
      .split('.')
      .reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>>)[key], body);
    expect([path, value]).not.toEqual([path, undefined]);
  }
});
