/**
 * The body of a streamed response. Events that are ready in the same turn are sent as one chunk, and no event waits for
 * another. A comment after each period without events keeps the connection open; it is only ever sent between two events.
 */
import { Readable } from 'node:stream';
import { ping } from './server-sent-events.ts';

/** No more text than this is collected before it is sent, in characters. */
const maxChunkLength = 16 * 1024;

/** `events` are read to their end, or closed with `return`; they must not reject. */
export function streamBody(events: AsyncGenerator<string>, heartbeatMs: number): Readable {
  return new StreamBody(events, heartbeatMs);
}

class StreamBody extends Readable {
  readonly #events: AsyncGenerator<string>;
  /** One timer for the whole stream: `refresh` restarts it without creating another. */
  readonly #heartbeat: NodeJS.Timeout;
  /** Text that is collected in this turn and not yet sent. */
  #collected = '';
  #isReading = false;
  /** The reader wants no more at the moment. */
  #isFull = false;

  constructor(events: AsyncGenerator<string>, heartbeatMs: number) {
    super({ objectMode: true, highWaterMark: 1 });
    this.#events = events;
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
    this.#heartbeat.refresh();
    this.#isFull = !this.push(chunk);
    this.#readNext();
  };

  #sendPing(): void {
    if (!this.#isFull && this.#collected === '') this.#isFull = !this.push(ping);
    this.#heartbeat.refresh();
  }
}
