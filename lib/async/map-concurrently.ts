/** Asynchronous work on many items, a few at a time. */

/** Results by the index of their item. A second attempt does only the missing items. */
export type Finished<Result> = Map<number, Result>;

/** The same work, skipped for items that have a result. */
export function onceEach<Item, Result>(
  finished: Finished<Result>,
  work: (item: Item) => Promise<Result>,
): (item: Item, index: number) => Promise<Result> {
  return async (item, index) => {
    const known = finished.get(index);
    if (known !== undefined) return known;
    const result = await work(item);
    finished.set(index, result);
    return result;
  };
}

/**
 * The results in the order of the items. Rejects with the first failure once the rest of its batch is over, and starts no
 * further batch then.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += size) {
    const batch = items.slice(start, start + size).map((item, offset) => work(item, start + offset));
    try {
      results.push(...(await Promise.all(batch)));
    } catch (thrown) {
      await Promise.allSettled(batch);
      throw thrown;
    }
  }
  return results;
}
