/**
 * What a streamed chunk costs in each step between the two sockets, alone in this process: bytes to frames, frames to
 * events, events to what the caller reads.
 */
import type { PublicEvent } from '../../../lib/core/endpoint.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { Frame, GenerationProtocol } from '../../../lib/core/generation/original/protocol.ts';
import { writeEvent } from '../../../lib/http/server-sent-events.ts';
import { chatStream } from '../../../lib/operations/chat/write/write-stream.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { googleGenerateContent } from '../../../lib/protocols/google-generate-content/protocol.ts';
import { openaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { createServerSentEventReader } from '../../../lib/transport/framing/sse.ts';
import type { ChunkCost } from '../measured.ts';
import { protocols } from '../protocols/all.ts';
import { type Protocol, writePieces } from '../protocols/protocol.ts';
import { median } from '../statistics.ts';

const implementations: Readonly<Record<string, GenerationProtocol>> = {
  openai: openaiChat,
  anthropic: anthropicMessages,
  google: googleGenerateContent,
};

const count = 1_000;

export function measureChunks(repeats: number): readonly ChunkCost[] {
  const costs: ChunkCost[] = [];
  for (const protocol of protocols) {
    const implementation = implementations[protocol.name];
    if (implementation) costs.push(measure(protocol, implementation, repeats));
  }
  return costs;
}

function measure(protocol: Protocol, implementation: GenerationProtocol, repeats: number): ChunkCost {
  const { before, pieces, after } = protocol.stream(writePieces(count));
  const bytes = [before, ...pieces, after].map((text) => Buffer.from(text));
  const frames = readFrames(bytes);
  const events = decode(implementation, frames);
  return {
    protocol: protocol.name,
    frame: timed(repeats, () => void readFrames(bytes)),
    decode: timed(repeats, () => void decode(implementation, frames)),
    write: timed(repeats, () => write(events)),
  };
}

/** All of these protocols use server-sent events. */
function readFrames(bytes: readonly Uint8Array[]): readonly Frame[] {
  const reader = createServerSentEventReader();
  return [...bytes.flatMap((piece) => [...reader.read(piece)]), ...reader.end()];
}

function decode(implementation: GenerationProtocol, frames: readonly Frame[]): readonly GenerationEvent[] {
  const decoder = implementation.decodeStream();
  const events: GenerationEvent[] = [];
  for (const frame of frames) for (const event of decoder.onFrame(frame)) events.push(event);
  return [...events, ...decoder.onEnd()];
}

function write(events: readonly GenerationEvent[]): void {
  const identity = { id: 'chatcmpl-benchmark', created: 1, model: 'owner/model' };
  const stream = chatStream({ identity, includeUsage: true, debug: () => undefined });
  for (const event of events) {
    const written: PublicEvent[] = [];
    stream.each([event], written);
    written.map(writeEvent).join('');
  }
}

/** Microseconds for one chunk: the median, once the code is warm. */
function timed(repeats: number, work: () => void): number {
  const times: number[] = [];
  for (let turn = 0; turn < 2 * repeats; turn += 1) {
    const begun = performance.now();
    work();
    if (turn >= repeats) times.push(((performance.now() - begun) * 1_000) / count);
  }
  return median(times);
}
