/** Random choices that are the same for the same seed (mulberry32). */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number; both ends are included. */
  between(least: number, most: number): number;
  one<Value>(values: readonly Value[]): Value;
  /** True with this probability. */
  chance(share: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    one: (values) => values[between(0, values.length - 1)] as never,
    chance: (share) => next() < share,
  };
}
