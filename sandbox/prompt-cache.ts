/**
 * Prompt caching as the providers with markers count it: a marked prefix is written when it is first seen, and read when
 * it comes again. Prefixes below the minimum size are not cached.
 */
import { createHash } from 'node:crypto';
import { countTokens } from './script.ts';

/** A block of a request, in the order in which the model reads them. */
export interface CacheBlock {
  readonly content: unknown;
  readonly marked: boolean;
  /** Whether it is kept for an hour; else for five minutes. */
  readonly hour?: boolean;
}

/** In tokens. */
export interface CacheCounts {
  readonly read: number;
  readonly write: number;
  /** Part of `write`. */
  readonly writeHour: number;
}

const leastTokens = 1_024;

/** So many blocks before a marker are looked through for what was written at an earlier one. */
const lookBack = 20;

/** So many markers a request may have. */
export const maxMarkers = 4;

const maxPrefixes = 1_000;

/** Counts requests against one memory. */
export function createPromptCache(): (blocks: readonly CacheBlock[]) => CacheCounts {
  const known = new Set<string>();
  return (blocks) => {
    const prefixes = prefixesOf(blocks);
    const marks = blocks.flatMap(({ marked }, index) => (marked ? [index] : []));
    const read = Math.max(
      0,
      ...marks.map((index) => found(prefixes.slice(Math.max(0, index - lookBack), index + 1), known)),
    );
    const written = marks
      .flatMap((index) => prefixes[index] ?? [])
      .filter(({ tokens }) => tokens >= leastTokens);
    for (const { hash } of written) remember(known, hash);
    const beyondRead = (list: readonly Prefix[]) =>
      Math.max(read, ...list.map(({ tokens }) => tokens)) - read;
    return { read, write: beyondRead(written), writeHour: beyondRead(written.filter(({ hour }) => hour)) };
  };
}

interface Prefix {
  readonly hash: string;
  readonly tokens: number;
  readonly hour: boolean;
}

function prefixesOf(blocks: readonly CacheBlock[]): readonly Prefix[] {
  const hash = createHash('sha256');
  let tokens = 0;
  return blocks.map(({ content, hour = false }) => {
    const text = JSON.stringify(content);
    hash.update(text);
    tokens += countTokens(text);
    return { hash: hash.copy().digest('hex'), tokens, hour };
  });
}

function found(prefixes: readonly Prefix[], known: ReadonlySet<string>): number {
  return prefixes.findLast(({ hash }) => known.has(hash))?.tokens ?? 0;
}

function remember(known: Set<string>, hash: string): void {
  known.add(hash);
  const [oldest] = known;
  if (known.size > maxPrefixes && oldest !== undefined) known.delete(oldest);
}
