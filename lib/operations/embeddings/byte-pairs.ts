/**
 * Counts the tokens of a text in the byte-pair encoding `cl100k_base`, in the time of n log n: no text, however odd, takes
 * long.
 */
import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { createHeap } from './heap.ts';
import { type TokenRanks, tokenRanks } from './token-ranks.ts';

/** Counting stops above `most`: the result is then some number above it. */
export function countTokens(text: string, most: number): number {
  const ranks = tokenRanks();
  let count = 0;
  for (const [piece] of text.matchAll(CL100K_TOKEN_SPLIT_REGEX)) {
    const bytes = Buffer.from(piece).toString('latin1');
    const left = most - count;
    count += leastTokens(bytes, left, ranks) > left ? left + 1 : countPiece(bytes, ranks);
    if (count > most) break;
  }
  return count;
}

/**
 * Fewer than this there cannot be: each token goes as far as the longest does that starts where the one before may have
 * ended. Tells a long run of letters at once. Stops above `most`.
 */
function leastTokens(bytes: string, most: number, { longestFrom }: TokenRanks): number {
  let count = 0;
  let reached = 0;
  let next = 0;
  for (let place = 0; place < bytes.length && count <= most; place++) {
    next = Math.max(next, place + longestFrom(bytes.charCodeAt(place)));
    if (place < reached) continue;
    count++;
    reached = next;
  }
  return count;
}

/** Merges the neighbours of the lowest rank, the first of them, until none are left. */
function countPiece(bytes: string, { rankOf }: TokenRanks): number {
  if (bytes.length === 1 || rankOf(bytes, 0, bytes.length) >= 0) return 1;
  const parts = linkedBytes(bytes.length);
  const offered = new Int32Array(bytes.length).fill(-1);
  const heap = createHeap(bytes.length);
  const offer = (place: number) => {
    const second = parts.next(place);
    const rank = second < bytes.length ? rankOf(bytes, place, parts.next(second)) : -1;
    offered[place] = rank;
    if (rank >= 0) heap.push(rank, place);
  };
  for (let place = 0; place < bytes.length; place++) offer(place);
  let count = bytes.length;
  for (let lowest = heap.pop(); lowest; lowest = heap.pop()) {
    const { rank, place } = lowest;
    // What was offered before a neighbour merged is out of date.
    if (offered[place] !== rank) continue;
    offered[parts.merge(place)] = -1;
    count--;
    offer(place);
    if (place > 0) offer(parts.previous(place));
  }
  return count;
}

/** The parts of a piece by where they start; at first each is one byte. */
function linkedBytes(length: number) {
  const nexts = Int32Array.from({ length: length + 1 }, (_, place) => place + 1);
  const previouses = Int32Array.from({ length: length + 1 }, (_, place) => place - 1);
  return {
    next: (place: number) => nexts[place] ?? length,
    previous: (place: number) => previouses[place] ?? 0,
    /** Joins a part with the next one, and tells where that was. */
    merge(place: number): number {
      const gone = nexts[place] ?? length;
      const after = nexts[gone] ?? length;
      nexts[place] = after;
      previouses[after] = place;
      return gone;
    },
  };
}
