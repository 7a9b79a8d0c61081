/** Maps a list: the list itself where each item stays the same. */
export function mapKept<Item>(
  list: readonly Item[],
  map: (item: Item, index: number) => Item,
): readonly Item[] {
  let changed: Item[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const given = list[index] as Item;
    const item = map(given, index);
    if (!changed && item !== given) changed = list.slice(0, index);
    changed?.push(item);
  }
  return changed ?? list;
}
