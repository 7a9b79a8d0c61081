/**
 * What a streamed chunk costs in each step between the two sockets, alone in this process: bytes to frames, frames to
 * events, events to what the caller reads.
 */
import type { GenerationEvent } from '../../../lib/core/events.ts';
import type { Frame, GenerationProtocol } from '../../../lib/core/protocol.ts';
import { writeEvent } from '../../../lib/http/server-sent-events.ts';
import { writeChatStream } from '../../../lib/operations/chat/write-stream.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { googleGenerateContent } from '../../../lib/protocols/google-generate-content/protocol.ts';
import { openaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { readServerSentEvents } from '../../../lib/transport/sse.ts';
import type { ChunkCost } from '../measured.ts';
import { median } from '../statistics.ts';
import { wires } from '../wires/all.ts';
import { type Wire, writePieces } from '../wires/wire.ts';

const protocols: Readonly<Record<string, GenerationProtocol>> = {
  openai: openaiChat,
  anthropic: anthropicMessages,
  google: googleGenerateContent,
};

const count = 1_000;

export async function measureChunks(repeats: number): Promise<readonly ChunkCost[]> {
  const costs: ChunkCost[] = [];
  for (const wire of wires) {
    const protocol = protocols[wire.name];
    if (protocol) costs.push(await measure(wire, protocol, repeats));
  }
  return costs;
}

async function measure(wire: Wire, protocol: GenerationProtocol, repeats: number): Promise<ChunkCost> {
  const { before, pieces, after } = wire.stream(writePieces(count));
  const bytes = [before, ...pieces, after].map((text) => Buffer.from(text));
  const frames: Frame[] = await Array.fromAsync(readServerSentEvents(each(bytes)));
  const events = decode(protocol, frames);
  return {
    wire: wire.name,
    frame: await timed(repeats, () => drain(readServerSentEvents(each(bytes)))),
    decode: await timed(repeats, async () => void decode(protocol, frames)),
    write: await timed(repeats, () => write(events)),
  };
}

function decode(protocol: GenerationProtocol, frames: readonly Frame[]): readonly GenerationEvent[] {
  const decoder = protocol.decodeStream();
  const events: GenerationEvent[] = [];
  for (const frame of frames) for (const event of decoder.onFrame(frame)) events.push(event);
  return [...events, ...decoder.onEnd()];
}

async function write(events: readonly GenerationEvent[]): Promise<void> {
  const identity = { id: 'chatcmpl-benchmark', created: 1, model: 'owner/model' };
  const stream = writeChatStream(each(events), { identity, includeUsage: true, debug: undefined });
  for await (const event of stream) writeEvent(event);
}

/** Microseconds for one chunk: the median, once the code is warm. */
async function timed(repeats: number, work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 2 * repeats; turn += 1) {
    const begun = performance.now();
    await work();
    if (turn >= repeats) times.push(((performance.now() - begun) * 1_000) / count);
  }
  return median(times);
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}
