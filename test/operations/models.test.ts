/** The model list and one model: pages, aliases, and what Anthropic's clients read of a model. */
import { describe, expect, test } from 'vitest';
import type { Model, ModelStatus, Traits } from '../../lib/core/catalog/model.ts';
import type { AliasTarget } from '../../lib/core/names/names.ts';
import { modelsEndpoint } from '../../lib/operations/models/list.ts';
import { writeAlias, writeModel } from '../../lib/operations/models/model-object.ts';

const noTraits: Traits = { refuses: [], refusesWhileReasoning: [] };

const model = (name: string, changes: Partial<Model> = {}): Model => ({
  id: `acme/${name}`,
  owner: 'acme',
  created: 86_400,
  status: 'active',
  endpoints: ['chat_completions', 'messages'],
  modalities: { input: ['text'], output: ['text'] },
  limits: { context: 300, input: null, output: 100 },
  traits: noTraits,
  prices: [],
  deployments: [],
  timeouts: { connectMs: 1, firstByteMs: 1, bodyMs: 1, idleMs: 1 },
  ...changes,
});

const to = (...names: readonly string[]): readonly AliasTarget[] =>
  names.map((name) => ({ model: `acme/${name}`, weight: 1 }));

const supported = { supported: true };
const not = { supported: false };

test('a model has the fields of OpenAI and those of Anthropic', () => {
  const shown = writeModel(model('one-1-5'));
  expect(shown).toMatchObject({
    id: 'acme/one-1-5',
    object: 'model',
    created: 86_400,
    owned_by: 'acme',
    status: 'active',
    modalities: { input: ['text'], output: ['text'] },
    endpoints: ['chat_completions', 'messages'],
    type: 'model',
    display_name: 'One 1.5',
    created_at: '1970-01-02T00:00:00Z',
    lifecycle: 'active',
    max_input_tokens: 300,
    max_tokens: 100,
  });
  expect(shown).not.toHaveProperty('aliases');
  expect(writeModel(model('one', { aliases: ['one-1'] })).aliases).toEqual(['one-1']);
  const limits = { context: 300, input: 200, output: null };
  expect(writeModel(model('one', { limits }))).toMatchObject({ max_input_tokens: 200, max_tokens: null });
});

test.each<[ModelStatus, string]>([
  ['active', 'active'],
  ['deprecated', 'deprecated'],
  ['inactive', 'retired'],
  ['retired', 'retired'],
])('one that is %s is %s for Anthropic’s clients', (status, lifecycle) => {
  expect(writeModel(model('one', { status })).lifecycle).toBe(lifecycle);
});

describe('capabilities', () => {
  const efforts = (...names: readonly string[]) =>
    Object.fromEntries(
      ['low', 'medium', 'high', 'xhigh', 'max'].map((name) => [name, names.includes(name) ? supported : not]),
    );

  test('of a model without any', () => {
    expect(writeModel(model('one')).capabilities).toEqual({
      batch: not,
      citations: not,
      code_execution: not,
      context_management: {
        ...not,
        clear_thinking_20251015: null,
        clear_tool_uses_20250919: null,
        compact_20260112: null,
      },
      effort: { ...not, ...efforts() },
      image_input: not,
      pdf_input: not,
      server_tools: { ...not, web_search: not, code_execution: not },
      structured_outputs: not,
      thinking: { ...not, types: { adaptive: not, between_tools: not, disabled: supported, enabled: not } },
    });
  });

  test.each<[string, Partial<Model>, object]>([
    [
      'images',
      { modalities: { input: ['text', 'image'], output: ['text'] } },
      { image_input: supported, pdf_input: not },
    ],
    [
      'documents',
      { modalities: { input: ['pdf'], output: ['text'] } },
      { image_input: not, pdf_input: supported },
    ],
    [
      'searches',
      { traits: { ...noTraits, webSearch: true } },
      { server_tools: { ...supported, web_search: supported } },
    ],
    ['a schema', { traits: { ...noTraits, structuredOutput: 'schema' } }, { structured_outputs: supported }],
    ['any JSON', { traits: { ...noTraits, structuredOutput: 'object' } }, { structured_outputs: not }],
    [
      'efforts',
      {
        traits: {
          ...noTraits,
          reasoning: { style: 'effort', efforts: ['low', 'high'], defaultEffort: 'low' },
        },
      },
      {
        effort: { ...supported, ...efforts('low', 'high') },
        thinking: { ...supported, types: { adaptive: supported, disabled: not, enabled: not } },
      },
    ],
    [
      'a budget',
      {
        traits: {
          ...noTraits,
          reasoning: { style: 'budget', efforts: ['none', 'max'], defaultEffort: 'none' },
        },
      },
      {
        effort: { ...supported, ...efforts('max') },
        thinking: { ...supported, types: { adaptive: not, disabled: supported, enabled: supported } },
      },
    ],
    [
      'no effort of Anthropic’s',
      {
        traits: {
          ...noTraits,
          reasoning: { style: 'switch', efforts: ['none', 'minimal'], defaultEffort: 'none' },
        },
      },
      { effort: { ...not, ...efforts() }, thinking: supported },
    ],
  ])('of a model with %s', (_, changes, expected) => {
    expect(writeModel(model('one', changes)).capabilities).toMatchObject(expected);
  });

  test('are of messages', () => {
    expect(writeModel(model('one', { endpoints: ['embeddings'] })).capabilities).toBeNull();
  });
});

test('an alias can do what one of its models can, within the limits of each', () => {
  const one = model('one', {
    created: 5,
    status: 'deprecated',
    limits: { context: 300, input: null, output: 50 },
  });
  const two = model('two', {
    created: 10,
    status: 'inactive',
    endpoints: ['chat_completions'],
    modalities: { input: ['text', 'image'], output: ['text'] },
    limits: { context: 200, input: null, output: null },
  });
  const models = new Map([one, two].map((known) => [known.id, known]));
  expect(writeAlias('fast', to('one', 'two', 'one', 'gone'), models)).toMatchObject({
    id: 'fast',
    owned_by: 'operator',
    created: 10,
    status: 'deprecated',
    lifecycle: 'deprecated',
    display_name: 'fast',
    modalities: { input: ['text', 'image'], output: ['text'] },
    endpoints: ['chat_completions', 'messages'],
    targets: ['acme/one', 'acme/two'],
    max_input_tokens: 200,
    max_tokens: null,
    // The other model takes no messages.
    capabilities: { image_input: not },
  });
  expect(writeAlias('gone', to('gone'), models)).toBeUndefined();
});

describe('the list', () => {
  const models = ['a', 'c', 'e', 'g'].map((name) => model(name));
  const all = [...models, model('old', { status: 'retired' })];
  const aliases = new Map([
    ['acme/d', to('a')],
    ['zero', to('gone')],
  ]);
  let reads: readonly Model[] = all;
  const endpoint = modelsEndpoint({
    list: async () => reads,
    aliases: async () => aliases,
    find: async () => undefined,
    named: async () => ({ models: [] }),
  } as unknown as Parameters<typeof modelsEndpoint>[0]);

  async function list(query: object = {}, headers: Readonly<Record<string, string>> = {}) {
    const given = endpoint.schema.parse(query) as Parameters<typeof endpoint.read>[0];
    const input = endpoint.read(given, query, (name) => headers[name]);
    const answer = await endpoint.answer({ input } as unknown as Parameters<typeof endpoint.answer>[0]);
    if (answer.type !== 'tagged-json') throw new Error('The list is tagged.');
    const { data, ...rest } = JSON.parse(answer.text);
    const ids = data.map(({ id }: { id: string }) => id.replace('acme/', ''));
    return { ...rest, ids: ids.join(' '), headers: answer.headers, tag: answer.tag };
  }

  test('has models and aliases by their names', async () => {
    expect(await list()).toMatchObject({
      object: 'list',
      ids: 'a c d e g old',
      has_more: false,
      first_id: 'acme/a',
      last_id: 'acme/old',
      headers: { 'cache-control': 'public, max-age=60', vary: 'anthropic-version' },
    });
  });

  test.each([
    [{ limit: '2' }, 'a c', true],
    [{ limit: '6' }, 'a c d e g old', false],
    [{ limit: '2', after_id: 'acme/c' }, 'd e', true],
    [{ limit: '4', after_id: 'acme/c' }, 'd e g old', false],
    [{ after_id: 'acme/b' }, 'c d e g old', false],
    [{ limit: '2', before_id: 'acme/e' }, 'c d', true],
    [{ limit: '3', before_id: 'acme/e' }, 'a c d', false],
    [{ limit: '9', before_id: 'acme/e' }, 'a c d', false],
    [{ limit: '1', after_id: 'acme/a', before_id: 'acme/e' }, 'c', true],
    [{ after_id: 'zzz' }, '', false],
    [{ status: 'retired' }, 'old', false],
    [{ status: 'active', limit: '1' }, 'a', true],
    [{ lifecycle: 'retired' }, 'old', false],
    [{ lifecycle: ['active', 'retired'], limit: '9' }, 'a c d e g old', false],
  ])('%j', async (query, ids, hasMore) => {
    expect(await list(query)).toMatchObject({ ids, has_more: hasMore });
  });

  test('has no retired models for Anthropic’s clients, unless they ask for them', async () => {
    const version = { 'anthropic-version': '2023-06-01' };
    expect((await list({}, version)).ids).toBe('a c d e g');
    expect((await list({ limit: '2' }, version)).ids).toBe('a c');
    expect((await list({ lifecycle: 'retired' }, version)).ids).toBe('old');
    expect((await list({ status: 'retired' }, version)).ids).toBe('old');
    expect((await list()).ids).toBe('a c d e g old');
  });

  test('is written again when the catalog was read again', async () => {
    const before = await list();
    expect((await list()).tag).toBe(before.tag);
    reads = models;
    const after = await list();
    reads = all;
    expect([after.ids, after.tag === before.tag]).toEqual(['a c d e g', false]);
  });

  test('an empty one has no ends', async () => {
    expect(await list({ after_id: 'zzz' })).toMatchObject({ first_id: null, last_id: null });
  });
});
