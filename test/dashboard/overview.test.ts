/** What the overview shows of its answer, and where its groups lead. */
import { describe, expect, test } from 'vitest';
import { groupFor, metricNamed, metrics, narrow } from '../../dashboard/pages/overview/groups.ts';

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
      with: { model: 'openai/gpt-4.1', by: 'key' },
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

  test('of all tenants is a tenant where keys or users were asked for, and leads to those', () => {
    expect(groupFor('key', {}, true)).toBe('tenant');
    expect(groupFor('key', { tenant: 'a' }, true)).toBe('key');
    expect(groupFor('key', {}, false)).toBe('key');
    expect(groupFor('tenant', {}, false)).toBe('model');
    expect(groupFor('model', {}, true)).toBe('model');
    expect(narrow('a', { by: 'tenant', wanted: 'key', filters: {} })).toEqual({
      with: { tenant: 'a', by: 'key' },
    });
  });
});
