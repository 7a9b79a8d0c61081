/**
 * Cuts a stream of bytes into the frames of its wire. What a frame says is the protocol's matter.
 */
import type { FrameReader } from '../core/protocol.ts';
import { createEventStreamReader } from './event-stream.ts';
import { createServerSentEventReader } from './sse.ts';

/**
 * Throws `upstream_invalid_answer` for bytes that are no such stream, and `upstream_cut` for one that ends inside a binary
 * frame.
 */
export function createFrameReader(framing: 'sse' | 'event-stream'): FrameReader {
  return framing === 'sse' ? createServerSentEventReader() : createEventStreamReader();
}
