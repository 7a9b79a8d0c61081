/** A stream whose first item was read. */
export async function* withFirst<Item>(first: Item, rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
