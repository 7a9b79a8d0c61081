/** Reads numbered blocks one after the other, while they are written. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Following<Block> {
  /** The block with the number `n`; undefined: it is not written yet. */
  readonly read: (n: number) => Promise<Block | undefined>;
  /** Asked where there is no block: whether none comes any more. What was written before the answer is still read. */
  readonly isOver: () => boolean | Promise<boolean>;
  /** Aborted when the reader has left. */
  readonly signal: AbortSignal;
}

/** The pauses between two looks: the shortest, how each grows, and the longest. In milliseconds. */
const pauses = { first: 250, factor: 1.5, max: 1_000 };

/** Every block, until none comes any more. Ends, and never rejects, where the reader has left. */
export async function* followBlocks<Block extends { readonly next: number }>({
  read,
  isOver,
  signal,
}: Following<Block>): AsyncGenerator<Block> {
  let next = 0;
  let isLast = false;
  let pausing = growingPause(signal);
  while (!signal.aborted) {
    const block = await read(next);
    if (block) {
      yield block;
      next = block.next;
      pausing = growingPause(signal);
    } else if (isLast) return;
    else {
      isLast = await isOver();
      if (!isLast) await pausing();
    }
  }
}

/** Each pause is longer than the one before it, and ends early where the reader leaves. */
export function growingPause(signal: AbortSignal): () => Promise<void> {
  let pauseMs = pauses.first;
  return async () => {
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    pauseMs = Math.min(pauses.max, pauseMs * pauses.factor);
  };
}
