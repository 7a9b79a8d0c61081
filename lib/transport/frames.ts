/**
 * Cuts a stream of bytes into the frames of its wire. What a frame says is the protocol's matter.
 */
import type { Frame } from '../core/protocol.ts';
import { readEventStream } from './event-stream.ts';
import { readServerSentEvents } from './sse.ts';

/**
 * The frames of a stream, however its bytes were split on the way. Throws `upstream_invalid_answer` for bytes that are
 * no such stream, `upstream_cut` for one that ends inside a binary frame, and what the body itself throws.
 */
export function readFrames(
  body: AsyncIterable<Uint8Array>,
  framing: 'sse' | 'event-stream',
): AsyncGenerator<Frame> {
  return framing === 'sse' ? readServerSentEvents(body) : readEventStream(body);
}
