/** The tools of a Messages request: the client's own, those that Anthropic's models know, and those that Anthropic runs. */
import { describe, expect, test } from 'vitest';
import { claude, families, hello, others, useFamilies } from './watched-families.ts';

const { ask, answer } = useFamilies();

const input_schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const read = { name: 'read', description: 'Reads a file.', input_schema };

interface ChatTool {
  readonly function: { readonly name: string; readonly parameters: { readonly properties: object } };
}

const namesOf = (sent: { tools?: readonly ChatTool[] }) =>
  (sent.tools ?? []).map((tool) => tool.function.name);

describe('custom', () => {
  test('a tool with all its fields; those that only Anthropic has are on record', async () => {
    const more = {
      eager_input_streaming: true,
      input_examples: [{ path: 'a' }],
      allowed_callers: ['direct'],
    };
    const tools = [{ ...read, type: 'custom', strict: false, ...more }];
    const { sent, about } = await answer(families.chat, { tools });
    const { name, description } = read;
    expect(sent.tools).toEqual([
      { type: 'function', function: { name, description, parameters: input_schema, strict: false } },
    ]);
    for (const field of Object.keys(more)) expect(about(`tools.0.${field}`)).toHaveLength(1);
    expect((await ask(claude, { tools })).sent.tools).toEqual(tools);
  });

  test.each([
    ['tools.0.name', [{ ...read, name: 'no spaces' }]],
    ['tools.0.name', [{ input_schema }]],
    ['tools.0.input_schema', [{ name: 'read' }]],
    ['tools.1.name', [read, read]],
    ['tools', 'read'],
  ])('%s is refused: %j', async (param, tools) => {
    for (const model of [claude, families.chat]) {
      const { status, error } = await ask(model, { tools });
      expect([status, error.param]).toEqual([400, param]);
    }
  });
});

describe('a tool that is deferred', () => {
  const tools = [read, { ...read, name: 'fetch', defer_loading: true }];
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };
  const reference = { type: 'tool_reference', tool_name: 'fetch' };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: [reference] };
  const found = [...hello, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }];

  test('is offered once the conversation names it', async () => {
    const before = await answer(families.chat, { tools });
    expect(namesOf(before.sent)).toEqual(['read']);
    expect(before.about('tools.1')).toHaveLength(1);
    const after = await answer(families.chat, { tools, messages: found });
    expect(namesOf(after.sent)).toEqual(['read', 'fetch']);
    expect(JSON.stringify(after.sent.messages.at(-1))).toContain('fetch');
  });

  test("is offered from the start where Anthropic's own search of tools is", async () => {
    const search = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' };
    const { sent, about } = await answer(families.chat, { tools: [search, ...tools] });
    expect(namesOf(sent)).toEqual(['read', 'fetch']);
    expect(about('tools.0')).toHaveLength(1);
  });

  test('once a message of the system adds it by its name', async () => {
    const addition = { type: 'tool_addition', tool: { type: 'tool_reference', name: 'fetch' } };
    const messages = [...hello, { role: 'system', content: [addition] }];
    expect(namesOf((await answer(families.chat, { tools, messages })).sent)).toEqual(['read', 'fetch']);
  });

  test('and one that a message defines', async () => {
    const definition = { ...read, name: 'list' };
    const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
    const messages = [...hello, { role: 'system', content: [addition] }];
    expect(namesOf((await answer(families.chat, { tools, messages })).sent)).toEqual(['read', 'list']);
  });
});

describe("tools whose input Anthropic's models know", () => {
  test.each([
    ['bash_20250124', 'bash', 'restart'],
    ['text_editor_20250124', 'str_replace_editor', 'view_range'],
    ['text_editor_20250728', 'str_replace_based_edit_tool', 'insert_text'],
    ['memory_20250818', 'memory', 'old_path'],
  ])('%s has a schema for other models', async (type, name, field) => {
    const tools = [{ type, name }];
    const { sent } = await answer(families.chat, { tools, tool_choice: { type: 'tool', name } });
    expect(namesOf(sent)).toEqual([name]);
    expect(sent.tools[0].function.parameters.properties).toHaveProperty(field);
    expect(sent.tool_choice).toMatchObject({ function: { name } });
    for (const family of others) await answer(families[family], { tools });
    expect((await ask(claude, { tools })).sent.tools).toEqual(tools);
  });

  test.each([
    { type: 'computer_20250124', name: 'computer', display_width_px: 800, display_height_px: 600 },
    { type: 'browser_20260801' },
    { type: 'web_fetch_20250910', name: 'web_fetch' },
    { type: 'code_execution_20250825', name: 'code_execution' },
    { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5' },
    { type: 'mcp_toolset', mcp_server_name: 'a' },
    { type: 'unheard_of_20300101', name: 'unheard_of' },
  ])('$type is refused for others by name', async (tool) => {
    for (const family of others) {
      const { status, error } = await ask(families[family], { tools: [tool] });
      expect([status, error.param]).toEqual([400, 'tools.0.type']);
      expect(error.message).toContain(tool.type);
    }
    expect((await ask(claude, { tools: [tool] })).sent.tools).toEqual([tool]);
  });
});

describe('the web search', () => {
  const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 };

  test('is the own one of other models, with its limit and domains', async () => {
    const tools = [{ ...search, allowed_domains: ['example.com'] }];
    const { sent } = await answer('openai/gpt-5.5', { tools });
    expect(sent.tools).toEqual([{ type: 'web_search', filters: { allowed_domains: ['example.com'] } }]);
    expect(sent.max_tool_calls).toBe(8);
    expect((await answer(families.gemini, { tools: [search] })).sent.tools).toEqual([{ googleSearch: {} }]);
  });

  test('can be forced', async () => {
    const tool_choice = { type: 'tool', name: 'web_search' };
    const { sent } = await answer('openai/gpt-5.5', { tools: [search], tool_choice });
    expect(sent.tool_choice).toEqual({ type: 'web_search' });
  });

  test.each([
    ['tools.0.blocked_domains', 'openai/gpt-5.5', [{ ...search, blocked_domains: ['example.org'] }]],
    ['tools.0.type', families.deepseek, [search]],
  ])('%s is refused for %s', async (param, model, tools) => {
    const { status, error } = await ask(model, { tools });
    expect([status, error.param]).toEqual([400, param]);
  });

  test('is offered once', async () => {
    const { status, error } = await ask(claude, { tools: [search, { ...search, name: 'again' }] });
    expect([status, error.param]).toEqual([400, 'tools.1.type']);
  });
});

describe('tool_choice', () => {
  const tools = [read];
  test.each([
    [{ type: 'auto' }, 'auto', undefined],
    [{ type: 'any' }, 'required', undefined],
    [{ type: 'none' }, 'none', undefined],
    [{ type: 'tool', name: 'read' }, { type: 'function', function: { name: 'read' } }, undefined],
    [{ type: 'auto', disable_parallel_tool_use: true }, 'auto', false],
    [{ type: 'none', disable_parallel_tool_use: true }, 'none', undefined],
  ])('%j', async (tool_choice, expected, parallel) => {
    const { sent } = await answer(families.chat, { tools, tool_choice });
    expect([sent.tool_choice, sent.parallel_tool_calls]).toEqual([expected, parallel]);
  });

  test.each([
    ['tool_choice.name', { type: 'tool', name: 'write' }],
    ['tool_choice.name', { type: 'tool' }],
    ['tool_choice.type', { type: 'unheard_of' }],
    ['tool_choice.type', {}],
  ])('%s is refused', async (param, tool_choice) => {
    const { status, error } = await ask(families.chat, { tools, tool_choice });
    expect([status, error.param]).toEqual([400, param]);
  });
});
