/** Work on many things, a few at a time. */

/** What of such work is done already, by place: a second try does only the rest. */
export type Finished<Result> = Map<number, Result>;

/** Work that is not done again for a place where it is done. */
export function onceEach<Item, Result>(
  finished: Finished<Result>,
  work: (item: Item) => Promise<Result>,
): (item: Item, place: number) => Promise<Result> {
  return async (item, place) => {
    const known = finished.get(place);
    if (known !== undefined) return known;
    const result = await work(item);
    finished.set(place, result);
    return result;
  };
}

/** The results in the order of the items. Rejects with the first failure, and starts no further batch then. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item, place: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += size) {
    const batch = items.slice(start, start + size).map((item, index) => work(item, start + index));
    results.push(...(await Promise.all(batch)));
  }
  return results;
}
