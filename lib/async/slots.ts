/** Work on what has a name, such as a host: only so much of one name at the same time. */

/** Runs the work when a slot of its name is free. Rejects with the reason of the signal if that is aborted before. */
export type RunInSlot = <Result>(
  name: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>;

/** `size`: how much work of one name runs at a time. The rest waits, in its order. */
export function createSlots(size: number): RunInSlot {
  /** By name, how many run; and who waits. A name without work is not kept. */
  const names = new Map<string, { running: number; readonly waiting: Set<() => void> }>();
  const take = async (name: string, signal: AbortSignal) => {
    signal.throwIfAborted();
    const slot = names.get(name) ?? { running: 0, waiting: new Set() };
    names.set(name, slot);
    if (slot.running < size) {
      slot.running += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const leave = () => turn.reject(signal.reason);
    slot.waiting.add(turn.resolve);
    signal.addEventListener('abort', leave, { once: true });
    await turn.promise.finally(() => {
      slot.waiting.delete(turn.resolve);
      signal.removeEventListener('abort', leave);
    });
  };
  const free = (name: string) => {
    const slot = names.get(name);
    if (!slot) return;
    const [next] = slot.waiting;
    if (next) {
      // The slot goes to the next one, and who comes later waits behind it.
      slot.waiting.delete(next);
      next();
      return;
    }
    slot.running -= 1;
    if (slot.running === 0) names.delete(name);
  };
  return async (name, signal, work) => {
    await take(name, signal);
    try {
      return await work();
    } finally {
      free(name);
    }
  };
}
