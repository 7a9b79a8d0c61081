/**
 * Vectors of the length that was asked for, where the host gives only whole ones; and of length one, where it does not
 * see to that itself.
 */
import type { Vector } from '../core/generation/embedding.ts';

/** The first numbers, and those normalized again, as 32-bit floats. */
export function shortened(vector: Vector, dimensions: number): Float32Array {
  return normalized(vector.slice(0, dimensions));
}

/** In 64-bit floats up to the end. A vector of nothing but zeros has no direction to keep. */
export function normalized(vector: Vector): Float32Array {
  const numbers = Float64Array.from(vector);
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => (length === 0 ? 0 : number / length));
}
