/** Splits a stream of bytes into frames. The protocols read the frames. */
import type { FrameReader } from '../../core/generation/original/protocol.ts';
import { createServerSentEventReader } from './sse.ts';

/** The reader throws `upstream_invalid_answer` for invalid bytes, and `upstream_cut` if a binary frame is incomplete. */
export async function createFrameReader(framing: 'sse' | 'event-stream'): Promise<FrameReader> {
  if (framing === 'sse') return createServerSentEventReader();
  // Loaded with the first such stream: 22 KB that only Bedrock needs.
  const { createEventStreamReader } = await import('./event-stream.ts');
  return createEventStreamReader();
}
