/** Tags: pairs of words by which callers and operators group usage. They are part of the ledger's record. */

export type Tags = Readonly<Record<string, string>>;

/** How many a record holds. */
export const maxTags = 8;

/** In characters. */
export const maxTagName = 64;
export const maxTagValue = 128;

/** In a query: `tag:team` groups by the tag `team`. */
export const tagPrefix = 'tag:';

/**
 * The first eight pairs with a name, each cut; undefined if there are none. The database takes no name without a character, and
 * no half of one.
 */
export function firstTags(pairs: Tags): Tags | undefined {
  const kept = Object.entries(pairs)
    .filter(([name]) => name !== '')
    .slice(0, maxTags)
    .map(([name, value]) => [cut(name, maxTagName), cut(value, maxTagValue)]);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

const cut = (text: string, length: number) => text.slice(0, length).toWellFormed();
