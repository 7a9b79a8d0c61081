/** What a Messages body may not have because the gateway could not check it: other spellings of names, and what is stored elsewhere. */
import { describe, expect, test } from 'vitest';
import { parseSchema } from '../../lib/core/formats/parse-schema.ts';
import { countSchema, readCount } from '../../lib/operations/messages/count/endpoint.ts';
import { readMessages } from '../../lib/operations/messages/read/read.ts';
import { messagesSchema } from '../../lib/operations/messages/read/schema.ts';

const input_schema = { type: 'object', properties: {} };

/** With every kind of object of which the gateway reads names. */
const body = {
  model: 'anthropic/claude-opus-4-6',
  max_tokens: 16,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '5m' } }],
  thinking: { type: 'disabled' },
  output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
  tools: [
    { name: 'look', input_schema },
    {
      type: 'web_search_20250305',
      name: 'web_search',
      max_uses: 1,
      user_location: { type: 'approximate', city: 'Bern' },
    },
    { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-6' },
  ],
  tool_choice: { type: 'auto' },
  metadata: { user_id: 'user_1' },
  container: { skills: [{ type: 'anthropic', skill_id: 'pdf' }] },
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  fallbacks: [{ model: 'claude-sonnet-5' }],
  diagnostics: { previous_message_id: null },
  messages: [
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'A page.' }] } },
        { type: 'tool_addition', tool: { type: 'tool_definition', definition: { name: 'b', input_schema } } },
        { type: 'from_next_year', content: [{ type: 'text', text: 'Old.' }], tool_changes: [{ tool: {} }] },
      ],
    },
  ],
};

type Name = string | number;

/** The body with a further field in the object at a path. */
function withField(value: unknown, [first, ...rest]: readonly Name[], field: object): unknown {
  if (first === undefined) return { ...(value as object), ...field };
  const subject = value as Record<Name, unknown>;
  const changed = withField(subject[first], rest, field);
  return Array.isArray(value)
    ? value.map((item, index) => (index === first ? changed : item))
    : { ...subject, [first]: changed };
}

const pathOf = (dotted: string): readonly Name[] =>
  dotted.split('.').map((name) => (/^\d+$/.test(name) ? Number(name) : name));

const readings = {
  message: (given: unknown) => readMessages(parsed(messagesSchema, given), given),
  count: (given: unknown) => readCount(parsed(countSchema, given), given),
};

function parsed<Schema extends typeof messagesSchema | typeof countSchema>(schema: Schema, given: unknown) {
  const result = parseSchema(schema, given);
  if (!result.success) throw result.error;
  return result.data as never;
}

const refusal = (param: string) =>
  expect.objectContaining({ kind: 'invalid_request', param, message: expect.stringContaining(param) });

describe.each(Object.entries(readings))('of a %s', (_, read) => {
  test('the body itself is taken', () => {
    expect(() => read(body)).not.toThrow();
  });

  test.each([
    'Model',
    'MAX_TOKENS',
    'maxTokens',
    'max-tokens',
    'max_to\u212Aens',
    '\u017Ftream',
    'ｍodel',
    'mo\u200Bdel',
    'Extra',
    'Provider',
    'Tools',
    'serviceTier',
    'SPEED',
    'Fallbacks',
    'Diagnostics',
    'system.0.Text',
    'system.0.cacheControl',
    'system.0.cache_control.TTL',
    'thinking.budgetTokens',
    'output_config.Effort',
    'output_config.format.Schema',
    'tools.0.InputSchema',
    'tools.0.cacheControl',
    'tools.1.maxUses',
    'tools.1.user_location.City',
    'tools.2.Model',
    'tool_choice.disableParallelToolUse',
    'metadata.userId',
    'container.ID',
    'container.skills.0.Type',
    'context_management.edits.0.Type',
    'fallbacks.0.MODEL',
    'diagnostics.previousMessageId',
    'messages.0.Content',
    'messages.0.content.0.Source',
    'messages.0.content.0.source.fileId',
    'messages.0.content.1.source.content.0.Text',
    'messages.0.content.1.source.content.0.cacheControl',
    'messages.0.content.2.tool.Definition',
    'messages.0.content.2.tool.definition.inputSchema',
    'messages.0.content.2.tool.definition.Model',
    'messages.0.content.3.FILE_ID',
    'messages.0.content.3.content.0.Type',
    'messages.0.content.3.tool_changes.0.Tool',
  ])('%s is refused', (param) => {
    const path = pathOf(param);
    const given = withField(body, path.slice(0, -1), { [path.at(-1) as Name]: 'x' });
    expect(() => read(given)).toThrow(refusal(param));
  });
});

const arbitrary = {
  Model: 1,
  TYPE: 2,
  cacheControl: 3,
  source: { Type: 4 },
  type: { Content: [{ Text: 5 }] },
};
const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: arbitrary };

test.each<[string, object]>([
  ['the schema of a tool', { tools: [{ name: 'look', input_schema: arbitrary }] }],
  ['examples of its input', { tools: [{ name: 'look', input_schema, input_examples: [arbitrary] }] }],
  ['the input of a call', { messages: [...body.messages, { role: 'assistant', content: [call] }] }],
  ['the schema of an answer', { output_config: { format: { type: 'json_schema', schema: arbitrary } } }],
  ['a server of tools', { mcp_servers: [{ type: 'url', url: 'https://example.com', Headers: arbitrary }] }],
  ['a field that is not read', { from_next_year: arbitrary }],
])('what is arbitrary in %s stays as it is', (_, fields) => {
  const given = { ...body, ...fields };
  const { request } = readings.message(given);
  expect(request.original?.body).toEqual(given);
});

test('an earlier message of the account is not named to Anthropic, and that is on record', () => {
  const given = { ...body, diagnostics: { previous_message_id: 'msg_1' } };
  const { request, leftOutOfOriginal } = readings.message(given);
  expect(request.original?.body).toEqual(body);
  expect(leftOutOfOriginal).toMatchObject([{ param: 'diagnostics.previous_message_id', after: null }]);
});

test.each([
  ['tools.0.model', [{ type: 'advisor_20260301', name: 'advisor' }]],
  ['tools.0.model', [{ type: 'advisor_20260301', name: 'advisor', model: ['claude-opus-4-6'] }]],
  [
    'tools.1.model',
    [body.tools[0], { type: 'from_next_year', name: 'other', model: { id: 'claude-opus-4-6' } }],
  ],
])('%s must be the name of a model: %j', (param, tools) => {
  expect(() => readings.message({ ...body, tools })).toThrow(refusal(param));
});
