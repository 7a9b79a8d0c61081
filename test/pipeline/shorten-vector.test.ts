/** Vectors cut to length: the first numbers, of length one again, as exact as 32-bit floats are. */
import { expect, test } from 'vitest';
import { normalized, shortened } from '../../lib/pipeline/shorten-vector.ts';

test('the first numbers point where they did', () => {
  expect(Array.from(shortened([3, 4, 12], 2))).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  expect(Array.from(shortened(Float32Array.of(0, 5, 1), 2))).toEqual([0, 1]);
});

test('sums are exact however small the numbers are', () => {
  const tiny = Array.from({ length: 4_096 }, () => 1e-30);
  expect(normalized(tiny)[0]).toBe(Math.fround(1 / 64));
});

test('nothing but zeros stays so', () => {
  expect(Array.from(normalized([0, 0]))).toEqual([0, 0]);
});
