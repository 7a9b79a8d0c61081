/** Anthropic's recorded streams, as Bedrock would send them: they pass on, and mean, the same. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { Frame, GenerationProtocol } from '../../../lib/core/generation/original/protocol.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockInvoke } from '../../../lib/protocols/bedrock-invoke/protocol.ts';
import { readFrames } from '../../harness/frames.ts';
import { wrapEvent } from '../../harness/protocols/bedrock-invoke.ts';
import { chatRecordings, hasRecordings } from '../../harness/recorded/recordings.ts';

const recordings = chatRecordings().filter(({ protocol, stream }) => protocol === 'anthropic' && stream);

async function* inPieces(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

const framesOf = (protocol: GenerationProtocol, body: Uint8Array, size: number) =>
  Array.fromAsync(readFrames(inPieces(body, size), protocol.framing));

/** The events, and the kind of the error that ends them. */
function eventsOf(protocol: GenerationProtocol, frames: readonly Frame[]): readonly unknown[] {
  const decoder = protocol.decodeStream('original');
  const seen: (GenerationEvent | string)[] = [];
  try {
    for (const frame of frames) seen.push(...decoder.onFrame(frame));
    seen.push(...decoder.onEnd());
  } catch (thrown) {
    seen.push(thrown instanceof GatewayError ? thrown.kind : String(thrown));
  }
  return seen;
}

describe.skipIf(!hasRecordings)('a recorded stream', () => {
  test('exists', () => expect(recordings.length).toBeGreaterThan(10));

  test.each(recordings)('$name', async ({ body }) => {
    const frames = await framesOf(anthropicMessages, body, body.length);
    const wrapped = Buffer.concat(frames.map(({ data }) => wrapEvent(data)));
    const seen = eventsOf(bedrockInvoke, await framesOf(bedrockInvoke, wrapped, 999));
    expect(seen).toEqual(eventsOf(anthropicMessages, frames));
    expect(seen.length).toBeGreaterThan(3);
    if (wrapped.length > 8_000) return;
    expect(eventsOf(bedrockInvoke, await framesOf(bedrockInvoke, wrapped, 1))).toEqual(seen);
  });
});
