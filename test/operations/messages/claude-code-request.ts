/** A request with the structure of those of Claude Code 2.1.330 in the middle of its work, with texts of our own. */

const cache_control = { type: 'ephemeral' };
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const schema = (properties: object, required: readonly string[]) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const tools = [
  {
    name: 'Bash',
    description: 'Runs a command.',
    input_schema: schema(
      {
        command: { type: 'string', maxLength: 100_000 },
        timeout: { type: 'integer', exclusiveMinimum: 0, maximum: 9_007_199_254_740_991 },
        mode: { type: 'string', enum: ['fast', 'safe'], default: 'safe' },
      },
      ['command'],
    ),
  },
  {
    name: 'Read',
    description: 'Reads a file.',
    input_schema: schema({ path: { type: 'string' }, url: { type: 'string', format: 'uri' } }, ['path']),
  },
  {
    name: 'Placeholder',
    description: 'Stands for tools that are loaded later.',
    input_schema: { type: 'object', properties: {} },
    defer_loading: true,
  },
  {
    name: 'Edit',
    description: 'Edits a file.',
    input_schema: schema(
      {
        path: { type: 'string', pattern: '^/' },
        edits: {
          type: 'array',
          maxItems: 10,
          items: { allOf: [{ type: 'object', propertyNames: { pattern: '^[a-z]+$' } }] },
        },
        replace_all: { type: 'boolean', default: false },
      },
      ['path'],
    ),
  },
  {
    name: 'Fetch',
    description: 'Fetches a page.',
    input_schema: schema({ url: { type: 'string' } }, ['url']),
    defer_loading: true,
  },
];

const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (tool_use_id: string, content: unknown, more: object = {}) => ({
  tool_use_id,
  type: 'tool_result',
  content,
  ...more,
});

const messages = [
  { role: 'user', content: [text('The time is noon.'), text('Make the garden greener.')] },
  { role: 'system', content: 'The tools may be used without asking.' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: '', signature: 'c2lnbmVk' },
      text('I look around.'),
      call('toolu_01', 'Bash', { command: 'ls' }),
      call('toolu_02', 'Read', { path: '/garden.png' }),
      call('toolu_03', 'ToolSearch', { query: 'fetch' }),
    ],
  },
  {
    role: 'user',
    content: [
      result('toolu_01', 'garden.png', { is_error: false }),
      result('toolu_02', [{ type: 'image', source: { type: 'base64', data: png, media_type: 'image/png' } }]),
      result('toolu_03', [{ type: 'tool_reference', tool_name: 'Fetch' }]),
    ],
  },
  {
    role: 'assistant',
    content: [call('toolu_04', 'Edit', { path: '/plan.md', replace_all: false })],
  },
  { role: 'user', content: [result('toolu_04', 'No such file.', { is_error: true, cache_control })] },
  {
    role: 'system',
    content: [text('The file was removed.', { cache_control })],
    output_config: { effort: 'medium' },
  },
];

export const claudeCodeHeaders = {
  'anthropic-version': '2023-06-01',
  'anthropic-beta': [
    'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
    'advanced-tool-use-2025-11-20,effort-2025-11-24,thinking-display-updates-2026-08-18',
    'per-turn-control-2026-07-01,dangerous-tool-use-2026-09-03',
  ].join(','),
  'x-claude-code-session-id': '0c6e9a1e-3b52-4f3a-9f0e-4f2f6a9f1d11',
};

export const claudeCodeRequest = {
  messages,
  system: [
    text('client-version: 2.1.330; fingerprint: a garden'),
    text('You work in a garden.', { cache_control }),
    text('Rules of the garden, at length.', { cache_control }),
  ],
  tools,
  metadata: {
    user_id: JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(36) }),
  },
  max_tokens: 32_000,
  thinking: { type: 'adaptive', display: 'updates' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  safeguards: [{ type: 'dangerous_tool_use', classifier_context: { folder: '/', depth: { of: 'it' } } }],
  output_config: { effort: 'high' },
};
