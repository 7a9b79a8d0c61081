/**
 * The chunks of one response between the socket, which pushes, and one reader, which pulls. Reports when the reader falls
 * behind, has caught up, or leaves. Knows nothing of HTTP. A response that arrives as fast as it can is read in turns, so that
 * the process serves others between them.
 */
import { setImmediate } from 'node:timers/promises';
import type { ReadyIterator } from '../../async/pipe.ts';

/** Above the first number of waiting bytes the socket is paused; below the second it is resumed. */
const highWaterBytes = 128 * 1024;
const lowWaterBytes = 32 * 1024;

/** What the reader gets before others have their turn: some hundred of the smallest events, decoded within a millisecond or two. */
const maxTurnBytes = 8 * 1024;

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
  /** Bytes that the reader has taken in this turn. */
  taken: number;
  full: boolean;
  /** How the input ended. */
  outcome: 'open' | 'ended' | Error;
  /** Set while the reader waits for a chunk. */
  waiting: PromiseWithResolvers<Result> | undefined;
}

/** A queue for one reader: a second loop over it continues where the first one stopped. */
export function createBodyQueue(events: BodyQueueEvents): BodyQueue {
  const state: State = { chunks: [], bytes: 0, taken: 0, full: false, outcome: 'open', waiting: undefined };
  const iterator: ReadyIterator<Uint8Array> = {
    next: () => take(state, events),
    ready: () => takeChunk(state, events),
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
  const { waiting } = state;
  if (!waiting) queue(state, events, chunk);
  else {
    // It waits because nothing else is there.
    state.waiting = undefined;
    const isLong = chunk.length > maxTurnBytes;
    const value = isLong ? chunk.subarray(0, maxTurnBytes) : chunk;
    state.taken = value.length;
    if (isLong) queue(state, events, chunk.subarray(maxTurnBytes));
    waiting.resolve({ done: false, value });
  }
}

function queue(state: State, events: BodyQueueEvents, chunk: Uint8Array): void {
  state.chunks.push(chunk);
  state.bytes += chunk.length;
  if (state.full || state.bytes < highWaterBytes) return;
  state.full = true;
  events.onFull();
}

function take(state: State, events: BodyQueueEvents): Promise<Result> {
  const taken = takeResult(state, events);
  if (taken) return Promise.resolve(taken);
  return state.chunks.length > 0 ? takeNextTurn(state, events) : takeOutcome(state);
}

function takeResult(state: State, events: BodyQueueEvents): Result | undefined {
  const value = takeChunk(state, events);
  return value && { done: false, value };
}

/** Undefined where there is none, and when it is the turn of others. */
function takeChunk(state: State, events: BodyQueueEvents): Uint8Array | undefined {
  const [first] = state.chunks;
  if (!first || state.taken >= maxTurnBytes) return undefined;
  const chunk = first.length > maxTurnBytes ? first.subarray(0, maxTurnBytes) : first;
  if (chunk.length < first.length) state.chunks[0] = first.subarray(maxTurnBytes);
  else state.chunks.shift();
  state.taken += chunk.length;
  state.bytes -= chunk.length;
  if (state.full && state.bytes <= lowWaterBytes) {
    state.full = false;
    events.onDrained();
  }
  return chunk;
}

async function takeNextTurn(state: State, events: BodyQueueEvents): Promise<Result> {
  await setImmediate();
  state.taken = 0;
  return take(state, events);
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
