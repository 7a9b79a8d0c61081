/** What the overview shows of its answer, and where its groups lead. */
import { describe, expect, test } from 'vitest';
import {
  chartGroupFor,
  filterOf,
  groupFor,
  metricNamed,
  metrics,
  narrow,
  noneName,
  rowGroups,
  titleOf,
} from '../../dashboard/pages/overview/groups.ts';

const point = {
  requests: 9,
  failed_requests: 2,
  unpriced_requests: 0,
  tokens: 12_345,
  cost_nano_usd: 1_200_000_000,
};

describe('a point of the chart', () => {
  test('has a value and words for each of what may be shown', () => {
    expect(Object.values(metrics).map(({ value }) => value(point))).toEqual([1_200_000_000, 9, 12_345, 2]);
    expect(Object.values(metrics).map(({ amount }) => amount(point).text)).toEqual([
      '$1.20',
      '9',
      '12.3K',
      '2',
    ]);
    expect(metrics.tokens.amount(point).exact).toBe('12,345');
  });

  test('whose amount is not known is unknown, not 0', () => {
    const unpriced = { ...point, cost_nano_usd: null, unpriced_requests: 9 };
    expect(metrics.spend.value(unpriced)).toBeNull();
    expect(metrics.spend.amount(unpriced)).toEqual({
      text: 'unknown',
      exact: 'unknown',
      note: '9 requests without a price',
    });
  });

  test('without requests cost nothing', () => {
    const none = { requests: 0, failed_requests: 0, unpriced_requests: 0, tokens: 0, cost_nano_usd: null };
    expect(metrics.spend.value(none)).toBe(0);
    expect(metrics.spend.amount(none).text).toBe('$0');
  });

  test('is of the spend, unless the URL names something else that there is', () => {
    expect([null, 'tokens', 'constructor', ''].map(metricNamed)).toEqual([
      'spend',
      'tokens',
      'spend',
      'spend',
    ]);
  });
});

describe('a group', () => {
  test('leads to its own view, split by something else', () => {
    expect(narrow('openai/gpt-4.1', { by: 'model', wanted: 'model', filters: {} })).toEqual({
      with: { model: 'openai/gpt-4.1', by: 'key', search: null },
    });
  });

  test('that is already alone leads to its requests', () => {
    const filters = { model: 'openai/gpt-4.1' };
    expect(narrow('openai/gpt-4.1', { by: 'model', wanted: 'model', filters })).toEqual({
      to: 'requests',
      with: { model: 'openai/gpt-4.1' },
    });
  });

  test('of requests that gave none leads nowhere', () => {
    expect(narrow(null, { by: 'user', wanted: 'user', filters: {} })).toBeUndefined();
  });

  test('that has no view of its own leads to its requests', () => {
    expect(narrow('x', { by: 'session', wanted: 'session', filters: {} })).toEqual({
      to: 'requests',
      with: { session: 'x' },
    });
    expect(narrow('a:b', { by: 'tag:team', wanted: 'tag:team', filters: {} })).toEqual({
      to: 'requests',
      with: { tag: 'team:a:b' },
    });
    expect(filterOf('provider', 'openai')).toEqual({ provider: 'openai' });
    expect([noneName('session'), noneName('tag:team'), noneName('model')]).toEqual([
      'no session given',
      'no team given',
      'no model',
    ]);
    expect([titleOf('session'), titleOf('tag:team'), titleOf('tag:')]).toEqual(['Session', 'team', 'tag']);
  });

  test('of the chart is one that has sums, and leads to what is asked for', () => {
    expect(chartGroupFor('key', {}, true)).toBe('tenant');
    expect(chartGroupFor('key', { tenant: 'a' }, true)).toBe('key');
    expect(chartGroupFor('key', {}, false)).toBe('key');
    expect(chartGroupFor('tenant', {}, false)).toBe('model');
    expect(chartGroupFor('model', {}, true)).toBe('model');
    expect(chartGroupFor('provider', {}, true)).toBe('provider');
    expect(chartGroupFor('provider', { tenant: 'a' }, true)).toBe('model');
    expect(chartGroupFor('session', {}, true)).toBe('model');
    expect(chartGroupFor('tag:team', {}, false)).toBe('model');
    expect(chartGroupFor('model', { user: 'u' }, true)).toBe('user');
    expect(narrow('a', { by: 'tenant', wanted: 'key', filters: {} })).toEqual({
      with: { tenant: 'a', by: 'key', search: null },
    });
  });

  test('of the table is what is asked for; keys of all tenants are those of a tenant each', () => {
    expect([groupFor('tenant', false), groupFor('session', false), groupFor('tenant', true)]).toEqual([
      'model',
      'session',
      'tenant',
    ]);
    expect(rowGroups('key', true)).toEqual(['tenant', 'key']);
    expect(rowGroups('key', false)).toEqual(['key']);
    expect(rowGroups('tag:team', true)).toEqual(['tag:team']);
  });
});
