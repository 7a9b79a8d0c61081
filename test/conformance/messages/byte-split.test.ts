/** The chunks in which a recorded stream arrives do not change a message. */
import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { readFrames } from '../../harness/frames.ts';
import { brokenRecordings } from '../../harness/gateways/recorded-gateway.ts';
import { readMessagesStream } from '../../harness/messages.ts';
import { comparable } from '../../harness/messages-blocks.ts';
import { chatRecordings, hasRecordings, type Recording } from '../../harness/recorded/recordings.ts';
import { streamText } from '../../operations/messages/writing.ts';

const streams = chatRecordings().filter(({ stream, name }) => stream && !brokenRecordings.has(name));

async function* inPieces(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

async function messageOf({ provider, body }: Recording, size: number): Promise<object> {
  const protocol = providers.get(provider)?.generation?.protocol;
  if (!protocol) throw new Error(`The provider ${provider} has no protocol.`);
  const decoder = protocol.decodeStream();
  const events: GenerationEvent[] = [];
  for await (const frame of readFrames(inPieces(body, size), protocol.framing))
    events.push(...decoder.onFrame(frame));
  events.push(...decoder.onEnd());
  return comparable(readMessagesStream(await streamText(events, {}, 1)).message);
}

describe.skipIf(!hasRecordings)('a recorded stream', () => {
  test.each(streams)('$name is the same message byte by byte', async (recording) => {
    const whole = await messageOf(recording, recording.body.length);
    for (const size of [1, 7]) expect(await messageOf(recording, size)).toEqual(whole);
  });
});
