/**
 * Shortens vectors if the host returns only full ones, and normalizes them if the host does not do it.
 */
import type { Vector } from '../../core/generation/embedding.ts';

/** The first numbers, normalized again, as 32-bit floats. */
export function shortened(vector: Vector, dimensions: number): Float32Array {
  return normalized(vector.slice(0, dimensions));
}

/** Calculates in 64-bit floats. A vector of zeros stays unchanged. */
export function normalized(vector: Vector): Float32Array {
  const numbers = Float64Array.from(vector);
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => (length === 0 ? 0 : number / length));
}
