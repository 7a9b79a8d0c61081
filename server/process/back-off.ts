/** How long to wait before another worker is started in place of one that has ended or failed. */

interface BackOff {
  /** One has ended or failed, after so many milliseconds. */
  note(livedMs: number): void;
  /** In milliseconds. */
  delay(): number;
}

/** A worker that has lived so long has started well. */
const healthyMs = 60_000;

const firstMs = 500;

const maxBackOffMs = 30_000;

/** None after a healthy life; twice as long after each short one in a row. */
export function createBackOff(): BackOff {
  let shortLives = 0;
  return {
    note(livedMs) {
      shortLives = livedMs < healthyMs ? shortLives + 1 : 0;
    },
    delay: () => (shortLives === 0 ? 0 : Math.min(maxBackOffMs, firstMs * 2 ** (shortLives - 1))),
  };
}
