/**
 * Coalesces additions to the same counter: those that arrive while a write is in flight are sent together as the next
 * write. This helps when one process serves many requests with the same key and model, as a local gateway does.
 */
import { addCounts, type CounterKey, type Counts } from '../../core/accounting/counters.ts';

/** Resolves when the counts are stored; rejects if that is unknown. */
export type AddToCounter = (key: CounterKey, counts: Counts) => Promise<void>;

interface PendingAddition {
  counts: Counts;
  readonly written: Promise<void>;
}

export function coalesceWrites(add: AddToCounter): AddToCounter {
  /** Writes in flight, by counter; these never reject. */
  const inFlight = new Map<string, Promise<void>>();
  const waiting = new Map<string, PendingAddition>();

  function start(counter: string, key: CounterKey, counts: Counts): Promise<void> {
    const written = add(key, counts);
    const finished = () => void inFlight.delete(counter);
    inFlight.set(counter, written.then(finished, finished));
    return written;
  }

  return (key, counts) => {
    const counter = JSON.stringify([key.tenant, key.day, key.key, key.model]);
    const pending = waiting.get(counter);
    if (pending) {
      pending.counts = addCounts(pending.counts, counts);
      return pending.written;
    }
    const previous = inFlight.get(counter);
    if (!previous) return start(counter, key, counts);
    const next: PendingAddition = {
      counts,
      written: previous.then(() => {
        waiting.delete(counter);
        return start(counter, key, next.counts);
      }),
    };
    waiting.set(counter, next);
    return next.written;
  };
}
