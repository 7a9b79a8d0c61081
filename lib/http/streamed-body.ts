/**
 * A body that is made while it is sent, written straight to the response: what the source gives at once is one write, and
 * nothing waits for what comes later. A heartbeat after each period without content keeps the connection open; it is only ever
 * sent between two pieces.
 */

import type { Writable } from 'node:stream';
import type { PublicEvent } from '../core/endpoint.ts';
import { asGatewayError, type GatewayError } from '../core/errors/errors.ts';

/** A comment, which clients ignore. It keeps idle connections open. */
const ping = ': ping\n\n';

export function writeEvent({ id, event, data }: PublicEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const written = event === undefined ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
  return id === undefined ? written : `id: ${id}\n${written}`;
}

export function writeEvents(events: readonly PublicEvent[]): string {
  let text = '';
  for (const event of events) text += writeEvent(event);
  return text;
}

/** What has a long member is written piece by piece. */
export const writeBatch = (events: readonly PublicEvent[]): string | Iterable<string> =>
  events.some(({ long }) => long) ? piecesOf(events) : writeEvents(events);

function* piecesOf(events: readonly PublicEvent[]): Generator<string> {
  for (const { long, ...event } of events) {
    const text = writeEvent(event);
    if (!long) {
      yield text;
      continue;
    }
    const end = text.lastIndexOf('}');
    yield `${text.slice(0, end)},"${long.name}":"`;
    yield* long.pieces;
    yield `"${text.slice(end)}`;
  }
}

/** How a response ended, for the request's log line. */
export interface Outcome {
  readonly status: number;
  readonly error?: GatewayError;
}

export type Finished = (outcome: Outcome) => Promise<void>;

export interface StreamedBody {
  /** Writes all of it; the caller ends the response. Rejects when the response closes before. */
  sendTo(response: Writable): Promise<void>;
}

interface BodySource<Item> {
  /** Read to their end, or left by `return`. */
  readonly items: AsyncIterable<Item>;
  /** Pieces that are written one after the other, and nothing between them. */
  readonly write: (item: Item) => string | Uint8Array | Iterable<string>;
  /** That of the head; 200 if absent. */
  readonly status?: number;
  /** The last text after an error of the items. Absent: the error is thrown. */
  readonly writeError?: (error: GatewayError) => string;
  readonly heartbeat?: Heartbeat;
  /** Called once, after the last piece or when the response has closed. `sendTo` ends when it has resolved. */
  readonly finished: Finished;
}

interface Heartbeat {
  readonly periodMs: number;
  /** Sent in place of a comment, but not before the first piece. */
  readonly event?: PublicEvent | undefined;
}

export const streamedBody = <Item>(source: BodySource<Item>): StreamedBody => ({
  sendTo: (response) => new Sending(source, response).run(),
});

/** The sending of one body: open → over (by the last piece, an error, or because the response has closed), which is reported once. */
class Sending<Item> {
  readonly #source: BodySource<Item>;
  readonly #response: Writable;
  readonly #items: AsyncIterator<Item>;
  readonly #ended = Promise.withResolvers<void>();
  /** One timer for the whole body: `refresh` restarts it without creating another. */
  #timer: NodeJS.Timeout | undefined;
  #ping = ping;
  #ownPing = ping;
  /** It is decided how the sending ends. */
  #isOver = false;
  /** Set while the response takes no more. */
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(source: BodySource<Item>, response: Writable) {
    this.#source = source;
    this.#response = response;
    this.#items = source.items[Symbol.asyncIterator]();
  }

  async run(): Promise<void> {
    const response = this.#response;
    if (response.destroyed) this.#leave(leftBefore());
    else {
      response.on('drain', this.#onDrain).once('close', this.#onClose).once('error', this.#leave);
      this.#startHeartbeat();
      // Status and headers do not wait for the first piece.
      response.write('');
      void this.#send();
    }
    try {
      await this.#ended.promise;
    } finally {
      clearTimeout(this.#timer);
      response.off('drain', this.#onDrain).off('close', this.#onClose).off('error', this.#leave);
    }
  }

  async #send(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#items.next();
        if (done || this.#isOver) break;
        const written = this.#source.write(value);
        const isOne = typeof written === 'string' || written instanceof Uint8Array;
        for (const piece of isOne ? [written] : written) {
          if (!this.#write(piece)) await this.#drained?.promise;
          if (this.#isOver) return;
        }
      }
      if (this.#isOver) return;
      this.#isOver = true;
      await this.#report({ status: this.#source.status ?? 200 });
    } catch (thrown) {
      await this.#fail(thrown);
    }
  }

  /** Never throws for a stream of events: an error in a response stream would end the whole Lambda environment. */
  async #fail(thrown: unknown): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#leaveItems();
    const { writeError } = this.#source;
    const error = asGatewayError(thrown);
    if (!writeError) return await this.#report({ status: error.status, error }, thrown);
    this.#write(writeError(error));
    // A disconnected client got no complete answer, although the head said 200.
    await this.#report({ status: error.kind === 'client_closed' ? error.status : 200, error });
  }

  readonly #onClose = (): void => this.#leave(leftBefore());

  /** The response is closed. What the items have used is known when they are left. */
  readonly #leave = (reason: Error): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#onDrain();
    void this.#leaveItems().then(() => this.#report({ status: 499 }, reason));
  };

  async #report(outcome: Outcome, thrown?: unknown): Promise<void> {
    await this.#source.finished(outcome);
    if (thrown === undefined) this.#ended.resolve();
    else this.#ended.reject(thrown);
  }

  /** Stops what makes them. */
  async #leaveItems(): Promise<void> {
    await this.#items.return?.().catch(() => {});
  }

  readonly #onDrain = (): void => {
    this.#drained?.resolve();
    this.#drained = undefined;
  };

  /** Whether the response takes more. */
  #write(piece: string | Uint8Array): boolean {
    if (piece.length === 0) return true;
    this.#ping = this.#ownPing;
    this.#timer?.refresh();
    if (this.#response.write(piece)) return true;
    this.#drained ??= Promise.withResolvers<void>();
    return false;
  }

  #startHeartbeat(): void {
    const { heartbeat } = this.#source;
    if (!heartbeat) return;
    if (heartbeat.event) this.#ownPing = writeEvent(heartbeat.event);
    this.#timer = setTimeout(() => this.#beat(), heartbeat.periodMs);
  }

  #beat(): void {
    if (!this.#drained && !this.#response.write(this.#ping)) this.#drained = Promise.withResolvers<void>();
    this.#timer?.refresh();
  }
}

const leftBefore = () => new Error('The response was closed before its end.');
