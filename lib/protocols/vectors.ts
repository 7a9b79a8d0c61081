/**
 * Reads vectors from upstream: lists of numbers, or base64 of little-endian 32-bit floats.
 */

import { GatewayError } from '../core/errors/errors.ts';
import type { Vector } from '../core/generation/embedding.ts';

/** Throws GatewayError `upstream_invalid_answer` unless there is one vector for each text. */
export function readVectors(written: readonly unknown[], texts: number): readonly Vector[] {
  if (written.length !== texts) throw unreadable(`${written.length} embeddings for ${texts} texts`);
  return written.map(readVector);
}

function readVector(written: unknown): Vector {
  const vector = typeof written === 'string' ? readBase64(written) : written;
  if (isVector(vector)) return vector;
  throw unreadable('an embedding that is not a list of numbers');
}

function isVector(value: unknown): value is Vector {
  if (!Array.isArray(value) && !(value instanceof Float32Array)) return false;
  const numbers: Iterable<unknown> = value;
  for (const number of numbers) {
    // A caller may request 32-bit floats, which have a smaller range.
    if (typeof number !== 'number' || !Number.isFinite(Math.fround(number))) return false;
  }
  return value.length > 0;
}

function readBase64(text: string): Float32Array {
  // Buffer.from would ignore characters that are not base64.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw unreadable('an embedding that is not valid base64');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % bytesOfFloat !== 0) throw unreadable('base64 data that is not a list of 32-bit floats');
  return Float32Array.from({ length: bytes.length / bytesOfFloat }, (_, at) =>
    bytes.readFloatLE(at * bytesOfFloat),
  );
}

const bytesOfFloat = 4;

const unreadable = (what: string) =>
  new GatewayError('upstream_invalid_answer', `The provider returned ${what}.`);
