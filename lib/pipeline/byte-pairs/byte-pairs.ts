/**
 * Counts the tokens of a text in the byte-pair encoding `cl100k_base`. Takes n log n time even for hostile texts, which a
 * library call may take n² for.
 */
import tokens from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/** How many steps are made before a pause is possible again. */
const stepsAtOnce = 4_096;

/** Stops counting above `max`: the result is then some number above it. Yields where the work may pause. */
export function* countTokens(text: string, max: number): Generator<void, number> {
  const ranks = tokenRanks();
  let count = 0;
  for (const [piece] of text.matchAll(CL100K_TOKEN_SPLIT_REGEX)) {
    const bytes = Buffer.from(piece).toString('latin1');
    const left = max - count;
    count += minTokens(bytes, left, ranks) > left ? left + 1 : yield* countPiece(bytes, ranks);
    if (count > max) break;
  }
  return count;
}

/**
 * A lower bound: assumes that each token reaches as far as the longest token that can start before the end of the previous
 * one. Quickly rejects a long run of letters. Stops above `max`.
 */
function minTokens(bytes: string, max: number, { longestFrom }: TokenRanks): number {
  let count = 0;
  let reached = 0;
  let next = 0;
  for (let position = 0; position < bytes.length && count <= max; position++) {
    next = Math.max(next, position + longestFrom(bytes.charCodeAt(position)));
    if (position < reached) continue;
    count++;
    reached = next;
  }
  return count;
}

/** Merges the first pair of the lowest rank, again and again, until no pair is a token. */
function* countPiece(bytes: string, { rankOf }: TokenRanks): Generator<void, number> {
  if (bytes.length === 1 || rankOf(bytes, 0, bytes.length) >= 0) return 1;
  const parts = linkedBytes(bytes.length);
  const offered = new Int32Array(bytes.length).fill(-1);
  const heap = createHeap(bytes.length);
  const offer = (position: number) => {
    const second = parts.next(position);
    const rank = second < bytes.length ? rankOf(bytes, position, parts.next(second)) : -1;
    offered[position] = rank;
    if (rank >= 0) heap.push(rank, position);
  };
  for (let position = 0; position < bytes.length; position++) {
    offer(position);
    if (position % stepsAtOnce === stepsAtOnce - 1) yield;
  }
  let steps = 0;
  let count = bytes.length;
  for (let lowest = heap.pop(); lowest; lowest = heap.pop()) {
    if (++steps % stepsAtOnce === 0) yield;
    const { rank, position } = lowest;
    // The pair is outdated if a neighbour has been merged since.
    if (offered[position] !== rank) continue;
    offered[parts.merge(position)] = -1;
    count--;
    offer(position);
    if (position > 0) offer(parts.previous(position));
  }
  return count;
}

/** The parts of a piece by their start; at first, each part is one byte. */
function linkedBytes(length: number) {
  const nexts = Int32Array.from({ length: length + 1 }, (_, position) => position + 1);
  const previouses = Int32Array.from({ length: length + 1 }, (_, position) => position - 1);
  return {
    next: (position: number) => nexts[position] ?? length,
    previous: (position: number) => previouses[position] ?? 0,
    /** Joins a part with the next one, and returns where that one started. */
    merge(position: number): number {
      const gone = nexts[position] ?? length;
      const after = nexts[gone] ?? length;
      nexts[position] = after;
      previouses[after] = position;
      return gone;
    },
  };
}

/** Greater than any position, so that rank and position fit into one exact number. */
const maxPositions = 2 ** 32;

function createHeap(capacity: number) {
  let keys = new Float64Array(Math.max(capacity, 1));
  let size = 0;

  const keyAt = (index: number) => keys[index] ?? Number.POSITIVE_INFINITY;

  function rise(key: number): void {
    let at = size - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (keyAt(above) <= key) break;
      keys[at] = keyAt(above);
      at = above;
    }
    keys[at] = key;
  }

  function sink(key: number): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= size) break;
      const lower = left + 1 < size && keyAt(left + 1) < keyAt(left) ? left + 1 : left;
      if (keyAt(lower) >= key) break;
      keys[at] = keyAt(lower);
      at = lower;
    }
    keys[at] = key;
  }

  return {
    push(rank: number, position: number) {
      if (size === keys.length) {
        const larger = new Float64Array(2 * size);
        larger.set(keys);
        keys = larger;
      }
      size++;
      rise(rank * maxPositions + position);
    },
    pop() {
      if (size === 0) return undefined;
      const lowest = keyAt(0);
      const last = keyAt(size - 1);
      size--;
      if (size > 0) sink(last);
      return { rank: Math.floor(lowest / maxPositions), position: lowest % maxPositions };
    },
  };
}

/**
 * The tokens of the byte-pair encoding `cl100k_base` by their bytes, each byte as one character. This is a megabyte of
 * data, so this file is loaded only for a text that may be too long.
 */

const tokenBytes = tokens.map((token) => Buffer.from(token).toString('latin1'));

const none = -1;

interface TokenRanks {
  /** The rank of the token in `bytes` from `start` to `end`; -1 if there is none. */
  rankOf(bytes: string, start: number, end: number): number;
  /** The length of the longest token that starts with this byte. */
  longestFrom(byte: number): number;
}

let known: TokenRanks | undefined;

function tokenRanks(): TokenRanks {
  known ??= index();
  return known;
}

function index(): TokenRanks {
  const ranks = new Map(tokenBytes.map((bytes, rank) => [bytes, rank]));
  // Most lookups are of two bytes, and a table is faster for them.
  const pairs = new Int32Array(256 * 256).fill(none);
  const longest = new Uint8Array(256);
  for (const [rank, bytes] of tokenBytes.entries()) {
    const first = bytes.charCodeAt(0);
    longest[first] = Math.max(longest[first] ?? 0, bytes.length);
    if (bytes.length === 2) pairs[256 * first + bytes.charCodeAt(1)] = rank;
  }
  const longestFrom = (byte: number) => longest[byte] ?? 0;
  return {
    longestFrom,
    rankOf(bytes, start, end) {
      const first = bytes.charCodeAt(start);
      if (end - start === 2) return pairs[256 * first + bytes.charCodeAt(start + 1)] ?? none;
      if (end - start > longestFrom(first)) return none;
      return ranks.get(bytes.slice(start, end)) ?? none;
    },
  };
}
