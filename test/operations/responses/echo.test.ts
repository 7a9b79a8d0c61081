/** The fields of the request that a response repeats, always in OpenAI's format. */
import { describe, expect, test } from 'vitest';
import { hasOpenAiSchema, openAiSchema } from '../../harness/openai-schema.ts';
import { echo, writtenResponse } from '../../harness/responses/written-response.ts';
import { read } from './reading.ts';

const schema = { type: 'object', properties: {} };

const bodies: readonly [string, object][] = [
  ['says nothing', {}],
  [
    'uses most fields',
    {
      instructions: 'Be brief.',
      temperature: 0.2,
      top_p: 0.3,
      max_output_tokens: 9,
      max_tool_calls: 2,
      top_logprobs: 3,
      parallel_tool_calls: false,
      store: false,
      truncation: 'auto',
      user: 'u',
      prompt_cache_key: 'k',
      safety_identifier: 's',
      previous_response_id: 'resp_1',
      metadata: { a: 'b' },
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'high', format: { type: 'json_object' } },
    },
  ],
  [
    'has nested forms',
    {
      tools: [{ type: 'function', function: { name: 'f', parameters: schema, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      text: { format: { type: 'json_schema', json_schema: { name: 'a', schema, description: 'It.' } } },
    },
  ],
  ['has a tool with nothing but its name', { tools: [{ type: 'function', name: 'f', description: null }] }],
  [
    'searches the web',
    {
      tools: [
        { type: 'web_search_preview', user_location: { type: 'approximate', country: 'DE' } },
        { type: 'function', name: 'f' },
      ],
      tool_choice: { type: 'web_search_preview' },
    },
  ],
  [
    'searches parts of the web',
    {
      tools: [{ type: 'web_search', filters: { allowed_domains: ['example.org'] } }],
      tool_choice: 'required',
    },
  ],
  [
    'allows some tools',
    {
      tools: [{ type: 'function', name: 'f' }],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    },
  ],
];

describe.skipIf(!hasOpenAiSchema)('by OpenAI’s schema', () => {
  test.each(bodies)('the response to a request that %s is valid', async (_, body) => {
    const { echo } = read(body);
    const written = await writtenResponse(() => [{ type: 'finish', choice: 0, reason: 'stop' }], { echo });
    expect(written.body).toMatchObject({ temperature: echo.temperature, tools: echo.tools });
    expect(openAiSchema('Response')(written.body)).toEqual([]);
  });
});

test('nested forms are repeated in the flat form', () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }];
  const { echo } = read({
    tools,
    tool_choice: { type: 'function', function: { name: 'f' } },
    text: { format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
  });
  expect(echo.tools).toEqual([
    { type: 'function', name: 'f', description: null, parameters: schema, strict: null },
  ]);
  expect(echo.tool_choice).toEqual({ type: 'function', name: 'f' });
  expect(echo.text.format).toEqual({ type: 'json_schema', name: 'a', schema, strict: false });
});

test('tools are repeated with all that they have, but null and what opens a server of the caller', () => {
  const server = {
    type: 'mcp',
    server_label: 'a',
    server_url: 'https://a.example',
    require_approval: 'never',
  };
  const { echo } = read({
    tools: [
      { type: 'custom', name: 'draw', description: null, format: { type: 'text' } },
      { ...server, authorization: 'secret', headers: { 'x-key': 'secret' }, allowed_tools: null },
      { type: 'web_search', user_location: { type: 'approximate', city: 'Bern' }, filters: null },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'custom', name: 'draw' }] },
  });
  const location = { type: 'approximate', city: 'Bern', country: null, region: null, timezone: null };
  expect(echo.tools).toEqual([
    { type: 'custom', name: 'draw', format: { type: 'text' } },
    server,
    { type: 'web_search', search_context_size: 'medium', user_location: location },
  ]);
  const filters = { allowed_domains: ['a.example'] };
  const search = { type: 'web_search', search_context_size: 'low', filters };
  expect(read({ tools: [search] }).echo.tools).toEqual([{ ...search, user_location: null }]);
  expect(echo.tool_choice).toEqual({
    type: 'allowed_tools',
    mode: 'required',
    tools: [{ type: 'custom', name: 'draw' }],
  });
});

test('what is not given has the value that holds without it', () => {
  expect(read({}).echo).toMatchObject(echo);
  expect(read({ reasoning: { generate_summary: 'concise' } }).echo.reasoning.summary).toBe('concise');
});
