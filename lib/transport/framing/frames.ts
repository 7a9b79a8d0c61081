/**
 * Cuts a stream of bytes into the frames of its wire. What a frame says is the protocol's matter.
 */
import type { FrameReader } from '../../core/generation/protocol.ts';
import { createServerSentEventReader } from './sse.ts';

/**
 * Throws `upstream_invalid_answer` for bytes that are no such stream, and `upstream_cut` for one that ends inside a binary
 * frame.
 */
export async function createFrameReader(framing: 'sse' | 'event-stream'): Promise<FrameReader> {
  if (framing === 'sse') return createServerSentEventReader();
  // Loaded with the first stream of its kind: 22 KB that only Bedrock speaks.
  const { createEventStreamReader } = await import('./event-stream.ts');
  return createEventStreamReader();
}
