/** Asynchronous work on what a source gives, a few at a time: the source is asked for more when there is room. */

/** Rejects with the first failure once what has begun is over, and leaves the source then. */
export async function eachConcurrently<Item>(
  source: AsyncIterable<Item>,
  size: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const item of source) {
    const one = work(item)
      .catch((thrown: unknown) => {
        failures.push(thrown);
      })
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= size) await Promise.race(running);
    if (failures.length > 0) break;
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
