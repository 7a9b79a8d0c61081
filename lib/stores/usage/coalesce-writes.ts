/**
 * Additions to one sum that come while an earlier one is on its way leave together, as one write. That happens
 * where one process serves many requests at a time, as a local gateway does, and many of them have a key and model in common.
 */
import { addCounts, type CounterKey, type Counts } from '../../core/accounting/counters.ts';

/** Resolves when the counts are in the sum; rejects where that is not known. */
export type AddToCounter = (key: CounterKey, counts: Counts) => Promise<void>;

interface Gathered {
  counts: Counts;
  readonly written: Promise<void>;
}

export function coalesceWrites(add: AddToCounter): AddToCounter {
  /** By sum; these never reject. */
  const underWay = new Map<string, Promise<void>>();
  const waiting = new Map<string, Gathered>();

  function start(sum: string, key: CounterKey, counts: Counts): Promise<void> {
    const written = add(key, counts);
    const over = () => void underWay.delete(sum);
    underWay.set(sum, written.then(over, over));
    return written;
  }

  return (key, counts) => {
    const sum = JSON.stringify([key.tenant, key.day, key.key, key.model]);
    const gathered = waiting.get(sum);
    if (gathered) {
      gathered.counts = addCounts(gathered.counts, counts);
      return gathered.written;
    }
    const before = underWay.get(sum);
    if (!before) return start(sum, key, counts);
    const next: Gathered = {
      counts,
      written: before.then(() => {
        waiting.delete(sum);
        return start(sum, key, next.counts);
      }),
    };
    waiting.set(sum, next);
    return next.written;
  };
}
