/** Times as texts. */
import { expect, test } from 'vitest';
import { isoTime } from '../../lib/core/time.ts';

test('a time is written as Date writes it, whatever was asked for before', () => {
  const day = Date.UTC(2026, 10, 30, 23, 59, 59);
  const times = [
    day,
    day + 7,
    day + 999,
    day + 1_000,
    day,
    0,
    999,
    -1,
    -1_000,
    253_402_300_800_000,
    day + 0.5,
  ];
  for (const time of times) expect(isoTime(time)).toBe(new Date(time).toISOString());
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
});
