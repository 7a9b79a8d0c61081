/** The frames of a stream of bytes, one after the other. */
import type { Frame } from '../../lib/core/generation/original/protocol.ts';
import { createFrameReader } from '../../lib/transport/framing/sse.ts';

export type Framing = Parameters<typeof createFrameReader>[0];

export async function* readFrames(body: AsyncIterable<Uint8Array>, framing: Framing): AsyncGenerator<Frame> {
  const reader = await createFrameReader(framing);
  for await (const bytes of body) yield* reader.read(bytes);
  yield* reader.end();
}
