/**
 * The sandbox's embedding: always the same for the same text, and near for texts that share words. A model that
 * distinguishes queries from documents embeds documents by how they begin and end, so that a question which is embedded
 * as a document is near other questions and far from its answer.
 */
import { wordSet } from '../json.ts';

export type Role = 'query' | 'document' | 'alike';

/** Words that say nothing of what a text is about. */
const empty = wordSet(
  'a an the is are was were be of in on at to for and or what which who where when how does do',
  'did',
);

/** How much more the style of a document weighs than one of its words. */
const weightOfStyle = 4;

/** Words of one text that count; the others would only take time. */
const maxWords = 200;

/** A vector of length one; `whole` is how many dimensions the model has, of which the first are given. */
export function embed(text: string, role: Role, dimensions: number): Float32Array {
  const all = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = [...new Set(all)].filter((word) => !empty.has(word)).slice(0, maxWords);
  const sum = new Float64Array(dimensions);
  for (const word of words) add(sum, `word ${word}`, 1);
  if (role === 'document' || words.length === 0) {
    const style = `style ${all[0] ?? ''} ${text.trim().endsWith('?')}`;
    add(sum, style, role === 'document' ? weightOfStyle : 1);
  }
  const length = Math.sqrt(sum.reduce((total, number) => total + number * number, 0));
  return Float32Array.from(sum, (number) => number / length);
}

/** Adds what a feature points to: numbers that look random, the first of them the same for any number of dimensions. */
function add(sum: Float64Array, feature: string, weight: number): void {
  let state = hash(feature);
  for (let at = 0; at < sum.length; at++) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const random = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    sum[at] = (sum[at] ?? 0) + weight * (2 * random - 1);
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value;
}

/** Base64 of 32-bit floats, the lowest byte first. */
export function base64Of(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(4 * vector.length));
  vector.forEach((number, at) => {
    view.setFloat32(4 * at, number, true);
  });
  return Buffer.from(view.buffer).toString('base64');
}
