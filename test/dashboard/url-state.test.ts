/** What the pages keep in the URL: range, filters and grouping. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxViews, readViews, withView } from '../../dashboard/shell/saved-views.ts';
import { changeQuery, readFilters, readGroup, sharedQuery } from '../../dashboard/state/query.ts';
import { isLive, maxRangeDays, rangeNames, rangeQuery, readRange } from '../../dashboard/state/range.ts';

const at = (text: string) => Date.parse(text) / 1_000;
const now = at('2026-11-23T10:20:30Z');
const read = (text: string) => readRange(new URLSearchParams(text), now);
const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

describe('a range', () => {
  test.each([
    ['1h', '2026-11-23T09:20:00.000Z', '2026-11-23T10:25:00.000Z'],
    ['today', '2026-11-23T00:00:00.000Z', '2026-11-24T00:00:00.000Z'],
    ['24h', '2026-11-22T11:00:00.000Z', '2026-11-23T11:00:00.000Z'],
    ['7d', '2026-11-17T00:00:00.000Z', '2026-11-24T00:00:00.000Z'],
    ['30d', '2026-10-25T00:00:00.000Z', '2026-11-24T00:00:00.000Z'],
    ['90d', '2026-08-26T00:00:00.000Z', '2026-11-24T00:00:00.000Z'],
    ['month', '2026-11-01T00:00:00.000Z', '2026-11-24T00:00:00.000Z'],
    ['last-month', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ])('%s is whole hours or days of UTC, or five minutes', (name, from, to) => {
    const range = read(`range=${name}`);
    expect([range.name, iso(range.from), iso(range.to)]).toEqual([name, from, to]);
  });

  test('of two dates has both', () => {
    const range = read('from=2026-02-01&to=2026-02-28');
    expect([range.name, iso(range.from), iso(range.to)]).toEqual([
      'custom',
      '2026-02-01T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
  });

  test('of two times is to the second, and ends before the second one', () => {
    const range = read('from=2026-02-01T10:20:30Z&to=2026-02-01T10:20:31Z');
    expect([iso(range.from), iso(range.to)]).toEqual([
      '2026-02-01T10:20:30.000Z',
      '2026-02-01T10:20:31.000Z',
    ]);
  });

  test.each([
    '',
    'range=fortnight',
    'from=2026-02-01',
    'from=2026-02-28&to=2026-02-01',
    'from=2026-02-30&to=2026-03-02',
    'from=2020-01-01&to=2026-02-01',
    'from=yesterday&to=today',
    'from=2026-02-01T10:00:00Z&to=2026-02-01T10:00:00Z',
    'from=2026-02-01T24:00:00Z&to=2026-02-03',
    'from=2026-02-01T10:00:00&to=2026-02-01T11:00:00',
  ])('is the last seven days for %j', (text) => {
    expect(read(text)).toEqual(read('range=7d'));
  });

  test('of the first month of a year goes back to the year before', () => {
    const range = readRange(new URLSearchParams('range=last-month'), at('2026-01-05T00:00:00Z'));
    expect([iso(range.from), iso(range.to)]).toEqual([
      '2025-12-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ]);
  });

  test('stays the same for a while, so that what was read can be shown again', () => {
    for (const name of rangeNames) {
      const query = new URLSearchParams({ range: name });
      expect(readRange(query, now + 60)).toEqual(readRange(query, now));
    }
  });

  test('that is written into the URL is read again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2001-01-01'), max: at('2099-01-01') }),
        fc.integer({ min: 1, max: maxRangeDays * 86_400 }),
        fc.constantFrom(1, 86_400),
        (start, length, step) => {
          const from = Math.floor(start / step) * step;
          const to = from + Math.ceil(length / step) * step;
          const query = changeQuery(new URLSearchParams('range=30d'), rangeQuery({ from, to }));
          expect(readRange(query, now)).toEqual({ name: 'custom', from, to });
          expect(query.get('from')).toMatch(step === 1 ? /^/ : /^\d{4}-\d\d-\d\d$/);
        },
      ),
    );
    for (const name of rangeNames)
      expect(
        readRange(
          changeQuery(new URLSearchParams('from=2026-01-01&to=2026-01-02'), rangeQuery({ name })),
          now,
        ).name,
      ).toBe(name);
  });
});

test('further requests can come into a range that moves on, or has not ended', () => {
  const live = [
    'range=1h',
    'range=today',
    'range=month',
    'range=last-month',
    'from=2026-11-20&to=2026-11-22',
    'from=2026-11-20&to=2026-11-23',
  ];
  expect(live.map((text) => isLive(read(text), now))).toEqual([true, true, true, false, false, true]);
  // The page has been open for a day.
  expect(isLive(read('range=1h'), now + 86_400)).toBe(true);
});

describe('filters', () => {
  test('are read as they are, and only those that are known', () => {
    const text = 'model=openai%2Fgpt-5.5&user=a%26b&status=failed&tag=team%3Dx&nonsense=1&key=';
    expect(readFilters(new URLSearchParams(text))).toEqual({
      model: 'openai/gpt-5.5',
      user: 'a&b',
      status: 'failed',
      tag: 'team=x',
    });
  });

  test('that are too long are none', () => {
    expect(readFilters(new URLSearchParams({ user: 'x'.repeat(600) }))).toEqual({});
  });

  test('survive being written', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }), (value) => {
        const written = changeQuery(new URLSearchParams(), { user: value }).toString();
        expect(readFilters(new URLSearchParams(written))).toEqual({ user: value });
      }),
    );
  });

  test('go on to other pages, and what belongs to one page does not', () => {
    const query = new URLSearchParams('range=30d&model=a&tenant=t&status=failed&id=5&sort=x');
    expect(sharedQuery(query).toString()).toBe('range=30d&model=a&tenant=t');
  });

  test('in another order are the same URL', () => {
    const one = changeQuery(changeQuery(new URLSearchParams(), { user: 'u' }), { model: 'm' });
    const other = changeQuery(changeQuery(new URLSearchParams(), { model: 'm' }), { user: 'u' });
    expect(one.toString()).toBe(other.toString());
    expect(changeQuery(one, { user: null, model: '' }).toString()).toBe('');
    expect(changeQuery(one, { user: undefined }).toString()).toBe(one.toString());
  });
});

test('saved views are kept in order, bounded, and what is none is left out', () => {
  const view = (name: string) => ({ name, address: 'requests?range=today' });
  const many = Array.from({ length: maxViews }, (_, index) => view(`${index}`));
  expect(
    withView(many, view('3'))
      .map(({ name }) => name)
      .slice(0, 3),
  ).toEqual(['3', '0', '1']);
  expect(withView(many, view('new'))).toHaveLength(maxViews);
  expect(readViews(JSON.stringify(many))).toEqual(many);
  const wrong = [null, {}, view(''), view('x'.repeat(61)), { name: 'a', address: 'javascript:alert(1)' }];
  for (const address of ['//evil.example/', 'https://evil.example/', '../x'])
    wrong.push({ name: 'b', address });
  expect(readViews(JSON.stringify([...wrong, view('good')]))).toEqual([view('good')]);
  expect([readViews(null), readViews('{'), readViews('{}')]).toEqual([[], [], []]);
});

test('grouping is by model unless the URL has another one that exists', () => {
  expect(
    ['', 'by=key', 'by=tenant', 'by=colour', 'by=tag:team'].map((text) =>
      readGroup(new URLSearchParams(text)),
    ),
  ).toEqual(['model', 'key', 'tenant', 'model', 'tag:team']);
});
