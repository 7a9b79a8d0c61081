/** Numbers at a glance and in full; what is not known is never 0. */
import { describe, expect, test } from 'vitest';
import { slotWords } from '../../dashboard/charts/time-ticks.ts';
import {
  amount,
  axisDollars,
  dollars,
  estimatedPart,
  exactDollars,
  inDollars,
  margin,
  spend,
} from '../../dashboard/format/money.ts';
import { changeOf, count, counted, exactCount, share } from '../../dashboard/format/numbers.ts';
import { ago, axisDuration, duration, exactMoment, fullDay, moment } from '../../dashboard/format/times.ts';

describe('money', () => {
  test.each([
    [0, '$0', '$0.00'],
    [1, '<$0.0001', '$0.000000001'],
    [1_234_567, '$0.0012', '$0.001234567'],
    [34_200_000, '$0.034', '$0.0342'],
    [99_600_000, '$0.10', '$0.0996'],
    [1_200_000_000, '$1.20', '$1.20'],
    [999_994_000_000, '$999.99', '$999.994'],
    [1_234_567_890_125, '$1,235', '$1,234.567890125'],
    [12_345_000_000_000, '$12.3K', '$12,345.00'],
    [-1_500_000_000, '−$1.50', '−$1.50'],
  ])('%d nano-dollars', (nano, text, exact) => {
    expect(dollars(nano)).toBe(text);
    expect(exactDollars(nano)).toBe(exact);
  });

  test('as numbers, where they are known', () => {
    expect([inDollars(1_234_567_890), inDollars(1), inDollars(null)]).toEqual([1.23456789, 1e-9, null]);
  });

  test('on an axis', () => {
    expect([0, 5e8, 20e9, 1500e9, 20_000e9].map(axisDollars)).toEqual([
      '$0',
      '$0.5',
      '$20',
      '$1,500',
      '$20K',
    ]);
  });

  test('a sum with unknown amounts is a lower bound', () => {
    expect(spend({ cost_nano_usd: 1_200_000_000, unpriced_requests: 3 })).toEqual({
      text: '≥ $1.20',
      exact: 'at least $1.20',
      note: '3 requests without a price',
    });
  });

  test('a margin is about right where an amount is not known', () => {
    const amounts = { cost_nano_usd: 5e9, unpriced_requests: 0, provider_cost_nano_usd: 4e9 };
    expect(margin({ ...amounts, provider_unpriced_requests: 0 })).toEqual({ text: '$1.00', exact: '$1.00' });
    expect(margin({ ...amounts, provider_cost_nano_usd: 6e9, provider_unpriced_requests: 1 })).toEqual({
      text: '≈ −$1.00',
      exact: 'about −$1.00',
      note: 'without 0 charges and 1 cost that are not known',
    });
    expect(margin({ ...amounts, provider_cost_nano_usd: null }).text).toBe('unknown');
  });

  test('a sum of unknown amounts only is unknown', () => {
    expect(spend({ cost_nano_usd: null, unpriced_requests: 1 }).text).toBe('unknown');
    expect(amount(null).text).toBe('unknown');
  });

  test('what of a sum is estimated is said, if anything is', () => {
    expect(estimatedPart({ estimated_requests: 1, estimated_cost_nano_usd: 20_000_000 })).toBe(
      '$0.02 of it estimated, of 1 request',
    );
    expect(estimatedPart({ estimated_requests: 0, estimated_cost_nano_usd: 0 })).toBe('');
  });

  test('a sum of nothing is nothing', () => {
    expect(spend({ cost_nano_usd: 0, unpriced_requests: 0 }).text).toBe('$0');
  });
});

describe('counts', () => {
  test.each([
    [0, '0'],
    [9_999, '9,999'],
    [10_000, '10K'],
    [12_345, '12.3K'],
    [999_900, '1M'],
    [1_234_567, '1.23M'],
    [10_000_000_000, '10B'],
  ])('%d', (value, text) => {
    expect(count(value)).toBe(text);
  });

  test('in full', () => {
    expect(exactCount(1_234_567)).toBe('1,234,567');
    expect(counted(1, 'request')).toBe('1 request');
    expect(counted(1200, 'request')).toBe('1,200 requests');
  });

  test('a share is 0% or 100% only if it is exactly that', () => {
    expect([
      share(0, 5),
      share(5, 5),
      share(1, 100_000),
      share(99_999, 100_000),
      share(1, 3),
      share(1, 30),
    ]).toEqual(['0%', '100%', '<0.1%', '>99.9%', '33%', '3.3%']);
    expect(share(0, 0)).toBe('–');
  });

  test('a change is a fraction of what was before, and unknown where there was nothing', () => {
    expect([changeOf(112, 100), changeOf(0, 5), changeOf(5, 0), changeOf(5, null)]).toEqual([
      0.12,
      -1,
      null,
      null,
    ]);
  });
});

describe('times', () => {
  test.each([
    [0, '0 ms'],
    [340.4, '340 ms'],
    [999.6, '1.00 s'],
    [1_240, '1.24 s'],
    [9_999, '10.0 s'],
    [12_340, '12.3 s'],
    [59_970, '1 min'],
    [125_000, '2 min 5 s'],
    [12_000_000, '3 h 20 min'],
  ])('%d ms', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  test('are those of UTC', () => {
    const time = Date.parse('2026-11-03T14:05:09.120Z') / 1000;
    expect(moment(time)).toBe('Nov 3, 14:05:09');
    expect(exactMoment(time, 'UTC')).toBe('2026-11-03 14:05:09.120 UTC');
    expect(fullDay(time)).toBe('Nov 3, 2026');
  });

  test('in full have the time of another zone, too', () => {
    const time = Date.parse('2026-11-03T14:05:09Z') / 1000;
    expect(
      ['Pacific/Auckland', 'America/St_Johns', 'Europe/London'].map((zone) => exactMoment(time, zone)),
    ).toEqual([
      '2026-11-03 14:05:09 UTC (Nov 4, 03:05:09 GMT+13)',
      '2026-11-03 14:05:09 UTC (Nov 3, 10:35:09 GMT-3:30)',
      '2026-11-03 14:05:09 UTC',
    ]);
    expect(slotWords(time - 309, 'hour', 'Asia/Kolkata')).toBe('Nov 3, 14:00–15:00 (Nov 3, 19:30 GMT+5:30)');
  });

  test('on an axis', () => {
    expect([0, 500, 1500, 2000, 120_000].map(axisDuration)).toEqual(['0', '500 ms', '1.5 s', '2 s', '2 min']);
  });

  test('ago', () => {
    expect([ago(100, 102), ago(100, 140), ago(100, 400), ago(100, 8000)]).toEqual([
      'now',
      '40 s ago',
      '5 min ago',
      '2 h ago',
    ]);
  });
});
