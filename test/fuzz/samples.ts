/** Input for the decoders: for each protocol, small answers written by hand, and recorded ones if they are available. */

import type { Frame, GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import { bedrockInvoke } from '../../lib/protocols/bedrock-invoke/protocol.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { readFrames } from '../harness/frames.ts';
import {
  argument,
  call,
  end,
  finish,
  hello,
  type ProtocolScript,
  protocolScripts,
  reasoning,
  type Step,
  start,
  text,
} from '../harness/protocol-scripts.ts';
import { bedrockInvokeScript } from '../harness/protocols/bedrock-invoke.ts';
import { openaiResponsesScript } from '../harness/protocols/openai-responses.ts';
import { chatRecordings, type Recording, responsesRecordings } from '../harness/recorded/recordings.ts';

export interface ProtocolSamples {
  readonly name: string;
  readonly script: ProtocolScript;
  readonly protocol: GenerationProtocol;
  /** Streams, as bytes. */
  readonly bytes: readonly Uint8Array[];
  /** The same as frames. */
  readonly streams: readonly (readonly Frame[])[];
  /** Bodies, parsed. */
  readonly bodies: readonly unknown[];
}

/** One answer with many features of a protocol. */
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

/** Longer recordings are not more useful, and slow. */
const maxBytes = 60_000;

const isSmallAnswer = ({ status, body }: Recording) => status === 200 && body.length < maxBytes;

export async function loadSamples(): Promise<readonly ProtocolSamples[]> {
  const chat = chatRecordings().filter(isSmallAnswer);
  const all = protocolScripts.map((script) => {
    const own = chat.filter(({ protocol }) => protocol === script.protocol);
    return loadOne(script.protocol, script, providers.get(script.protocol)?.generation?.protocol, own);
  });
  const responses = providers.get(openaiResponsesScript.protocol)?.responses?.protocol;
  const own = responsesRecordings().filter(isSmallAnswer);
  return Promise.all([
    ...all,
    loadOne('bedrock-invoke', bedrockInvokeScript, bedrockInvoke, []),
    loadOne('openai-responses', openaiResponsesScript, responses, own),
  ]);
}

async function loadOne(
  name: string,
  script: ProtocolScript,
  protocol: GenerationProtocol | undefined,
  own: readonly Recording[],
): Promise<ProtocolSamples> {
  if (!protocol) throw new Error(`Unknown protocol: ${name}.`);
  const bytes = [
    ...written.map((steps) => Buffer.concat(script.stream(steps))),
    ...own.filter(({ stream }) => stream).map(({ body }) => body),
  ];
  const bodies = own.filter(({ stream }) => !stream).map(({ body }): unknown => JSON.parse(body.toString()));
  return {
    name,
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
