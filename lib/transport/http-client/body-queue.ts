/**
 * The chunks of one response between the socket, which pushes, and one reader, which pulls. Reports when the reader falls
 * behind, has caught up, or leaves. Knows nothing of HTTP.
 */

/** Above the first number of waiting bytes the socket is paused; below the second it is resumed. */
export const highWaterBytes = 128 * 1024;
const lowWaterBytes = 32 * 1024;

export interface BodyQueue extends AsyncIterable<Uint8Array> {
  push(chunk: Uint8Array): void;
  end(): void;
  /** The reader gets the chunks received before, then the error. */
  fail(error: Error): void;
  /** Drops all chunks that the reader has not taken. */
  discard(): void;
}

export interface BodyQueueEvents {
  onFull(): void;
  onDrained(): void;
  /** The reader left the loop before the end. */
  onLeave(): void;
}

type Result = IteratorResult<Uint8Array, undefined>;

const done: Result = { done: true, value: undefined };

interface State {
  readonly chunks: Uint8Array[];
  bytes: number;
  full: boolean;
  /** How the input ended. */
  outcome: 'open' | 'ended' | Error;
  /** Set while the reader waits for a chunk. */
  waiting: PromiseWithResolvers<Result> | undefined;
}

/** A queue for one reader: a second loop over it continues where the first one stopped. */
export function createBodyQueue(events: BodyQueueEvents): BodyQueue {
  const state: State = { chunks: [], bytes: 0, full: false, outcome: 'open', waiting: undefined };
  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next: () => take(state, events),
    async return() {
      discard(state);
      setOutcome(state, 'ended');
      events.onLeave();
      return done;
    },
  };
  return {
    push: (chunk) => push(state, events, chunk),
    end: () => setOutcome(state, 'ended'),
    fail: (error) => setOutcome(state, error),
    discard: () => discard(state),
    [Symbol.asyncIterator]: () => iterator,
  };
}

function push(state: State, events: BodyQueueEvents, chunk: Uint8Array): void {
  if (state.waiting) {
    state.waiting.resolve({ done: false, value: chunk });
    state.waiting = undefined;
    return;
  }
  state.chunks.push(chunk);
  state.bytes += chunk.length;
  if (state.full || state.bytes < highWaterBytes) return;
  state.full = true;
  events.onFull();
}

function take(state: State, events: BodyQueueEvents): Promise<Result> {
  const chunk = state.chunks.shift();
  if (!chunk) return takeOutcome(state);
  state.bytes -= chunk.length;
  if (state.full && state.bytes <= lowWaterBytes) {
    state.full = false;
    events.onDrained();
  }
  return Promise.resolve({ done: false, value: chunk });
}

function takeOutcome(state: State): Promise<Result> {
  if (state.outcome === 'ended') return Promise.resolve(done);
  if (state.outcome !== 'open') return Promise.reject(state.outcome);
  state.waiting = Promise.withResolvers<Result>();
  return state.waiting.promise;
}

function setOutcome(state: State, outcome: 'ended' | Error): void {
  if (state.outcome !== 'open') return;
  state.outcome = outcome;
  if (outcome === 'ended') state.waiting?.resolve(done);
  else state.waiting?.reject(outcome);
  state.waiting = undefined;
}

function discard(state: State): void {
  state.chunks.length = 0;
  state.bytes = 0;
}
