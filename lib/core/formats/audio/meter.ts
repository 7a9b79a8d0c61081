/** Measures audio as it comes: never shorter than it is, but for a little at its beginning. */
import { frameAt } from './mp3.ts';

/** Takes the next bytes. The seconds of all that came so far. */
export type AudioMeter = (bytes: Uint8Array) => number;

export function createSamplesMeter(bytesPerSecond: number): AudioMeter {
  let size = 0;
  return (bytes) => {
    size += bytes.length;
    return size / bytesPerSecond;
  };
}

/** The lowest rate of MPEG audio, 8 kbit/s: what is no frame counts as so much of it. */
const lowestBytesPerSecond = 1_000;
const headBytes = 4;

/** By the frames, whatever their rate. */
export function createMp3Meter(): AudioMeter {
  let seconds = 0;
  /** Of the last frame, what is still to come. */
  let left = 0;
  let rest = Buffer.alloc(0);
  return (bytes) => {
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : Buffer.from(bytes);
    let at = left;
    while (at + headBytes <= all.length) {
      const frame = frameAt(all, at);
      seconds += frame ? frame.samples / frame.rate : 1 / lowestBytesPerSecond;
      at += frame?.bytes ?? 1;
    }
    rest = all.subarray(Math.min(at, all.length));
    left = Math.max(0, at - all.length);
    return seconds;
  };
}
