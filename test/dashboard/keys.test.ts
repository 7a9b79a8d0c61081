/** The page of keys: what its form sends, and how clients are set up. */
import { describe, expect, test } from 'vitest';
import {
  inputOf,
  keyedOperations,
  keyFields,
  limitRows,
  limitsText,
  tenantFields,
  valuesOf,
} from '../../dashboard/pages/form-values.ts';
import { modelFor, snippetsFor } from '../../dashboard/pages/keys/snippets.ts';
import { type KeyRow, keysChangeInput, keysCreateInput } from '../../lib/admin/keys/schema.ts';
import { tenantsChangeInput } from '../../lib/admin/tenants/schema.ts';
import { operations } from '../../lib/core/operations.ts';

const fields = [...limitRows.map(({ field }) => field), 'credit_usd'];
const none = Object.fromEntries(fields.map((field) => [field, null])) as unknown as KeyRow['limits'];

describe('the form of a key', () => {
  test('sends what is filled in, in the form that the API takes', () => {
    const body = inputOf(keyFields, {
      ...valuesOf(keyFields, {}),
      name: ' CI ',
      expires_at: '2026-12-31',
      'limits.daily_budget_usd': '$1,000.50',
      'limits.requests_per_minute': '60',
      models: ['openai/*'],
      operations: ['messages'],
    });
    expect(body).toEqual({
      name: 'CI',
      expires_at: Date.parse('2027-01-01T00:00:00Z') / 1_000,
      limits: { daily_budget_usd: '1000.50', requests_per_minute: 60 },
      models: ['openai/*'],
      operations: ['messages'],
    });
    expect(keysCreateInput.safeParse({ tenant: 'acme', ...body }).success).toBe(true);
  });

  test('sends nothing that is the same, and null for what is emptied', () => {
    const before = valuesOf(keyFields, {
      name: 'CI',
      owner: 'ana',
      expires_at: Date.parse('2027-01-01T00:00:00Z') / 1_000,
      limits: { ...none, daily_budget_usd: '5', requests_per_minute: 60 },
      models: ['openai/*'],
    });
    expect(before.expires_at).toBe('2026-12-31');
    expect(inputOf(keyFields, before, before)).toEqual({});
    const body = inputOf(
      keyFields,
      { ...before, owner: '', models: [], 'limits.daily_budget_usd': '', expires_at: '' },
      before,
    );
    expect(body).toEqual({ owner: null, models: null, limits: { daily_budget_usd: null }, expires_at: null });
    expect(keysChangeInput.safeParse(body).success).toBe(true);
  });

  test('leaves it to the API to refuse what is no number', () => {
    const body = inputOf(keyFields, {
      ...valuesOf(keyFields, {}),
      'limits.requests_per_minute': 'many',
      'limits.daily_budget_usd': '1e3',
    });
    const { error } = keysCreateInput.safeParse(body);
    expect(error?.issues.map(({ path }) => path.join('.')).toSorted()).toEqual([
      'limits.daily_budget_usd',
      'limits.requests_per_minute',
    ]);
  });

  test('of a tenant has groups of fields, of which it sends what differs', () => {
    const before = valuesOf(tenantFields, { alerts: { at: [50, 80], webhook_url: null }, throughput: null });
    expect(before['alerts.at']).toBe('50, 80');
    const changed = {
      'alerts.at': '60, 90%',
      'alerts.webhook_url': 'https://a.example',
      'user_limits.daily_budget_usd': '5',
      on_database_failure: 'refuse',
      throughput: '600',
    };
    const body = inputOf(tenantFields, { ...before, ...changed }, before);
    expect(body).toEqual({
      alerts: { at: [60, 90], webhook_url: 'https://a.example' },
      user_limits: { daily_budget_usd: '5' },
      on_database_failure: 'refuse',
      throughput: 600,
    });
    expect(tenantsChangeInput.safeParse(body).success).toBe(true);
    expect(inputOf(tenantFields, { ...before, 'alerts.at': '' }, before)).toEqual({ alerts: { at: null } });
  });

  test('offers every operation that a key may be restricted to', () => {
    const all = operations.filter(({ authenticated }) => authenticated).map(({ name }) => name);
    expect([...keyedOperations].toSorted()).toEqual(all.toSorted());
  });

  test('has limits in a few words', () => {
    expect(limitsText({ limits: none })).toBeNull();
    expect(limitsText({ limits: { ...none, monthly_budget_usd: '250', tokens_per_minute: 50_000 } })).toBe(
      '$250 a month, 50,000 tokens a minute',
    );
  });
});

describe('snippets', () => {
  const client = { key: 'mgw_test', baseUrl: 'https://gateway.example.com/live/v1', model: 'openai/gpt-5.5' };
  const texts = (name: string) =>
    snippetsFor(client)
      .find((one) => one.name === name)
      ?.parts.map(({ text }) => text) ?? [];

  test('have the key once, and an address of the gateway, for each client', () => {
    for (const { name, parts } of snippetsFor(client)) {
      const text = parts.map((part) => part.text).join('\n');
      expect([name, text.split(client.key).length - 1]).toEqual([name, 1]);
      expect(text).toContain('https://gateway.example.com/live');
      expect(text).toContain(client.model);
    }
  });

  test('of Claude Code have the base URL without its version, which it adds', () => {
    expect(texts('claude-code')[0]).toContain('ANTHROPIC_BASE_URL=https://gateway.example.com/live\n');
  });

  test('of opencode are JSON, and hold no secret in the file', () => {
    const [file = '', shell = ''] = texts('opencode');
    const { model, provider } = JSON.parse(file);
    expect(model).toBe('gateway/openai/gpt-5.5');
    expect(provider.gateway.options).toEqual({ baseURL: client.baseUrl, apiKey: '{env:GATEWAY_API_KEY}' });
    expect([file.includes(client.key), shell.includes(client.key)]).toEqual([false, true]);
  });

  test('of Codex use the Responses API and a variable for the secret', () => {
    const [file = ''] = texts('codex');
    expect(file).toContain('wire_api = "responses"');
    expect(file).not.toContain(client.key);
  });

  test.each([
    [null, 'openai/gpt-5.5'],
    [['anthropic/*'], 'anthropic/claude-haiku-4-5'],
    [['mistral/*', 'own/model'], 'own/model'],
    [['mistral/*'], 'openai/gpt-5.5'],
    [["own/it's", 'own/$(rm)'], 'openai/gpt-5.5'],
  ])('name a model that the key may call, where one is known: %j', (models, model) => {
    expect(modelFor(models)).toBe(model);
  });
});
