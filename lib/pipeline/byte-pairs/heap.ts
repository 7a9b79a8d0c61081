/** A heap of positions by rank: the lowest rank comes first, and among equal ranks the first position. */

/** Greater than any position, so that rank and position fit into one exact number. */
const maxPositions = 2 ** 32;

interface Heap {
  push(rank: number, position: number): void;
  pop(): { readonly rank: number; readonly position: number } | undefined;
}

export function createHeap(capacity: number): Heap {
  let keys = new Float64Array(Math.max(capacity, 1));
  let size = 0;

  const keyAt = (index: number) => keys[index] ?? Number.POSITIVE_INFINITY;

  function rise(key: number): void {
    let at = size - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (keyAt(above) <= key) break;
      keys[at] = keyAt(above);
      at = above;
    }
    keys[at] = key;
  }

  function sink(key: number): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= size) break;
      const lower = left + 1 < size && keyAt(left + 1) < keyAt(left) ? left + 1 : left;
      if (keyAt(lower) >= key) break;
      keys[at] = keyAt(lower);
      at = lower;
    }
    keys[at] = key;
  }

  return {
    push(rank, position) {
      if (size === keys.length) {
        const larger = new Float64Array(2 * size);
        larger.set(keys);
        keys = larger;
      }
      size++;
      rise(rank * maxPositions + position);
    },
    pop() {
      if (size === 0) return undefined;
      const lowest = keyAt(0);
      const last = keyAt(size - 1);
      size--;
      if (size > 0) sink(last);
      return { rank: Math.floor(lowest / maxPositions), position: lowest % maxPositions };
    },
  };
}
