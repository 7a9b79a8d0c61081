import type { SpeechFormat } from '../core/catalog/model.ts';
import type { SpeechPiece } from '../core/generation/speech.ts';

/** The head of a WAV file of samples of 16 bits, one channel, 24,000 in a second, whose length is not known when it begins. */
const rate = 24_000;
const bytesPerSample = 2;
export const bytesPerSecond = rate * bytesPerSample;
const unknownLength = 0xff_ff_ff_ff;

const wavHeader: Buffer = write();

/** The pieces of samples, the first of them after the head of a file where one is asked for. */
export function withWavHeader(
  format: SpeechFormat | undefined,
  read: (data: string) => SpeechPiece,
): (data: string) => SpeechPiece {
  let isBegun = format !== 'wav';
  return (data) => {
    const piece = read(data);
    if (isBegun || !piece.audio) return piece;
    isBegun = true;
    return { ...piece, audio: Buffer.concat([wavHeader, piece.audio]) };
  };
}

function write(): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(unknownLength, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(bytesPerSecond, 28);
  head.writeUInt16LE(bytesPerSample, 32);
  head.writeUInt16LE(bytesPerSample * 8, 34);
  head.write('data', 36);
  head.writeUInt32LE(unknownLength, 40);
  return head;
}
