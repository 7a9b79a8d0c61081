/**
 * The body of a stream. Events that are ready in the same turn leave as one piece, and none waits for another; a comment
 * after each period without an event keeps the connection open, only ever between two events.
 */
import { Readable } from 'node:stream';
import { ping } from './server-sent-events.ts';

/** As much as is put together before it leaves, in characters. */
const largestPiece = 16 * 1024;

/** `events` are read to their end, or left by `return`; they must not reject. */
export function streamBody(events: AsyncGenerator<string>, periodMs: number): Readable {
  let ready = '';
  let isReading = false;
  let isFull = false;

  function leave(): void {
    if (ready === '' || body.destroyed) return;
    const piece = ready;
    ready = '';
    timer.refresh();
    isFull = !body.push(piece);
    read();
  }

  function read(): void {
    if (isReading || isFull || ready.length >= largestPiece || body.destroyed) return;
    isReading = true;
    void events.next().then(take, (error: Error) => body.destroy(error));
  }

  function take({ done, value }: IteratorResult<string, unknown>): void {
    isReading = false;
    if (done) {
      leave();
      body.push(null);
      return;
    }
    // Runs when all that can go on without waiting has done so.
    if (ready === '') process.nextTick(leave);
    ready += value;
    read();
  }

  const body = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      isFull = false;
      read();
    },
    destroy(error, closed) {
      clearTimeout(timer);
      events.return(undefined).then(() => closed(error), closed);
    },
  });
  // One timer for the whole stream; `refresh` restarts it without making another.
  const timer = setTimeout(() => {
    if (!isFull && ready === '') isFull = !body.push(ping);
    timer.refresh();
  }, periodMs);
  return body;
}
