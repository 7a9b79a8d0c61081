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

export interface BodyQueueEvents {
  onFull(): void;
  onDrained(): void;
  /** The reader left the loop before the end. */
  onLeave(): void;
}

type Result = IteratorResult<Uint8Array, undefined>;

const done: Result = { done: true, value: undefined };

/** A queue for one reader: a second loop over it continues where the first one stopped. */
export class BodyQueue implements AsyncIterable<Uint8Array>, ReadyIterator<Uint8Array> {
  readonly #events: BodyQueueEvents;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** Bytes that the reader has taken in this turn. */
  #taken = 0;
  #isFull = false;
  /** How the input ended. */
  #outcome: 'open' | 'ended' | Error = 'open';
  /** Set while the reader waits for a chunk. */
  #waiting: PromiseWithResolvers<Result> | undefined;

  constructor(events: BodyQueueEvents) {
    this.#events = events;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(chunk: Uint8Array): void {
    const waiting = this.#waiting;
    if (!waiting) {
      this.#queue(chunk);
      return;
    }
    // It waits because nothing else is there.
    this.#waiting = undefined;
    const isLong = chunk.length > maxTurnBytes;
    const value = isLong ? chunk.subarray(0, maxTurnBytes) : chunk;
    this.#taken = value.length;
    if (isLong) this.#queue(chunk.subarray(maxTurnBytes));
    waiting.resolve({ done: false, value });
  }

  end(): void {
    this.#setOutcome('ended');
  }

  /** The reader gets the chunks received before, then the error. */
  fail(error: Error): void {
    this.#setOutcome(error);
  }

  /** Drops all chunks that the reader has not taken. */
  discard(): void {
    this.#chunks.length = 0;
    this.#bytes = 0;
  }

  next(): Promise<Result> {
    const value = this.ready();
    if (value) return Promise.resolve({ done: false, value });
    return this.#chunks.length > 0 ? this.#takeNextTurn() : this.#takeOutcome();
  }

  /** Undefined where there is none, and when it is the turn of others. */
  ready(): Uint8Array | undefined {
    const [first] = this.#chunks;
    if (!first || this.#taken >= maxTurnBytes) return undefined;
    const chunk = first.length > maxTurnBytes ? first.subarray(0, maxTurnBytes) : first;
    if (chunk.length < first.length) this.#chunks[0] = first.subarray(maxTurnBytes);
    else this.#chunks.shift();
    this.#taken += chunk.length;
    this.#bytes -= chunk.length;
    if (this.#isFull && this.#bytes <= lowWaterBytes) {
      this.#isFull = false;
      this.#events.onDrained();
    }
    return chunk;
  }

  async return(): Promise<Result> {
    this.discard();
    this.#setOutcome('ended');
    this.#events.onLeave();
    return done;
  }

  #queue(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#isFull || this.#bytes < highWaterBytes) return;
    this.#isFull = true;
    this.#events.onFull();
  }

  async #takeNextTurn(): Promise<Result> {
    await setImmediate();
    this.#taken = 0;
    return this.next();
  }

  #takeOutcome(): Promise<Result> {
    if (this.#outcome === 'ended') return Promise.resolve(done);
    if (this.#outcome !== 'open') return Promise.reject(this.#outcome);
    this.#waiting = Promise.withResolvers<Result>();
    return this.#waiting.promise;
  }

  #setOutcome(outcome: 'ended' | Error): void {
    if (this.#outcome !== 'open') return;
    this.#outcome = outcome;
    if (outcome === 'ended') this.#waiting?.resolve(done);
    else this.#waiting?.reject(outcome);
    this.#waiting = undefined;
  }
}
