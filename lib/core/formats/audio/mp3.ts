/**
 * The time of MP3: all of its frames, since a header may say anything. Source: ISO/IEC 11172-3 and 13818-3, the header of a frame; of
 * tags, id3.org/id3v2.4.0-structure.
 */

interface Frame {
  readonly at: number;
  readonly bytes: number;
  readonly samples: number;
  readonly rate: number;
}

/** kbit/s by index, of layers 1 to 3: of MPEG 1, and of both later versions. */
const rates1 = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
];
const slow = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const rates2 = [[0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256], slow, slow];

const sampleRates = [44_100, 48_000, 32_000];

export function frameAt(bytes: Buffer, at: number): Frame | undefined {
  if (at + 4 > bytes.length) return undefined;
  const header = bytes.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const layer = 4 - ((header >>> 17) & 3);
  const bitrate = (version === 3 ? rates1 : rates2)[layer - 1]?.[(header >>> 12) & 15];
  const base = sampleRates[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || !bitrate || base === undefined) return undefined;
  const rate = version === 3 ? base : base / (version === 2 ? 2 : 4);
  const padding = (header >>> 9) & 1;
  if (layer === 1)
    return { at, bytes: 4 * (Math.floor((12_000 * bitrate) / rate) + padding), samples: 384, rate };
  const samples = layer === 3 && version !== 3 ? 576 : 1_152;
  return { at, bytes: Math.floor((samples * 125 * bitrate) / rate) + padding, samples, rate };
}

/** The first frame that another one follows, or the end, and that begins within so many bytes. */
export function findMp3Frame(bytes: Buffer, from: number, within: number): Frame | undefined {
  const end = Math.min(bytes.length, from + within);
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < end; at = bytes.indexOf(0xff, at + 1)) {
    const frame = frameAt(bytes, at);
    const next = at + (frame?.bytes ?? 0);
    if (frame && (next === bytes.length || frameAt(bytes, next))) return frame;
  }
  return undefined;
}

/** What may be between two frames, such as a tag. Each search begins behind the one before it. */
const maxGap = 128 * 1024;

/** In seconds; undefined without any frame. */
export function secondsOfMp3(bytes: Buffer): number | undefined {
  let seconds = 0;
  let at = afterTag(bytes);
  for (;;) {
    const frame = frameAt(bytes, at) ?? findMp3Frame(bytes, at, maxGap);
    if (!frame) return seconds > 0 ? seconds : undefined;
    // The first frame may only say how many there are.
    if (seconds > 0 || !isInfo(bytes, frame)) seconds += frame.samples / frame.rate;
    at = frame.at + frame.bytes;
  }
}

const isInfo = (bytes: Buffer, { at }: Frame): boolean =>
  /Xing|Info|VBRI/.test(bytes.toString('latin1', at + 4, at + 44));

/** A tag says its length in four times seven bits. */
function afterTag(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < 10) return 0;
  const length = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((bytes[at] ?? 0) & 127), 0);
  return 10 + length;
}
