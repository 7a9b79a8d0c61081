/** Recorded exchanges: their frames, their events, and answers as turns that are sent back. */
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import type { Frame, GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import type { AssistantMessage, ReasoningDetail } from '../../lib/core/generation/request.ts';
import { readFrames } from '../harness/frames.ts';
import type { Recording } from '../harness/recorded/recordings.ts';
import { decodeFrames } from './answer.ts';

export async function decodeRecording(
  protocol: GenerationProtocol,
  { stream, body }: Recording,
): Promise<readonly GenerationEvent[]> {
  if (!stream) return protocol.decodeBody(JSON.parse(body.toString()));
  return decodeFrames(protocol, await framesOf(protocol, body));
}

/** The frames of a stream that comes in pieces of this size. */
export function framesOf(
  { framing }: GenerationProtocol,
  body: Uint8Array,
  pieceBytes = 1000,
): Promise<Frame[]> {
  return Array.fromAsync(readFrames(inPieces(body, pieceBytes), framing));
}

async function* inPieces(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

/** What a client stores of an answer and sends back with its next request. */
export function answerAsMessage(events: readonly GenerationEvent[]): AssistantMessage {
  const reasoningDetails: ReasoningDetail[] = [];
  const toolCalls: { id: string; name: string; arguments: string }[] = [];
  let text = '';
  for (const event of events) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'reasoning-detail') reasoningDetails.push(event.detail);
    if (event.type === 'tool-call') toolCalls.push({ id: event.id, name: event.name, arguments: '' });
    const call = event.type === 'tool-arguments' ? toolCalls[event.call] : undefined;
    if (call && event.type === 'tool-arguments') call.arguments += event.text;
  }
  return { role: 'assistant', content: [{ type: 'text', text }], toolCalls, reasoningDetails };
}
