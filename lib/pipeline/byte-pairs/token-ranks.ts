/**
 * The tokens of the byte-pair encoding `cl100k_base` by their bytes, each byte as one character. This is a megabyte of
 * data, so this file is loaded only for a text that may be too long.
 */
import tokens from 'gpt-tokenizer/bpeRanks/cl100k_base';

const tokenBytes = tokens.map((token) => Buffer.from(token).toString('latin1'));

const none = -1;

export interface TokenRanks {
  /** The rank of the token in `bytes` from `start` to `end`; -1 if there is none. */
  rankOf(bytes: string, start: number, end: number): number;
  /** The length of the longest token that starts with this byte. */
  longestFrom(byte: number): number;
}

let known: TokenRanks | undefined;

export function tokenRanks(): TokenRanks {
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
