/**
 * The body of a streamed response. Events that are ready in the same turn are sent as one chunk, and no event waits for
 * another. A heartbeat after each period without events keeps the connection open; it is only ever sent between two events.
 */
import { Readable } from 'node:stream';
import type { PublicEvent } from '../core/endpoint.ts';
import { ping, writeEvent } from './server-sent-events.ts';

/** No more text than this is collected before it is sent, in characters. */
const maxChunkLength = 16 * 1024;

/**
 * `events` are read to their end, or closed with `return`; they must not reject. `heartbeat`: sent in place of a comment, but not
 * before the first event.
 */
export function streamBody(
  events: AsyncGenerator<string>,
  heartbeatMs: number,
  heartbeat?: PublicEvent,
): Readable {
  return new StreamBody(events, heartbeatMs, heartbeat);
}

class StreamBody extends Readable {
  readonly #events: AsyncGenerator<string>;
  /** One timer for the whole stream: `refresh` restarts it without creating another. */
  readonly #heartbeat: NodeJS.Timeout;
  readonly #ownPing: string;
  #ping = ping;
  /** Text that is collected in this turn and not yet sent. */
  #collected = '';
  #isReading = false;
  /** The reader wants no more at the moment. */
  #isFull = false;

  constructor(events: AsyncGenerator<string>, heartbeatMs: number, own: PublicEvent | undefined) {
    super({ objectMode: true, highWaterMark: 1 });
    this.#events = events;
    this.#ownPing = own ? writeEvent(own) : ping;
    this.#heartbeat = setTimeout(() => this.#sendPing(), heartbeatMs);
  }

  override _read(): void {
    this.#isFull = false;
    this.#readNext();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#heartbeat);
    this.#events.return(undefined).then(() => done(error), done);
  }

  #readNext(): void {
    if (this.#isReading || this.#isFull || this.#collected.length >= maxChunkLength || this.destroyed) return;
    this.#isReading = true;
    this.#events.next().then(this.#onEvent, this.#onError);
  }

  readonly #onEvent = ({ done, value }: IteratorResult<string, unknown>): void => {
    this.#isReading = false;
    if (done) {
      this.#send();
      this.push(null);
      return;
    }
    // Runs when every event that is ready has been read.
    if (this.#collected === '') process.nextTick(this.#send);
    this.#collected += value;
    this.#readNext();
  };

  readonly #onError = (error: Error): void => {
    this.destroy(error);
  };

  readonly #send = (): void => {
    if (this.#collected === '' || this.destroyed) return;
    const chunk = this.#collected;
    this.#collected = '';
    this.#ping = this.#ownPing;
    this.#heartbeat.refresh();
    this.#isFull = !this.push(chunk);
    this.#readNext();
  };

  #sendPing(): void {
    if (!this.#isFull && this.#collected === '') this.#isFull = !this.push(this.#ping);
    this.#heartbeat.refresh();
  }
}
