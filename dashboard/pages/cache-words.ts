/** Settings of cached answers as the words of a form. */
import type { CacheAnswer, CacheInput } from '../../lib/admin/cache-fields.ts';

const flags = { off: 'off', on: 'by default', asked: 'only where asked' } as const;

/** What is proposed; other times are typed. */
export const proposedCache = [...Object.values(flags), 'for 300 s', 'at most 3600 s'].map((value) => ({
  value,
}));

export function cacheWords(cache: CacheAnswer): readonly string[] {
  const { default: isDefault = null, ttl = null, max_ttl: maxTtl = null, off = false } = cache ?? {};
  return [
    ...(off ? [flags.off] : []),
    ...(isDefault === null ? [] : [isDefault ? flags.on : flags.asked]),
    ...(ttl === null ? [] : [`for ${ttl} s`]),
    ...(maxTtl === null ? [] : [`at most ${maxTtl} s`]),
  ];
}

/** What is no setting goes as a time, so that the API says what it wants. */
export function cacheOf(words: readonly string[]): CacheInput {
  if (words.length === 0) return null;
  const known: readonly string[] = Object.values(flags);
  const times = words.filter((word) => !known.includes(word));
  const longest = times.find((word) => word.startsWith('at most'));
  const ttl = times.find((word) => word !== longest);
  return {
    ...(words.includes(flags.off) && { off: true }),
    ...(words.includes(flags.on) ? { default: true } : words.includes(flags.asked) && { default: false }),
    ...(ttl !== undefined && { ttl: secondsOf(ttl) }),
    ...(longest !== undefined && { max_ttl: secondsOf(longest) }),
  };
}

const secondsOf = (word: string): number => Number(/\d+/.exec(word)?.[0] ?? 0);
