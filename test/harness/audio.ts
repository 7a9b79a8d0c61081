/** Recordings without sound, of a known length. */

/** Samples of 16 bits, 8,000 a second. */
export function wavOf(seconds: number, fill = 0): Buffer {
  const data = Buffer.alloc(Math.round(seconds * 8_000) * 2, fill);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

/** Frames of MPEG 1, layer 3, 128 kbit/s at 44.1 kHz: 417 bytes and 1,152 samples each. */
export function mp3Of(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xfffb9000);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}
