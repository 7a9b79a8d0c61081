/** As `Promise.all` of what `work` makes of each, with one promise more than `work` makes for a single item, which is what nearly all requests have. */
export function allOf<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const [first] = items;
  return items.length === 1 && first !== undefined
    ? work(first).then((result) => [result])
    : Promise.all(items.map(work));
}
