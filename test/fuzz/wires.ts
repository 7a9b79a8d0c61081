/** What the decoders are fed with: for each wire small answers written by hand, and recorded ones where they are at hand. */

import { providers } from '../../infra/all-providers.ts';
import type { Frame, GenerationProtocol } from '../../lib/core/generation/protocol.ts';
import { readFrames } from '../harness/frames.ts';
import { chatRecordings, type Recording, responsesRecordings } from '../harness/recorded/recordings.ts';
import {
  argument,
  call,
  end,
  finish,
  hello,
  reasoning,
  type Step,
  start,
  text,
  type WireScript,
  wireScripts,
} from '../harness/wire-scripts.ts';
import { openaiResponsesScript } from '../harness/wires/openai-responses.ts';

export interface FuzzWire {
  readonly wire: string;
  readonly script: WireScript;
  readonly protocol: GenerationProtocol;
  /** Streams, as they came. */
  readonly bytes: readonly Uint8Array[];
  /** The same in frames. */
  readonly streams: readonly (readonly Frame[])[];
  /** Bodies, parsed. */
  readonly bodies: readonly unknown[];
}

/** Much that a wire can say, in one answer. */
export const everything: readonly Step[] = [
  { type: 'start', usage: { input: 5, output: 1 } },
  reasoning('Think '),
  reasoning('twice.'),
  text('Let me '),
  text('see.'),
  call(0, 'get_weather'),
  argument(0, '{"city":'),
  call(1, 'get_time'),
  argument(1, '{"zone":"CET"}'),
  argument(0, '"Oslo"}'),
  call(2, 'stop'),
  { ...finish, reason: 'calls' },
  end,
];

const written: readonly (readonly Step[])[] = [
  hello,
  everything,
  [start, { type: 'ping' }, text('Half'), { type: 'error' }],
  [start, { type: 'finish', reason: 'length' }, end],
];

/** Longer recordings say nothing new to a decoder, and take their time. */
const maxBytes = 60_000;

const isSmallAnswer = ({ status, body }: Recording) => status === 200 && body.length < maxBytes;

export async function loadWires(): Promise<readonly FuzzWire[]> {
  const chat = chatRecordings().filter(isSmallAnswer);
  const wires = wireScripts.map((script) => {
    const own = chat.filter(({ wire }) => wire === script.wire);
    return loadWire(script.wire, script, providers.get(script.wire)?.generation?.protocol, own);
  });
  const responses = providers.get(openaiResponsesScript.wire)?.responses?.protocol;
  const own = responsesRecordings().filter(isSmallAnswer);
  return Promise.all([...wires, loadWire('openai-responses', openaiResponsesScript, responses, own)]);
}

async function loadWire(
  wire: string,
  script: WireScript,
  protocol: GenerationProtocol | undefined,
  own: readonly Recording[],
): Promise<FuzzWire> {
  if (!protocol) throw new Error(`No protocol is known for the wire ${wire}.`);
  const bytes = [
    ...written.map((steps) => Buffer.concat(script.stream(steps))),
    ...own.filter(({ stream }) => stream).map(({ body }) => body),
  ];
  const bodies = own.filter(({ stream }) => !stream).map(({ body }): unknown => JSON.parse(body.toString()));
  return {
    wire,
    script,
    protocol,
    bytes,
    streams: await Promise.all(bytes.map((stream) => framesOf(protocol, stream))),
    bodies: [...written.map(script.body), ...bodies],
  };
}

function framesOf(protocol: GenerationProtocol, bytes: Uint8Array): Promise<readonly Frame[]> {
  async function* once() {
    yield bytes;
  }
  return Array.fromAsync(readFrames(once(), protocol.framing));
}
