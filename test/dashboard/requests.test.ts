/** The list of requests stays in its place while new ones come, and prices are written exactly. */
import { describe, expect, test } from 'vitest';
import { guideOf } from '../../dashboard/pages/requests/error-guide.ts';
import { changedSince, compareNewest, letIn } from '../../dashboard/pages/requests/newest.ts';
import { partName, timesMillion, unitPriceWords } from '../../dashboard/pages/requests/price-words.ts';
import type { RequestRow } from '../../lib/admin/requests/schema.ts';

/** What is looked at of a row of the list. */
const requestRow = (id: string, row: Partial<RequestRow> = {}) =>
  ({ id, created_at: 1_795_000_000, status: 'ok', ...row }) as RequestRow;

describe('newer requests', () => {
  const listed = [requestRow('b', { created_at: 200, status: 'open' }), requestRow('a', { created_at: 100 })];

  test('are counted apart, and what has ended is known', () => {
    const later = [requestRow('c', { created_at: 300 }), requestRow('b', { created_at: 200, status: 'ok' })];
    const { rows, added } = compareNewest(listed, later);
    expect(added.map(({ id }) => id)).toEqual(['c']);
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['b', 'ok'],
      ['a', 'ok'],
    ]);
  });

  test('come to their places', () => {
    const later = [
      requestRow('c', { created_at: 300 }),
      requestRow('a2', { created_at: 150 }),
      requestRow('b'),
    ];
    expect(letIn(listed, later).map(({ id }) => id)).toEqual(['c', 'b', 'a2', 'a']);
    expect(letIn(listed, [])).toBe(listed);
  });

  test('are looked for since shortly before the newest one, or since the first that still runs', () => {
    expect(changedSince([requestRow('b', { created_at: 900.7 })], 1000)).toBe(780);
    const running = requestRow('a', { created_at: 650.2, status: 'open' });
    expect(changedSince([requestRow('b', { created_at: 900.7 }), running], 1000)).toBe(650);
  });

  test('do not wait for a request that is open for too long', () => {
    const leaked = requestRow('a', { created_at: 150, status: 'open' });
    expect(changedSince([requestRow('b', { created_at: 2000 }), leaked], 2001)).toBe(1880);
    expect(changedSince([], 2001)).toBeUndefined();
  });
});

describe('prices', () => {
  test.each([
    ['0.0000033', '3.30'],
    ['0.000000000125', '0.000125'],
    ['1.5', '1500000.00'],
    ['0.0000000000000001', '0.0000000001'],
  ])('%s times a million is exact', (price, million) => {
    expect(timesMillion(price)).toBe(million);
  });

  test('small ones are for a million, and others for one', () => {
    expect(unitPriceWords('0.0000025', 1)).toBe('$2.50 / million');
    expect(unitPriceWords('0.01', 1)).toBe('$0.01');
    expect(unitPriceWords('0.0000045', 3600)).toBe('$4.50 / million / 3,600');
  });

  test('parts have names', () => {
    expect(partName('cachedInput')).toBe('Cached input tokens');
    expect(partName('tool:file_search')).toBe('Calls of file search');
    expect(partName('somethingNew')).toBe('somethingNew');
  });
});

describe('errors', () => {
  test('are explained by code and by kind', () => {
    expect(guideOf('provider_overloaded')?.when).toBe('The provider is overloaded.');
    expect(guideOf('upstream_bad_request')?.what).toContain('param');
    expect(guideOf('interrupted')?.what).toBe('Send the request again.');
  });

  test('of a provider that the reference does not have are shown as they are', () => {
    expect(guideOf('unsupported_value')).toBeUndefined();
  });
});
