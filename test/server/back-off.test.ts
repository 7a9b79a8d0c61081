/** How long to wait before another worker is started. */
import { expect, test } from 'vitest';
import { createBackOff } from '../../server/process/back-off.ts';

test('the first worker that ends early is replaced after half a second, each further one after twice as long', () => {
  const backOff = createBackOff();
  expect(backOff.delay()).toBe(0);
  const delays = Array.from({ length: 8 }, () => {
    backOff.note(1_000);
    return backOff.delay();
  });
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('a worker that has lived for a minute ends the waiting', () => {
  const backOff = createBackOff();
  backOff.note(59_999);
  expect(backOff.delay()).toBe(500);
  backOff.note(60_000);
  expect(backOff.delay()).toBe(0);
});
