/** Shortened vectors: the first numbers, normalized, with the precision of 32-bit floats. */
import { expect, test } from 'vitest';
import { normalized, shortened } from '../../../lib/pipeline/embeddings/call-embeddings.ts';

test('the first numbers keep their direction', () => {
  expect(Array.from(shortened([3, 4, 12], 2))).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  expect(Array.from(shortened(Float32Array.of(0, 5, 1), 2))).toEqual([0, 1]);
});

test('sums are exact for very small numbers', () => {
  const tiny = Array.from({ length: 4_096 }, () => 1e-30);
  expect(normalized(tiny)[0]).toBe(Math.fround(1 / 64));
});

test('a vector of zeros stays unchanged', () => {
  expect(Array.from(normalized([0, 0]))).toEqual([0, 0]);
});
