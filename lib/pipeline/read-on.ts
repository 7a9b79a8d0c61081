/** The events of a streamed answer whose body is read on for its counts after its reader has left. */
import { type Piped, pipe, type ReadyIterator, type Transform } from '../async/pipe.ts';
import type { GenerationEvent } from '../core/generation/events.ts';
import { maxReadOnBytes } from '../core/read-on.ts';
import type { NotedUse } from './use/attempt-use.ts';

interface ReadOnParts {
  /** What the reader gets the body through. */
  readonly decoding: Transform<Uint8Array, GenerationEvent>;
  readonly noted: NotedUse;
}

/**
 * Decodes the body. Where it is left before its counts are known, it is read to them, to its end, or to as many bytes as are
 * allowed; the time is limited by the signal of the call. The reader waits for that, so that its record has the counts.
 */
export function readingOn(
  body: AsyncIterable<Uint8Array>,
  { decoding, noted }: ReadOnParts,
): Piped<GenerationEvent> {
  const source: AsyncIterator<Uint8Array> & Partial<ReadyIterator<Uint8Array>> = body[Symbol.asyncIterator]();
  /** What the reader waits for, until it is decoded. A reader that has left takes no notice of it. */
  let awaited: Promise<IteratorResult<Uint8Array>> | undefined;
  const count = (bytes: Uint8Array | undefined) => {
    const events: GenerationEvent[] = [];
    if (bytes) decoding.each(bytes, events);
    else decoding.end?.(events);
    noted.each(events, []);
  };
  const readOn = async () => {
    for (let bytes = 0; noted.isLeft() && bytes < maxReadOnBytes; ) {
      const waiting = awaited ?? source.next();
      awaited = undefined;
      const { done, value } = await waiting;
      count(done ? undefined : value);
      if (done) return;
      bytes += value.length;
    }
  };
  const iterator: ReadyIterator<Uint8Array> = {
    next() {
      awaited = source.next();
      return awaited;
    },
    ready: () => source.ready?.(),
    async return() {
      noted.endLeft(await readOn().catch((thrown: unknown) => thrown));
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
  const decoded: Transform<Uint8Array, GenerationEvent> = {
    ...decoding,
    each(bytes, out) {
      awaited = undefined;
      decoding.each(bytes, out);
    },
  };
  return pipe({ [Symbol.asyncIterator]: () => iterator }, decoded).pipe(noted);
}
