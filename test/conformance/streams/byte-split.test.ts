/** The chunks in which a recorded stream arrives do not change the answer. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { GenerationProtocol } from '../../../lib/core/generation/original/protocol.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { readFrames } from '../../harness/frames.ts';
import { chatRecordings, hasRecordings, type Recording } from '../../harness/recorded/recordings.ts';

const streams = chatRecordings().filter(({ stream }) => stream);

function protocolOf({ provider }: Recording): GenerationProtocol {
  const protocol = providers.get(provider)?.generation?.protocol;
  if (!protocol) throw new Error(`The provider ${provider} has no protocol.`);
  return protocol;
}

/** Above this size, splitting at each position would take minutes; single bytes split at every position at once. */
const smallBytes = 8_000;

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** The events, and the error code at the end if the recording has one. */
async function eventsOf(recording: Recording, pieces: readonly Uint8Array[]): Promise<readonly unknown[]> {
  const protocol = protocolOf(recording);
  const decoder = protocol.decodeStream();
  const seen: (GenerationEvent | string)[] = [];
  try {
    for await (const frame of readFrames(inPieces(pieces), protocol.framing))
      seen.push(...decoder.onFrame(frame));
    seen.push(...decoder.onEnd());
  } catch (error) {
    seen.push(error instanceof GatewayError ? error.kind : String(error));
  }
  return seen.map(withoutRandomId);
}

/** Gemini returns no call ids: they are generated here, different each time. */
function withoutRandomId(event: GenerationEvent | string): unknown {
  return JSON.stringify(event).replaceAll(/"call_[^"]*"/g, '"call"');
}

describe.skipIf(!hasRecordings)('a recorded stream', () => {
  test.each(streams)('$name gives the same answer byte by byte', async (recording) => {
    const whole = await eventsOf(recording, [recording.body]);
    const bytes = Array.from(recording.body, (_, at) => recording.body.subarray(at, at + 1));
    expect(await eventsOf(recording, bytes)).toEqual(whole);
  });

  test.each(streams.filter(({ body }) => body.length <= smallBytes))(
    '$name gives the same answer split in two at any position',
    async (recording) => {
      const { body } = recording;
      const whole = await eventsOf(recording, [body]);
      for (let at = 1; at < body.length; at++) {
        const seen = await eventsOf(recording, [body.subarray(0, at), body.subarray(at)]);
        expect(seen, `cut at byte ${at}`).toEqual(whole);
      }
    },
  );
});
