/** The parameters of a Messages request: under which names other families get them, what is on record, and what is refused. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { claude, families, others, useFamilies } from './watched-families.ts';

const { ask, answer } = useFamilies();

describe('max_tokens', () => {
  test('is required', async () => {
    const { status, error } = await ask(families.chat, { max_tokens: undefined });
    expect([status, error.param]).toEqual([400, 'max_tokens']);
  });

  test.each([-1, 1.5, '100'])('%s is no number of tokens', async (max_tokens) => {
    const { status, error } = await ask(claude, { max_tokens });
    expect([status, error.param]).toEqual([400, 'max_tokens']);
  });

  test('0 fills a cache of Claude, and is refused by name for others', async () => {
    expect((await ask(claude, { max_tokens: 0 })).sent).toMatchObject({ max_tokens: 0 });
    for (const family of others) {
      const { status, error } = await ask(families[family], { max_tokens: 0 });
      expect([status, error.param]).toEqual([400, 'max_tokens']);
    }
  });

  test("above the model's own is lowered, under the caller's name", async () => {
    const { about } = await answer(families.chat, { max_tokens: 64_000 });
    expect(about('max_tokens')).toMatchObject([{ action: 'override', before: 64_000, after: 32_768 }]);
  });
});

describe('thinking', () => {
  const effort = (output_config: object, thinking?: object) =>
    answer(families.responses, { output_config, thinking, max_tokens: 40_000 });

  test('an effort is the effort, and wins over a budget', async () => {
    const { sent } = await effort({ effort: 'low' }, { type: 'enabled', budget_tokens: 30_000 });
    expect(sent.reasoning_effort).toBe('low');
    expect((await effort({ effort: 'high' }, { type: 'adaptive' })).sent.reasoning_effort).toBe('high');
  });

  test('a budget is the nearest effort, also one below the minimum of Claude', async () => {
    const { sent, about } = await effort({}, { type: 'enabled', budget_tokens: 500 });
    expect(sent.reasoning_effort).toBe('low');
    expect(about('thinking.budget_tokens')).toHaveLength(1);
    const { sent: gemini } = await answer('google/gemini-2.5-flash', {
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    });
    expect(gemini.generationConfig.thinkingConfig.thinkingBudget).toBe(2_000);
  });

  test('adaptive leaves the model at its own effort', async () => {
    const { sent, changes } = await answer(families.chat, {
      thinking: { type: 'adaptive', display: 'updates' },
    });
    expect(sent).not.toHaveProperty('reasoning_effort');
    expect(changes.filter(({ param }) => param === 'thinking')).toEqual([]);
    expect((await effort({}, { type: 'adaptive' })).sent).not.toHaveProperty('reasoning_effort');
  });

  test('disabled is none, whatever the effort', async () => {
    const { sent } = await effort({ effort: 'high' }, { type: 'disabled' });
    expect(sent.reasoning_effort).toBe('none');
  });

  test('between tools, and an effort that is not known, are left out on record', async () => {
    const between = await answer(families.chat, { thinking: { type: 'between_tools' } });
    expect(between.about('thinking.type')).toMatchObject([{ action: 'strip', before: 'between_tools' }]);
    expect((await effort({ effort: 'colossal' })).about('output_config.effort')).toHaveLength(1);
  });

  test('a budget that leaves nothing of the answer is refused, but not where it is one of all rounds', async () => {
    const thinking = { type: 'enabled', budget_tokens: 4_000 };
    const { status, error } = await ask(families.responses, { thinking, max_tokens: 4_000 });
    expect([status, error.param]).toEqual([400, 'thinking.budget_tokens']);
    const betas = { 'anthropic-beta': 'interleaved-thinking-2025-05-14' };
    await answer(families.responses, { thinking, max_tokens: 4_000 }, betas);
  });
});

describe('the form of the answer', () => {
  const schema = {
    type: 'object',
    properties: { colour: { type: 'string' } },
    required: ['colour'],
    additionalProperties: false,
  };
  const format = { type: 'json_schema', schema };

  test.each([{ output_config: { format } }, { output_format: format }])('%j', async (body) => {
    const { sent } = await ask(families.chat, body);
    expect(sent.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema, strict: true },
    });
    const gemini = await ask(families.gemini, body);
    expect(JSON.stringify(gemini.sent.generationConfig)).toContain('"colour"');
  });
});

test('four stop sequences of more go to others, on record', async () => {
  const stop_sequences = ['a', 'b', 'c', 'd', 'e'];
  const { sent, about } = await answer(families.chat, { stop_sequences });
  expect(sent.stop).toEqual(['a', 'b', 'c', 'd']);
  expect(about('stop_sequences')).toMatchObject([{ before: '5 items', after: '4 items' }]);
  expect((await ask(claude, { stop_sequences })).sent.stop_sequences).toEqual(stop_sequences);
  expect((await answer(families.chat, { stop_sequences: [] })).sent).not.toHaveProperty('stop');
});

test('a user id goes as it is, or hashed where others would refuse it', async () => {
  const plain = await answer(families.chat, { metadata: { user_id: 'user-1' } });
  expect(plain.sent.user).toBe('user-1');
  const user_id = JSON.stringify({ device_id: 'a'.repeat(64), session_id: 'b'.repeat(36) });
  const hashed = await answer(families.chat, { metadata: { user_id } });
  expect(hashed.sent.user).toBe(createHash('sha256').update(user_id).digest('hex'));
  expect(hashed.about('metadata.user_id')).toHaveLength(1);
  expect((await ask(claude, { metadata: { user_id } })).sent.metadata).toEqual({ user_id });
});

test('tiers and speed have the names of other providers', async () => {
  expect((await answer(families.chat, { service_tier: 'standard_only' })).sent.service_tier).toBe('default');
  const { about } = await answer(families.deepseek, { speed: 'fast' });
  expect(about('speed')).toHaveLength(1);
  expect((await answer(families.chat, { service_tier: 'unheard_of' })).about('service_tier')).toHaveLength(1);
});

test('sampling goes under the names of others, and what they lack is on record', async () => {
  const { sent, about } = await answer(families.chat, { temperature: 0.5, top_k: 5 });
  expect(sent.temperature).toBe(0.5);
  expect(about('top_k')).toHaveLength(1);
  expect((await answer(families.gemini, { top_k: 5 })).sent.generationConfig.topK).toBe(5);
});

test('null is absence', async () => {
  const fields = [
    'system',
    'tools',
    'tool_choice',
    'thinking',
    'output_config',
    'stop_sequences',
    'metadata',
  ];
  const body = Object.fromEntries(
    [...fields, 'service_tier', 'temperature', 'stream'].map((name) => [name, null]),
  );
  const { changes } = await answer(families.chat, body);
  expect(changes).toEqual([]);
});

describe('what only Anthropic has', () => {
  test.each([
    ['context_management', { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] }],
    ['fallbacks', [{ model: 'claude-sonnet-5' }]],
    ['diagnostics', { previous_message_id: null }],
    ['safeguards', [{ type: 'dangerous_tool_use' }]],
  ])('%s is left out for others, on record, and reaches Claude', async (name, value) => {
    for (const family of others) {
      const { sent, about } = await answer(families[family], { [name]: value });
      expect(JSON.stringify(sent)).not.toContain(name);
      expect(about(name)).toMatchObject([{ action: 'strip', after: null }]);
    }
    expect((await ask(claude, { [name]: value })).sent[name]).toEqual(value);
  });

  test.each([
    ['mcp_servers', [{ type: 'url', name: 'a', url: 'https://mcp.example' }]],
    ['compaction', { type: 'summarize' }],
    ['inference_geo', 'us'],
    ['container', { skills: [{ type: 'anthropic', skill_id: 'pdf' }] }],
  ])('%s is refused for others by name', async (name, value) => {
    for (const family of others) {
      const { status, error } = await ask(families[family], { [name]: value });
      expect([status, error.param]).toEqual([400, name]);
    }
    expect((await ask(claude, { [name]: value })).sent?.[name]).toEqual(value);
  });
});

describe("what is stored in the operator's account is refused for every target", () => {
  const file = { type: 'file', file_id: 'file_1' };
  const said = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
  test.each([
    ['container', { container: 'container_1' }],
    ['container.id', { container: { id: 'container_1' } }],
    ['container.skills.0.type', { container: { skills: [{ type: 'custom', skill_id: 'skill_1' }] } }],
    ['thread', { thread: { type: 'continue', previous_message_id: 'msg_1' } }],
    ['thread', { thread: { type: 'create' } }],
    ['messages.0.content.0.source.file_id', said({ type: 'image', source: file })],
    ['messages.0.content.0.source.file_id', said({ type: 'document', source: file })],
    ['messages.0.content.0.file_id', said({ type: 'container_upload', file_id: 'file_1' })],
    [
      'messages.0.content.0.content.0.source.file_id',
      said({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: file }] }),
    ],
    [
      'messages.0.content.0.source.content.0.source.file_id',
      said({ type: 'document', source: { type: 'content', content: [{ type: 'image', source: file }] } }),
    ],
    [
      'messages.0.content.0.content.content.source.file_id',
      said({
        type: 'web_fetch_tool_result',
        tool_use_id: 't',
        content: { type: 'web_fetch_result', content: { type: 'document', source: file } },
      }),
    ],
  ])('%s', async (param, body) => {
    for (const model of [claude, families.chat]) {
      const { status, error, sent } = await ask(model, body);
      expect([status, error.param, sent]).toEqual([400, param, undefined]);
    }
  });
});

const old = { 'anthropic-version': '2023-06-01' };
const later = { 'anthropic-version': '2026-10-21' };
const text = { type: 'text', text: 'Roses.', citations: [{ type: 'char_location' }] };
const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Tulips.' } };
const user = { role: 'user', content: 'Hello.' };

describe.each([families.chat, 'anthropic/claude-haiku-4-5'])('%s', (model) => {
  test.each([
    ['temperature', { temperature: 1 }],
    ['top_p', { top_p: 0.9 }],
    ['top_k', { top_k: 5 }],
  ])('%s is for the first version alone', async (param, body) => {
    for (const headers of [{}, old]) expect((await ask(model, body, headers)).status).toBe(200);
    const { status, error } = await ask(model, body, later);
    expect([status, error.param]).toEqual([400, param]);
    expect(error.message).toBe(`${param}: Extra inputs are not permitted`);
  });

  test.each([
    ['messages.1.content.0', [user, { role: 'assistant', content: [document] }, user]],
    ['messages.0.content.0.citations', [{ role: 'user', content: [text] }]],
    [
      'messages.0.content.0.content.0.citations',
      [{ role: 'user', content: [{ type: 'search_result', source: 'a', title: 'b', content: [text] }] }],
    ],
  ])('%s is for the first version alone', async (param, messages) => {
    expect((await ask(model, { messages }, old)).status).toBe(200);
    const { status, error } = await ask(model, { messages }, later);
    expect([status, error.param]).toEqual([400, param]);
  });

  test('an unknown version is refused, with those that are known', async () => {
    const { status, error } = await ask(model, {}, { 'anthropic-version': '2024-01-01' });
    expect([status, error.param]).toEqual([400, 'anthropic-version']);
    expect(error.message).toContain('2023-06-01 and 2026-10-21');
  });
});
