/** Tags: pairs of words by which callers and operators group usage. They are part of the ledger's record. */

export type Tags = Readonly<Record<string, string>>;

/** How many a record holds. */
export const maxTags = 8;

/** In characters. */
export const maxTagName = 64;
export const maxTagValue = 128;

/** In a query: `tag:team` groups by the tag `team`. */
export const tagPrefix = 'tag:';

/** The first eight pairs, each value cut; undefined if there are none. */
export function firstTags(pairs: Tags): Tags | undefined {
  const kept = Object.entries(pairs)
    .slice(0, maxTags)
    .map(([name, value]) => [name.slice(0, maxTagName), value.slice(0, maxTagValue)]);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
