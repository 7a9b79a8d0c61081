/** Writes an embeddings answer in the public format, piece by piece: only one vector is converted to text at a time. */
import type { Vector } from '../../core/generation/embedding.ts';
import { type CostInUsage, withCost } from '../charge-so-far.ts';
import type { EncodingFormat } from './read.ts';

interface EmbeddingsFacts {
  /** As requested. */
  readonly model: string;
  readonly promptTokens: number;
  readonly encoding: EncodingFormat;
  readonly cost: CostInUsage;
  readonly debug: object | undefined;
}

export function* writeEmbeddings(vectors: readonly Vector[], facts: EmbeddingsFacts): Generator<string> {
  const { model, promptTokens, encoding, cost, debug } = facts;
  const write = encoding === 'base64' ? asBase64 : asNumbers;
  yield '{"object":"list","data":[';
  for (const [index, vector] of vectors.entries()) {
    const comma = index === 0 ? '' : ',';
    yield `${comma}{"object":"embedding","index":${index},"embedding":${write(vector)}}`;
  }
  const usage = withCost({ prompt_tokens: promptTokens, total_tokens: promptTokens }, cost);
  yield `],${JSON.stringify({ model, usage, ...(debug && { debug }) }).slice(1)}`;
}

/** Exact: a 32-bit float is written as a 64-bit one. */
function asNumbers(vector: Vector): string {
  // `join` drops the sign of zero.
  const numbers = vector.includes(0) ? Array.from(vector, signed) : vector;
  return `[${numbers.join(',')}]`;
}

const signed = (number: number): string => (Object.is(number, -0) ? '-0' : `${number}`);

const bytesOfFloat = 4;

/** 32-bit floats, little-endian. */
function asBase64(vector: Vector): string {
  const bytes = Buffer.alloc(bytesOfFloat * vector.length);
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * bytesOfFloat);
  return `"${bytes.toString('base64')}"`;
}
