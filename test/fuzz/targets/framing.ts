/** Bytes of streams: however they are split, they give the same frames or the same error. */
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import type { Frame, FrameReader } from '../../../lib/core/generation/original/protocol.ts';
import { createEventStreamReader } from '../../../lib/transport/framing/event-stream.ts';
import { createServerSentEventReader } from '../../../lib/transport/framing/sse.ts';
import type { ProtocolSamples } from '../samples.ts';
import type { Target } from './target.ts';

const readers = { sse: createServerSentEventReader, 'event-stream': createEventStreamReader };

export const framingTargets = (protocols: readonly ProtocolSamples[]): readonly Target[] =>
  Object.entries(readers).map(([framing, create]) => ({
    name: `framing ${framing}`,
    samples: protocols
      .filter(({ protocol }) => protocol.framing === framing)
      .flatMap(({ bytes }) => bytes.map((one) => Buffer.from(one))),
    check(input) {
      const whole = read(create(), [input]);
      const splits = [1, 1 + (input.length % 97)].map((step) => {
        const count = Math.ceil(input.length / step);
        return Array.from({ length: count }, (_, at) => input.subarray(at * step, (at + 1) * step));
      });
      const others = splits.map((pieces) => read(create(), pieces));
      const unknown = [whole, ...others].find((one) => one.unknown !== undefined)?.unknown;
      if (unknown !== undefined) return [`threw ${unknown}`];
      const differs = others.some((one) => JSON.stringify(one) !== JSON.stringify(whole));
      return differs ? ['depends on how the bytes are split'] : [];
    },
  }));

function read(reader: FrameReader, pieces: readonly Uint8Array[]) {
  const frames: Frame[] = [];
  try {
    for (const piece of pieces) for (const frame of reader.read(piece)) frames.push(frame);
    for (const frame of reader.end()) frames.push(frame);
    return { frames };
  } catch (thrown) {
    return thrown instanceof GatewayError
      ? { frames, kind: thrown.kind }
      : { frames, unknown: String(thrown) };
  }
}
