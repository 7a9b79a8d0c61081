/** Audio is measured while it comes, so that what was reserved for it is enough. */
import { expect, test } from 'vitest';
import { createMp3Meter, createSamplesMeter } from '../../../lib/core/formats/audio/meter.ts';

/** MPEG 2, layer 3, 24,000 Hz: frames of 576 samples. By index of the rate: 1 is 8 kbit/s, 14 is 160. */
function frames(count: number, index: number): Buffer {
  const kbits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][index] ?? 0;
  const frame = Buffer.alloc((72 * kbits) / 24);
  frame.writeUInt32BE(0xfff3_0400 + (index << 12));
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

const piecesOf = (bytes: Buffer, size: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

const mp3Seconds = (bytes: Buffer, size = bytes.length): number => {
  const meter = createMp3Meter();
  return piecesOf(bytes, size).reduce((_, piece) => meter(piece), 0);
};

test('samples are measured by their number', () => {
  const meter = createSamplesMeter(48_000);
  expect([meter(Buffer.alloc(24_000)), meter(Buffer.alloc(48_000))]).toEqual([0.5, 1.5]);
});

test.each([1, 5, 14])('MP3 is as long as its frames say, at rate %i, however it is divided', (index) => {
  // 125 frames of 24 ms.
  for (const size of [1, 3, 24, 1_000, 100_000])
    expect(mp3Seconds(frames(125, index), size)).toBeCloseTo(3, 6);
});

test('frames of changing rates are measured each', () => {
  expect(mp3Seconds(Buffer.concat([frames(50, 1), frames(50, 14), frames(25, 3)]), 77)).toBeCloseTo(3, 6);
});

test('what is no frame counts as the slowest audio that there is', () => {
  expect(mp3Seconds(Buffer.alloc(30_000, 7), 999)).toBeCloseTo(30, 1);
  // A tag before the frames.
  const tagged = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(997), frames(125, 14)]);
  expect(mp3Seconds(tagged, 10)).toBeCloseTo(4, 1);
});
