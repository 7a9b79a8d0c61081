/** Recorded exchanges of protocols with blocks: bodies, frames, and turns that were sent back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import type { GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import type { AssistantMessage, ReasoningDetail } from '../../lib/core/generation/request.ts';
import { readFrames } from '../harness/frames.ts';
import type { Recording } from '../harness/recorded/recordings.ts';
import { decodeFrames } from './answer.ts';

export async function decodeRecording(
  protocol: GenerationProtocol,
  recording: Recording,
): Promise<readonly GenerationEvent[]> {
  if (!recording.stream) return protocol.decodeBody(JSON.parse(recording.body.toString()));
  const frames = await Array.fromAsync(readFrames(inPieces(recording.body), protocol.framing));
  return decodeFrames(protocol, frames);
}

async function* inPieces(body: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += 1000) yield body.subarray(at, at + 1000);
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

interface Turn {
  readonly role: string;
  readonly content: readonly unknown[];
}

/** The assistant's turns of a recorded request; `file` is in the traffic folder. */
export function recordedTurns(file: string, interaction: number): readonly Turn[] {
  const path = join(import.meta.dirname, '../../../shared/data/traffic', file);
  const cassette: { interactions: { request: { body: { messages: Turn[] } } }[] } = JSON.parse(
    readFileSync(path, 'utf8'),
  );
  const messages = cassette.interactions[interaction]?.request.body.messages ?? [];
  return messages.filter((turn) => turn.role === 'assistant');
}

/** The rules for every answer: `start` first, one finish, then the usage last, and arguments that are JSON. */
export function brokenRules(events: readonly GenerationEvent[]): readonly string[] {
  const types = events.map((event) => event.type);
  const { toolCalls } = answerAsMessage(events);
  const rules: readonly [string, boolean][] = [
    ['starts once, first', types[0] === 'start' && types.lastIndexOf('start') === 0],
    ['finishes once', types.filter((type) => type === 'finish').length === 1],
    ['ends with finish and usage', /finish(,usage)?$/.test(types.join())],
    ['has calls exactly when it says so', toolCalls.length > 0 === finishOf(events).includes('tool_calls')],
    [
      'has arguments that are objects',
      toolCalls.every((call) => JSON.parse(call.arguments).constructor === Object),
    ],
  ];
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule);
}

export function finishOf(events: readonly GenerationEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'finish' ? [event.reason] : []));
}
